/* SPDX-License-Identifier: ISC */
/* label_check.c - see label_check.h. */
#include "trust/image/label_check.h"
#include "heddle/abi.h"
#include "model/hardware/hardware.h"
#include "object/object.h"

/* A node's record: whose history it is, and the threads created in it. */
struct node_record {
	u64 created;
	u32 thread;
};

static u8 creator[GRAPH_THREADS]; /* its creator in all histories, + 1 */

static struct node_record *histories; /* by node; taken while labels are checked */

static void note_label(const struct trust *x, u32 node)
{
	const struct label *l = &x->cache.node[node].label;

	if (l->type != LABEL_CREATE || l->other >= GRAPH_THREADS)
		return;
	histories[node].created |= 1ull << l->other;
	creator[l->other] = (u8)(histories[node].thread + 1);
}

void label_check_node(struct trust *x, u32 node)
{
	u32 parent = x->cache.node[node].parent;

	histories[node] =
		parent ? histories[parent] : (struct node_record){0, node - cache_root(0)};
	note_label(x, node);
}

void label_check_begin(struct trust *x)
{
	histories = area_take(&x->area, x->cache.max * sizeof *histories);
	__builtin_memset(creator, 0, sizeof creator);
	for (u32 i = 1; i < x->cache.n; i++)
		label_check_node(x, i);
}

void label_check_end(struct trust *x)
{
	area_give(&x->area, histories, x->cache.max * sizeof *histories);
}

/* --- kinds of labels -------------------------------------------------------------------------- */

static bool is_power(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static bool has_value(const struct trust *x, const struct label *l, u64 value)
{
	return l->size != 16 || !value || value < x->places->nwide;
}

/* An access to memory, or (LABEL_HEAP) to a whole block. */
static bool access_fits(const struct trust *x, const struct label *l)
{
	bool plain = l->type == LABEL_PLAIN_READ || l->type == LABEL_PLAIN_WRITE,
	     heap = l->flags & LABEL_HEAP;
	u32 size = x->places->place[l->loc].size;

	if (!l->loc || (heap ? !plain || size : !size || l->size != size))
		return false;
	if (!heap && l->other && x->places->place[l->other].size)
		return false;
	if (x->places->place[l->loc].cuts ? !label_has_pieces(l) : label_has_pieces(l))
		return false;
	if (!plain && (!is_power(size) || l->fail > __ATOMIC_SEQ_CST))
		return false;
	if (l->type == LABEL_RMW &&
		(l->op > HEDDLE_FSUB || (l->op >= HEDDLE_FADD && size != 4 && size != 8)))
		return false;
	return has_value(x, l, l->value) && has_value(x, l, l->expected);
}

static bool object_fits(const struct trust *x, u32 thread, const struct label *l)
{
	if (!l->loc || x->places->place[l->loc].size || l->size)
		return false;
	if (l->other && x->places->place[l->other].size)
		return false;
	if (l->type != LABEL_SYNC)
		return l->value > 0;
	return l->op > OBJECT_NONE && l->op < OBJECT_OPS;
}

/* A thread is created by one thread, once. */
static bool create_fits(const struct node_record *k, const struct label *l)
{
	return l->other && l->other < GRAPH_THREADS && l->other != k->thread &&
	       !(k->created >> l->other & 1) &&
	       (!creator[l->other] || creator[l->other] == k->thread + 1);
}

static bool kind_fits(const struct trust *x, u32 node, const struct label *l)
{
	const struct node_record *k = &histories[node];

	if (label_is_access(l))
		return access_fits(x, l);
	switch (l->type) {
	case LABEL_SYNC:
	case LABEL_ARRIVE:
	case LABEL_LEAVE: return object_fits(x, k->thread, l);
	case LABEL_CREATE: return !l->loc && create_fits(k, l);
	case LABEL_START: return !l->loc && k->thread;
	case LABEL_JOIN:
		return !l->loc && l->other && l->other < GRAPH_THREADS && l->other != k->thread;
	case LABEL_CHOOSE:
		return !l->loc && l->value && !l->other &&
		       (l->op == LABEL_OBSERVED || l->op == LABEL_CAME ||
			       (l->op == LABEL_CALLED && l->value == 1));
	case LABEL_FENCE:
		return !l->loc || (l->op >= FENCE_SRCU_LOCK && l->op < FENCE_KINDS &&
					  !x->places->place[l->loc].size && !l->size);
	case LABEL_TIME:
	case LABEL_CLOCK:
	case LABEL_END:
	case LABEL_BLOCK:
	case LABEL_SPIN: return !l->loc;
	}
	return false; /* a finding is the sender's: frontier.c runs the program again */
}

bool label_check_label(struct trust *x, u32 node, const struct label *l)
{
	bool root = node == cache_root(histories[node].thread), known;

	if (x->cache.node[node].label.type != LABEL_UNKNOWN)
		return true; /* must be the same: frontier.c */
	known = l->order <= __ATOMIC_SEQ_CST && !(l->flags & ~LABEL_FLAGS) && l->size <= 16 &&
		kind_fits(x, node, l) &&
		(l->type == LABEL_START) == (root && histories[node].thread);
	if (!known)
		return false;
	x->cache.node[node].label = *l;
	note_label(x, node);
	x->inits |= label_is_init(l);
	return true;
}
