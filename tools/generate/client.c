/* SPDX-License-Identifier: ISC */
/* client.c - see client.h: the enumeration. */
#include "generate/client.h"

#include <string.h>

#include "die.h"

/* --- calls ----------------------------------------------------------------------------------- */

struct calls {
	struct client_call *at;
	unsigned n;
};

/* All calls of an operation whose first i values are chosen. */
static void add_calls(struct calls *to, struct client_call *chosen, unsigned i)
{
	const struct argument *a = &chosen->operation->argument[i];

	if (i == chosen->operation->n) {
		to->at = xgrow(to->at, (to->n + 1) * sizeof(*to->at));
		to->at[to->n++] = *chosen;
		return;
	}
	for (long value = a->from; value <= a->to; value++) {
		chosen->value[i] = value;
		add_calls(to, chosen, i + 1);
	}
}

static struct calls list_calls(const struct thread_role *r)
{
	struct calls all = {NULL, 0};

	for (unsigned i = 0; i < r->n; i++)
		add_calls(&all, &(struct client_call){.operation = &r->operation[i]}, 0);
	return all;
}

/* --- sequences ------------------------------------------------------------------------------- */

#define SEQUENCES_MAX 200000

static void add_sequences(
	struct clients *c, const struct calls *calls, struct sequence *begun, unsigned length)
{
	if (begun->n == length) {
		if (c->nsequences == SEQUENCES_MAX)
			die("%s: more than %d sequences of operations: choose fewer with "
			    "--operations",
				c->list->path, SEQUENCES_MAX);
		if (!(c->nsequences & (c->nsequences - 1)))
			c->sequence = xgrow(c->sequence,
				2 * (c->nsequences + 1) * sizeof(*c->sequence));
		c->sequence[c->nsequences++] = *begun;
		return;
	}
	for (unsigned i = 0; i < calls->n; i++) {
		begun->call[begun->n++] = &calls->at[i];
		add_sequences(c, calls, begun, length);
		begun->n--;
	}
}

static void make_sequences(struct clients *c, unsigned longest)
{
	struct calls *calls = xmalloc(c->list->nroles * sizeof(*calls));

	for (unsigned r = 0; r < c->list->nroles; r++)
		calls[r] = list_calls(&c->list->role[r]);
	for (unsigned length = 1; length <= longest; length++)
		for (unsigned r = 0; r < c->list->nroles; r++)
			add_sequences(c, &calls[r], &(struct sequence){.role = r}, length);
}

/* --- clients --------------------------------------------------------------------------------- */

/* Threads in the order of their roles, long ones first. */
static void sort_threads(struct client *c)
{
	for (unsigned i = 1; i < c->n; i++)
		for (unsigned k = i; k; k--) {
			const struct sequence *a = c->thread[k - 1], *b = c->thread[k];

			if (a->role < b->role || (a->role == b->role && a->n >= b->n))
				break;
			c->thread[k - 1] = b;
			c->thread[k] = a;
		}
}

static void add_client(struct clients *c, const struct client *one)
{
	if (c->n == CLIENTS_MAX)
		die("%s: more than %d clients: choose fewer with --operations and --threads, or "
		    "give arguments fewer values",
			c->list->path, CLIENTS_MAX);
	if (!(c->n & (c->n - 1)))
		c->at = xgrow(c->at, 2 * (c->n + 1) * sizeof(*c->at));
	c->at[c->n] = *one;
	sort_threads(&c->at[c->n++]);
}

static bool has_role(const struct client *c, unsigned role)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->thread[i]->role == role)
			return true;
	return false;
}

/* All clients with so many more threads and operations, whose sequences are at `from' or later:
 * these are no shorter, so that each set of threads is met once. */
static void add_clients(
	struct clients *c, struct client *begun, unsigned from, unsigned threads, unsigned rest)
{
	if (!threads) {
		if (!rest)
			add_client(c, begun);
		return;
	}
	for (unsigned i = from; i < c->nsequences; i++) {
		const struct sequence *s = &c->sequence[i];

		if (s->n * threads > rest)
			return;
		if (c->list->role[s->role].once && has_role(begun, s->role))
			continue;
		begun->thread[begun->n++] = s;
		add_clients(c, begun, i, threads - 1, rest - s->n);
		begun->n--;
	}
}

struct clients clients_make(const struct list *l, unsigned threads, unsigned operations)
{
	struct clients c = {.list = l};

	make_sequences(&c, operations - 1);
	for (unsigned size = 2; size <= operations; size++)
		for (unsigned n = 2; n <= threads && n <= size; n++)
			add_clients(&c, &(struct client){.n = 0}, 0, n, size);
	if (!c.n)
		die("%s: no client: with HEDDLE_THREAD alone there is one thread; name the "
		    "operations of another",
			l->path);
	return c;
}
