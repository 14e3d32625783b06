/* SPDX-License-Identifier: ISC */
/* part.c - see part.h. */
#include "mpi/part.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

bool part_by_sites;

/* The parts of struct status that are sent. */
#define FIRST	    offsetof(struct status, findings)
#define MIDDLE	    offsetof(struct status, library)
#define OUTCOMES_AT offsetof(struct status, outcomes)
#define ROWS_AT	    (OUTCOMES_AT + offsetof(struct status_outcomes, row))
#define LAST	    offsetof(struct status, shard)
#define END	    offsetof(struct status, suite)

static size_t findings_size(const struct status *s)
{
	return (s->nfindings < STATUS_FINDINGS ? s->nfindings : STATUS_FINDINGS) *
	       sizeof(struct status_finding);
}

static size_t rows_size(const struct status *s)
{
	return (s->outcomes.n < OUTCOMES ? s->outcomes.n : OUTCOMES) *
	       sizeof(struct status_outcome);
}

static u8 *put_bytes(u8 *to, const void *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

struct bytes part_pack(const struct status *s)
{
	const u8 *from = (const u8 *)s;
	size_t findings = findings_size(s), rows = rows_size(s);
	struct bytes b = {NULL, FIRST + findings + ROWS_AT - MIDDLE + rows + END - LAST};
	u8 *to = b.at = xmalloc(b.n);

	to = put_bytes(to, from, FIRST);
	to = put_bytes(to, s->findings, findings);
	to = put_bytes(to, from + MIDDLE, ROWS_AT - MIDDLE);
	to = put_bytes(to, s->outcomes.row, rows);
	put_bytes(to, from + LAST, END - LAST);
	return b;
}

static struct bytes take(struct bytes from, void *to, size_t n)
{
	n = n < from.n ? n : from.n;
	memcpy(to, from.at, n);
	return (struct bytes){from.at + n, from.n - n};
}

/* The page; valid until the next call. */
static struct status *unpack(struct bytes b)
{
	static struct status *s;

	if (!s)
		s = xmalloc(sizeof(*s));
	memset(s, 0, END);
	b = take(b, s, FIRST);
	b = take(b, s->findings, findings_size(s));
	b = take(b, (u8 *)s + MIDDLE, ROWS_AT - MIDDLE);
	b = take(b, s->outcomes.row, rows_size(s));
	take(b, (u8 *)s + LAST, END - LAST);
	return s;
}

static u32 failures_of(const struct status *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->nfindings; i++)
		n += s->findings[i].verdict != VERDICT_SUPPRESSED;
	return n;
}

u32 part_failures(struct bytes page)
{
	return failures_of(unpack(page));
}

struct bytes part_settle(struct bytes page)
{
	struct status *s = unpack(page);

	s->bounds = s->give.bounds;
	s->complete = s->give.complete;
	return part_pack(s);
}

/* --- sums ------------------------------------------------------------------------------------- */

void part_begin(struct status *s)
{
	s->magic = STATUS_MAGIC;
	s->size = sizeof(*s);
	s->state = STATUS_DONE;
	s->complete = 1;
}

static u32 most(u32 a, u32 b)
{
	return a > b ? a : b;
}

static void add_counts(struct status *to, const struct status *from)
{
	to->executions += from->executions;
	to->blocked += from->blocked;
	to->cut += from->cut;
	to->failing += from->failing;
	to->steps += from->steps;
	to->promoted += from->promoted;
	to->unconfirmed += from->unconfirmed;
	to->complete &= from->complete;
	to->assumed |= from->assumed;
	to->assembly |= from->assembly;
	to->bounds |= from->bounds;
	to->max_steps = most(to->max_steps, from->max_steps);
	to->levels = most(to->levels, from->levels);
	to->delays = most(to->delays, from->delays);
	for (u32 i = 0; i < STATUS_DEPTHS; i++)
		to->pct.executions[i] += from->pct.executions[i];
	to->pct.agents = to->pct.agents > from->pct.agents ? to->pct.agents : from->pct.agents;
	to->pct.steps = to->pct.steps > from->pct.steps ? to->pct.steps : from->pct.steps;
	to->strategy = from->strategy;
	to->chosen = from->chosen;
	to->model = from->model;
	to->chosen_model = from->chosen_model;
	to->equivalence = from->equivalence;
}

void part_note(struct status *to, const char *note)
{
	u32 i = 0;

	while (i < array_size(to->coverage) && to->coverage[i][0] && strcmp(to->coverage[i], note))
		i++;
	if (i < array_size(to->coverage))
		snprintf(to->coverage[i], sizeof(to->coverage[i]), "%s", note);
}

static void add_part_words(struct status *to, const struct status *from)
{
	for (u32 i = 0; i < array_size(from->coverage) && from->coverage[i][0]; i++)
		part_note(to, from->coverage[i]);
	if (!to->held[0])
		memcpy(to->held, from->held, sizeof(to->held));
	if (!to->doubt[0])
		memcpy(to->doubt, from->doubt, sizeof(to->doubt));
}

#define KNOWN UINT32_MAX

/* The index that a finding gets; KNOWN: it is there, or there is no room. */
static u32 finding_index(const struct status *to, const struct finding *f)
{
	for (u32 i = 0; i < to->nfindings; i++)
		if (finding_same(&to->findings[i].finding, f) &&
			(!part_by_sites || to->findings[i].finding.site == f->site))
			return KNOWN;
	return to->nfindings < STATUS_FINDINGS ? to->nfindings : KNOWN;
}

