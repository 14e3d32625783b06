/* SPDX-License-Identifier: ISC */
/* table.c - see table.h. */
#include "mpi/table.h"

#include <stdlib.h>

#include "die.h"

struct ticket *table_find(const struct ticket_table *t, u64 id)
{
	struct ticket *k = t->first;

	while (k && k->id != id)
		k = k->next;
	return k;
}

static bool is_left(const struct ticket *k)
{
	return k->state == TICKET_OPEN || k->state == TICKET_RUNS;
}

struct ticket *table_open(const struct ticket_table *t)
{
	struct ticket *k = t->first;

	while (k && k->state != TICKET_OPEN)
		k = k->next;
	return k;
}

bool table_is_busy(const struct ticket_table *t)
{
	struct ticket *k = t->first;

	while (k && !is_left(k))
		k = k->next;
	return k;
}

/* --- tickets ---------------------------------------------------------------------------------- */

/* After `before`; NULL: first. */
static struct ticket *insert(struct ticket_table *t, struct ticket *before, struct work work)
{
	struct ticket *k = xmalloc(sizeof(*k));

	k->id = ++t->made;
	k->owner = -1;
	k->work = work;
	k->work.image = bytes_copy(work.image);
	k->before = before;
	k->next = before ? before->next : t->first;
	*(k->before ? &k->before->next : &t->first) = k;
	*(k->next ? &k->next->before : &t->last) = k;
	return k;
}

static void forget_results(struct ticket *k)
{
	bytes_free(&k->page);
	bytes_free(&k->replays);
	bytes_free(&k->rest);
	k->failures = 0;
}

static void delete (struct ticket_table *t, struct ticket *k)
{
	*(k->before ? &k->before->next : &t->first) = k->next;
	*(k->next ? &k->next->before : &t->last) = k->before;
	bytes_free(&k->work.image);
	forget_results(k);
	free(k);
}

static struct bytes message_part(const struct message *m, u32 i)
{
	return i < m->nparts ? m->part[i] : (struct bytes){NULL, 0};
}

static void learn_progress(struct ticket *k, const struct message *m)
{
	forget_results(k);
	k->page = bytes_copy(message_part(m, PART_PAGE));
	k->replays = bytes_copy(message_part(m, PART_REPLAYS));
	k->rest = bytes_copy(message_part(m, PART_REST));
	if (k->work.kind != WORK_SUITE)
		k->failures = part_failures(k->page);
}

/* --- done ------------------------------------------------------------------------------------- */

static bool is_done(const struct ticket *k)
{
	return k && k->state == TICKET_DONE && k->work.kind != WORK_SUITE;
}

/* The next ticket becomes a part of this one, unless it may be dropped. */
static void unite_next(struct ticket_table *t, struct ticket *k)
{
	struct part_sum sum;

	if (!is_done(k) || !is_done(k->next) || k->failures >= t->failures)
		return;
	sum = part_unite(k->page, k->replays, k->next->page, k->next->replays);
	delete (t, k->next);
	forget_results(k);
	k->page = sum.page;
	k->replays = sum.replays;
	k->failures = part_failures(k->page);
}

static void close_ticket(struct ticket_table *t, struct ticket *k, enum ticket_state s)
{
	k->state = s;
	k->owner = -1;
	bytes_free(&k->work.image);
	if (s == TICKET_DONE)
		bytes_free(&k->rest);
	unite_next(t, k);
	if (k->before)
		unite_next(t, k->before);
}

/* --- messages --------------------------------------------------------------------------------- */

/* Each follows the ticket, and so precedes those given before. */
static void give_part(struct ticket_table *t, struct ticket *k, const struct message *m)
{
	learn_progress(k, m);
	for (u32 i = PART_GIVEN; i < m->nparts; i++)
		insert(t, k, (struct work){WORK_GRAPHS, 0, 0, m->part[i]});
}

/* died: by its process, not by its rank. */
static void lose(struct ticket_table *t, struct ticket *k, bool died)
{
	struct ticket *rest;
	struct bytes page;

	k->owner = -1;
	if (!k->rest.n) {
		forget_results(k);
		k->state = TICKET_OPEN;
		k->deaths += died;
		return;
	}
	rest = insert(t, k, (struct work){WORK_GRAPHS, 0, 0, k->rest});
	rest->deaths = k->deaths + died;
	page = part_settle(k->page);
	bytes_free(&k->page);
	k->page = page;
	close_ticket(t, k, TICKET_DONE);
}

static void forget(struct ticket_table *t, const struct ticket *except)
{
	struct ticket *next;

	for (struct ticket *k = t->first; k; k = next) {
		next = k->next;
		if (k != except)
			delete (t, k);
	}
}

/* It is all of the search from now on. */
static void begin_again(struct ticket_table *t, struct ticket *k)
{
	forget(t, k);
	bytes_free(&k->work.image);
	forget_results(k);
}

static void end_ticket(struct ticket_table *t, struct ticket *k, const struct message *m)
{
	switch ((enum end)m->number[0]) {
	case END_OVER:
		learn_progress(k, m);
		close_ticket(t, k, TICKET_DONE);
		break;
	case END_CUT:
		learn_progress(k, m);
		close_ticket(t, k, TICKET_CUT);
		break;
	case END_LOST:
	case END_REFUSED: lose(t, k, true); break; /* as rank 0 decides */
	}
}

/* A message from a ticket's process. */
static bool take_news(struct ticket_table *t, struct ticket *k, const struct message *m)
{
	if (!k || (!is_left(k) && (k->state != TICKET_CUT || m->kind != MESSAGE_LOST)))
		return false;
	switch ((enum message_kind)m->kind) {
	case MESSAGE_GAVE: give_part(t, k, m); break;
	case MESSAGE_DONE: end_ticket(t, k, m); break;
	case MESSAGE_LOST: lose(t, k, false); break;
	case MESSAGE_AGAIN: begin_again(t, k); break;
	default: return false;
	}
	return true;
}

bool table_take(struct ticket_table *t, const struct message *m)
{
	switch ((enum message_kind)m->kind) {
	case MESSAGE_NEW:
		insert(t, t->last,
			(struct work){
				(u32)m->number[0], m->number[1], m->number[2], message_part(m, 0)});
		return true;
	case MESSAGE_FORGET: forget(t, NULL); return true;
	default: return take_news(t, table_find(t, m->ticket), m);
	}
}

/* --- the end ---------------------------------------------------------------------------------- */

/* The ticket with which there are enough findings; NULL: there are not, by now. */
static struct ticket *last_that_counts(const struct ticket_table *t)
{
	if (t->failures > 1) /* the work done in the beginning is one ticket */
		return is_done(t->first) && t->first->failures >= t->failures ? t->first : NULL;
	for (struct ticket *k = t->first; k; k = k->next)
		if (is_done(k) && k->failures)
			return k;
	return NULL;
}

bool table_cut(struct ticket_table *t)
{
	struct ticket *last = last_that_counts(t);

	if (!last)
		return false;
	while (last->next)
		delete (t, last->next);
	for (struct ticket *k = t->first; k; k = k->next)
		if (is_left(k))
			return false;
	return true;
}

struct part_sum table_sum(const struct ticket_table *t, bool *left)
{
	struct part_sum sum = {{NULL, 0}, {NULL, 0}};

	*left = false;
	for (const struct ticket *k = t->first; k; k = k->next) {
		*left |= k->state != TICKET_DONE;
		if (k->page.n)
			sum = part_unite(sum.page, sum.replays, k->page, k->replays);
	}
	return sum;
}
