/* SPDX-License-Identifier: ISC */
/* state_set.c - see state_set.h. */
#include "prove/state_set.h"
#include "base/table.h"
#include "event/status.h"
#include "process/bytes.h"
#include "process/pages.h"

#define NODES_MAX (1u << 20)
#define ARENA	  (1u << 27) /* units of 8 bytes */
#define SLOTS	  (1u << 21)
#define EDGES_MAX (1u << 25)

struct set_nodes nodes;

static struct {
	u32 *slot; /* by sum: 1 + the last node */
	u32 used;  /* of the arena */
} N;

void nodes_begin(void)
{
	if (!nodes.node) {
		nodes.node = pages_need(NODES_MAX * sizeof *nodes.node);
		nodes.arena = pages_need(ARENA * sizeof *nodes.arena);
		N.slot = pages_need(SLOTS * sizeof *N.slot);
	}
	bytes_fill(N.slot, 0, SLOTS * sizeof *N.slot);
	states.nnodes = states.nedges = states.nstates = 0;
	states.full = false;
	states.limit = NULL;
	nodes.n = 0;
	N.used = 1;
}

void nodes_give_up(const char *why)
{
	if (!states.full)
		coverage_note("store buffers without a bound: %s", why);
	states.full = true;
}

u32 node_keep(const void *from, u32 bytes)
{
	u32 n = (bytes + 7) / 8, at = N.used;

	if (n > ARENA - N.used) {
		nodes_give_up("there is no room for more states");
		return 0;
	}
	bytes_copy(nodes.arena + at, from, bytes);
	N.used += n;
	return at;
}

/* --- words: the number of threads with any, then each: thread, n, items ----------------------- */

static u32 keep_words(const struct buffer_words *w)
{
	static struct word_item all[WORD_THREADS * (LOOP_WORD_ITEMS + 1) + 1];
	u32 n = 1;

	all[0] = (struct word_item){0};
	for (u32 t = 0; t < WORD_THREADS; t++) {
		if (!w->of[t].n)
			continue;
		all[0].at++;
		all[n++] = (struct word_item){.at = w->of[t].n, .letter = (u16)t};
		bytes_copy(all + n, w->of[t].item, w->of[t].n * sizeof *all);
		n += w->of[t].n;
	}
	return node_keep(all, n * (u32)sizeof *all);
}

void node_set_words(struct set_node *d, const struct buffer_words *w)
{
	d->words = keep_words(w);
	d->signature = words_signature(w);
}

void node_words(u32 at, struct buffer_words *w)
{
	const struct word_item *i = (const struct word_item *)(const void *)(nodes.arena + at);
	u32 n = i++->at;

	for (u32 t = 0; t < WORD_THREADS; t++)
		w->of[t].n = 0;
	while (n--) {
		struct buffer_word *to = &w->of[i->letter];

		to->n = i++->at;
		bytes_copy(to->item, i, to->n * sizeof *i);
		i += to->n;
	}
}

static bool words_include(const struct buffer_words *b, const struct buffer_words *a)
{
	for (u32 t = 0; t < WORD_THREADS; t++)
		if (!word_includes(&b->of[t], &a->of[t]))
			return false;
	return true;
}

/* --- the table -------------------------------------------------------------------------------- */

static bool is_of_sum(u32 node, const struct state_sum *s)
{
	return nodes.node[node].a == s->a && nodes.node[node].b == s->b;
}

static u32 *node_slot(const struct state_sum *s)
{
	u32 i;

	TABLE_FIND(i, s->a, SLOTS, !N.slot[i] || is_of_sum(N.slot[i] - 1, s));
	return &N.slot[i];
}

u32 node_known(const struct state_sum *s, const struct buffer_words *w, u32 after)
{
	static struct buffer_words other;
	struct word_signature of = words_signature(w);
	u32 d = *node_slot(s) - 1;

	for (; d != NODE_NONE && (after == NODE_NONE || d > after); d = nodes.node[d].next) {
		if (!signature_may_include(nodes.node[d].signature, of))
			continue;
		node_words(nodes.node[d].words, &other);
		if (words_include(&other, w))
			return d;
	}
	return NODE_NONE;
}

u32 node_add(const struct set_node *from)
{
	if (nodes.n == NODES_MAX) {
		nodes_give_up("there are too many states");
		return NODE_NONE;
	}
	nodes.node[nodes.n] = *from;
	states.nnodes = nodes.n + 1;
	return nodes.n++;
}

u32 node_add_state(struct set_node *from)
{
	u32 *slot = node_slot(&(struct state_sum){.a = from->a, .b = from->b}), node;

	from->next = *slot - 1;
	node = node_add(from);
	if (node != NODE_NONE) {
		*slot = node + 1;
		states.nstates++;
	}
	return node;
}

void node_lead_to(u32 from, u32 to)
{
	if (from == NODE_NONE || to == NODE_NONE)
		return;
	if (states.nedges == EDGES_MAX) {
		nodes_give_up("there are too many steps");
		return;
	}
	states.edge[states.nedges++] = (struct state_edge){.from = from, .to = to};
}

/* --- paths ------------------------------------------------------------------------------------ */

bool node_path(u32 node, struct word_path *to)
{
	u32 d = node, i = nodes.node[node].length;

	if (i > to->room)
		return false;
	to->n = i;
	for (; nodes.node[d].parent != NODE_NONE && !nodes.node[d].path; d = nodes.node[d].parent)
		to->step[--i] = nodes.node[d].step;
	bytes_copy(to->step, nodes.arena + nodes.node[d].path, i * sizeof *to->step);
	return true;
}