static void add_findings(struct status *to, const struct status *from, u64 earlier)
{
	for (u32 i = 0; i < from->nfindings && i < STATUS_FINDINGS; i++) {
		u32 at = finding_index(to, &from->findings[i].finding);

		if (at == KNOWN)
			continue;
		to->findings[at] = from->findings[i];
		to->findings[at].execution += earlier;
		to->nfindings++;
	}
}

/* The number of a name; a new one is appended. OUTCOME_NAMES: there is no room. */
static u32 name_number(struct status_outcomes *o, const char *name)
{
	u32 i = 0;

	while (i < o->nnames && strcmp(o->name[i], name) != 0)
		i++;
	if (i == o->nnames && i < OUTCOME_NAMES)
		memcpy(o->name[o->nnames++], name, sizeof(o->name[i]));
	return i;
}

static bool same_values(const struct status_outcome *a, const struct status_outcome *b)
{
	if (a->has != b->has)
		return false;
	for (u32 i = 0; i < OUTCOME_NAMES; i++)
		if (a->has >> i & 1 && a->value[i] != b->value[i])
			return false;
	return true;
}

static void add_outcome(struct status_outcomes *to, const struct status_outcome *row)
{
	u32 i = 0;

	while (i < to->n && !same_values(&to->row[i], row))
		i++;
	if (i == OUTCOMES) {
		to->more++;
		return;
	}
	if (i == to->n) {
		to->row[to->n++] = *row;
		return;
	}
	to->row[i].executions += row->executions;
	to->row[i].in_sc |= row->in_sc;
}

static int by_frequency(const void *a, const void *b)
{
	const struct status_outcome *p = a, *q = b;

	if (p->executions != q->executions)
		return p->executions < q->executions ? 1 : -1;
	return memcmp(p->value, q->value, sizeof(p->value));
}

static void add_part_outcomes(struct status_outcomes *to, const struct status_outcomes *from,
	bool first)
{
	u32 number[OUTCOME_NAMES];

	for (u32 i = 0; i < from->nnames && i < OUTCOME_NAMES; i++)
		number[i] = name_number(to, from->name[i]);
	to->more += from->more;
	to->sc_known = first ? from->sc_known : to->sc_known & from->sc_known;
	for (u32 k = 0; k < from->n && k < OUTCOMES; k++) {
		struct status_outcome row = {from->row[k].executions, 0, from->row[k].in_sc, {0}};

		for (u32 i = 0; i < from->nnames; i++) {
			if (!(from->row[k].has >> i & 1) || number[i] == OUTCOME_NAMES)
				continue;
			row.has |= 1u << number[i];
			row.value[number[i]] = from->row[k].value[i];
		}
		add_outcome(to, &row);
	}
	qsort(to->row, to->n, sizeof(to->row[0]), by_frequency);
}

void part_add(struct status *to, struct bytes page)
{
	const struct status *from = unpack(page);
	bool first = !to->max_steps;
	u64 earlier = to->executions + to->blocked;

	add_counts(to, from);
	add_part_words(to, from);
	add_findings(to, from, earlier);
	add_part_outcomes(&to->outcomes, &from->outcomes, first);
}

/* --- replay files ----------------------------------------------------------------------------- */

static struct bytes pack_files(struct bytes *file, u64 n)
{
	struct bytes all = {NULL, sizeof(n)};
	u8 *to;

	for (u64 i = 0; i < n; i++)
		all.n += sizeof(u64) + file[i].n;
	to = put_bytes(all.at = xmalloc(all.n), &n, sizeof(n));
	for (u64 i = 0; i < n; i++) {
		u64 size = file[i].n;

		to = put_bytes(to, &size, sizeof(size));
		to = size ? put_bytes(to, file[i].at, size) : to;
	}
	return all;
}

struct bytes replays_pack(const struct status *s)
{
	struct bytes file[STATUS_FINDINGS], all;
	u32 n = s->nfindings < STATUS_FINDINGS ? s->nfindings : STATUS_FINDINGS;

	for (u32 i = 0; i < n; i++)
		file[i] = s->findings[i].replay[0] ? bytes_of_file(s->findings[i].replay)
						   : (struct bytes){NULL, 0};
	all = pack_files(file, n);
	for (u32 i = 0; i < n; i++)
		bytes_free(&file[i]);
	return all;
}

struct bytes replays_of(struct bytes all, u32 i)
{
	u64 n = 0, size = 0;

	all = take(all, &n, sizeof(n));
	for (u64 k = 0; k < n; k++) {
		all = take(all, &size, sizeof(size));
		if (size > all.n)
			break;
		if (k == i)
			return (struct bytes){all.at, size};
		all = (struct bytes){all.at + size, all.n - size};
	}
	return (struct bytes){NULL, 0};
}

/* --- two parts -------------------------------------------------------------------------------- */

struct part_sum part_unite(
	struct bytes page, struct bytes replays, struct bytes next, struct bytes next_replays)
{
	static struct status *sum;
	struct bytes file[STATUS_FINDINGS];
	const struct status *from;
	u32 n;

	sum = sum ? sum : xmalloc(sizeof(*sum));
	memset(sum, 0, END);
	part_begin(sum);
	if (page.n)
		part_add(sum, page);
	n = sum->nfindings;
	for (u32 i = 0; i < n; i++)
		file[i] = replays_of(replays, i);
	from = unpack(next);
	for (u32 i = 0; i < from->nfindings && n < STATUS_FINDINGS; i++)
		if (finding_index(sum, &from->findings[i].finding) != KNOWN)
			file[n++] = replays_of(next_replays, i);
	part_add(sum, next);
	return (struct part_sum){part_pack(sum), pack_files(file, sum->nfindings)};
}
