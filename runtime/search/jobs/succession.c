/* SPDX-License-Identifier: ISC */
/* succession.c - see succession.h. */
#include "search/jobs/succession.h"

#define NONE UINT32_MAX

static const struct stretch *stretches_of(const struct succession *s, u32 *n)
{
	*n = s->copy[s->current].n;
	return s->copy[s->current].stretch;
}

static u32 task_at(const struct succession *s, u64 ticket)
{
	u32 n;
	const struct stretch *all = stretches_of(s, &n);

	for (u32 i = 0; i < n; i++)
		if (ticket && all[i].ticket == ticket)
			return i;
	return NONE;
}

static u32 finding_at(const struct succession *s, u32 finding)
{
	u32 n;
	const struct stretch *all = stretches_of(s, &n);

	for (u32 i = 0; i < n; i++)
		if (all[i].finding == finding + 1)
			return i;
	return NONE;
}

static void add_counted(struct counted *to, const struct counted *more)
{
	to->executions += more->executions;
	to->blocked += more->blocked;
	to->failing += more->failing;
	to->steps += more->steps;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* A change writes the list into the other copy, one after the other. */
static void append_stretch(struct succession *s, const struct stretch *one)
{
	u32 to = 1 - s->current, n = s->copy[to].n;
	struct stretch *last = n ? &s->copy[to].stretch[n - 1] : NULL;

	if (last && !last->ticket && !last->finding && !one->ticket) {
		add_counted(&last->counted, &one->counted);
		last->finding = one->finding;
		last->counts = one->counts;
		return;
	}
	BUG_ON(n == STRETCHES);
	s->copy[to].stretch[n] = *one;
	s->copy[to].n = n + 1;
}

static void begin_change(struct succession *s)
{
	s->copy[1 - s->current].n = 0;
}

static void end_change(struct succession *s)
{
	u32 to = 1 - s->current, counting = 0;

	for (u32 i = 0; i < s->copy[to].n; i++)
		counting += s->copy[to].stretch[i].counts;
	__atomic_store_n(&s->current, to, __ATOMIC_SEQ_CST);
	s->ending = s->most && counting >= s->most;
	s->changes++;
}

void succession_begin(struct succession *s, const struct counted *counted, u64 ticket, u32 most)
{
	s->most = most;
	begin_change(s);
	append_stretch(s, &(struct stretch){.counted = *counted});
	append_stretch(s, &(struct stretch){.ticket = ticket});
	end_change(s);
}

void succession_give(struct succession *s, u64 ticket, u64 given)
{
	u32 n, at = task_at(s, ticket);
	const struct stretch *all = stretches_of(s, &n);

	begin_change(s);
	for (u32 i = 0; i < n; i++) {
		append_stretch(s, &all[i]);
		if (i == at)
			append_stretch(s, &(struct stretch){.ticket = given});
	}
	if (at == NONE)
		append_stretch(s, &(struct stretch){.ticket = given});
	end_change(s);
}

void succession_end(struct succession *s, u64 ticket, const struct counted *counted)
{
	u32 n, at = task_at(s, ticket);
	const struct stretch *all = stretches_of(s, &n);

	begin_change(s);
	for (u32 i = 0; i < n; i++)
		append_stretch(s, i == at ? &(struct stretch){.counted = *counted} : &all[i]);
	end_change(s);
}

void succession_remove(struct succession *s, u64 ticket)
{
	succession_end(s, ticket, &(struct counted){0});
}

void succession_find(struct succession *s, u64 ticket, u32 finding, bool counts,
	const struct counted *counted)
{
	u32 n, at = task_at(s, ticket), was = finding_at(s, finding);
	const struct stretch *all = stretches_of(s, &n);

	if (at == NONE)
		return;
	begin_change(s);
	for (u32 i = 0; i < n; i++) {
		struct stretch one = all[i];

		if (i == at)
			append_stretch(s, &(struct stretch){.finding = finding + 1,
						  .counts = counts,
						  .counted = *counted});
		if (i == was)
			one.finding = one.counts = 0;
		append_stretch(s, &one);
	}
	end_change(s);
}

/* --- questions -------------------------------------------------------------------------------- */

bool succession_precedes(const struct succession *s, u64 ticket, u32 finding)
{
	u32 at = task_at(s, ticket), other = finding_at(s, finding);

	return at != NONE && other != NONE && at < other;
}

/* The stretch with the finding that ends the search; NONE: there is none. */
static u32 end_of(const struct succession *s)
{
	u32 n, counting = 0;
	const struct stretch *all = stretches_of(s, &n);

	for (u32 i = 0; i < n; i++) {
		counting += all[i].counts;
		if (s->most && counting == s->most)
			return i;
	}
	return NONE;
}

bool succession_is_late(const struct succession *s, u64 ticket)
{
	u32 at = task_at(s, ticket);

	return at != NONE && end_of(s) < at;
}

bool succession_ends(const struct succession *s, u32 *finding, bool *open)
{
	u32 n, end = end_of(s);
	const struct stretch *all = stretches_of(s, &n);

	*open = false;
	if (end == NONE)
		return false;
	*finding = all[end].finding - 1;
	for (u32 i = 0; i < end; i++)
		*open |= all[i].ticket != 0;
	return true;
}

bool succession_until(const struct succession *s, u32 finding, struct counted *counted)
{
	u32 n, at = finding_at(s, finding);
	const struct stretch *all = stretches_of(s, &n);

	*counted = (struct counted){0};
	for (u32 i = 0; at != NONE && i <= at; i++) {
		if (all[i].ticket)
			return false;
		add_counted(counted, &all[i].counted);
	}
	return at != NONE;
}

u32 succession_findings(const struct succession *s, u32 *finding)
{
	u32 n, found = 0;
	const struct stretch *all = stretches_of(s, &n);

	for (u32 i = 0; i < n; i++)
		if (all[i].finding)
			finding[found++] = all[i].finding - 1;
	return found;
}
