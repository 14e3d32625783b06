/* SPDX-License-Identifier: ISC */
/*
 * graph_flags.c - the flags of an event: how a model sees its label.
 *
 * They are set when the event is made, and determine its edges under every model; memory orders are
 * used nowhere else.
 */
#include "model/graph.h"
#include "object/object.h"

/* All threads agree on one order of the operations on kernel objects. */
static u16 sync_flags(const struct label *l)
{
	return E_SYNC | (object_op_has(l->op, OP_KERNEL) ? E_SC : 0);
}

/* Of the read half of an RMW: the instruction's orders, whether or not it succeeds. */
static u16 instruction_flags(const struct label *l)
{
	int fail = l->type == LABEL_CAS ? l->fail : l->order;

	return (order_acquires(l->order) || order_acquires(fail) ? E_ACQUIRE : 0) |
	       (order_releases(l->order) ? E_RELEASE : 0) |
	       (l->order == __ATOMIC_SEQ_CST || fail == __ATOMIC_SEQ_CST ? E_SC : 0);
}

u16 graph_read_flags(const struct model *m, const struct label *l, bool excl)
{
	u16 f = E_READ | (excl ? E_EXCL : 0);
	int order = l->type == LABEL_CAS && !excl ? l->fail : l->order;
	bool rmw = l->type == LABEL_RMW || l->type == LABEL_CAS;

	if (l->type == LABEL_PLAIN_READ)
		return f | E_PLAIN | (l->flags & LABEL_HEAP ? E_HEAP : 0);
	if (l->type == LABEL_SYNC)
		return f | sync_flags(l) | E_FULL;
	if (unlikely(rmw && l->flags & LABEL_NO_RESULT) && (m->is_file || m->has_no_result))
		f |= E_NO_RESULT;
	if (unlikely(m->is_file))
		return f;
	if (l->type != LABEL_READ)
		f |= E_FULL; /* an RMW, or a CAS that fails */
	if (m->has_store_fences || order_acquires(order))
		f |= E_ACQUIRE;
	if (order == __ATOMIC_SEQ_CST)
		f |= E_SC;
	return rmw && model_is_hardware(m->id) ? f | instruction_flags(l) : f;
}

u16 graph_write_flags(const struct model *m, const struct label *l, bool excl)
{
	u16 f = E_WRITE | (excl ? E_EXCL | E_FULL : 0);

	if (l->type == LABEL_PLAIN_WRITE)
		return f | E_PLAIN | (l->flags & LABEL_HEAP ? E_HEAP : 0);
	if (l->type == LABEL_SYNC)
		return f | sync_flags(l);
	if (unlikely(m->is_file))
		return f;
	if (order_releases(l->order) || (m->has_store_fences && excl))
		f |= E_RELEASE | E_STORES;
	if (l->order == __ATOMIC_SEQ_CST)
		f |= E_SC | E_FULL_AFTER;
	return f;
}

u16 graph_other_flags(const struct model *m, const struct label *l)
{
	u16 f = 0;

	switch (l->type) {
	case LABEL_FENCE:
		f = E_FENCE;
		if (unlikely(m->is_file))
			return f;
		if (order_acquires(l->order))
			f |= E_ACQUIRE;
		if (order_releases(l->order))
			f |= E_RELEASE | E_STORES;
		if (l->order == __ATOMIC_SEQ_CST)
			f |= E_SC | E_FULL;
		return f;
	case LABEL_CREATE:
	case LABEL_START:
	case LABEL_JOIN:
	case LABEL_END:
	case LABEL_ARRIVE:
	case LABEL_LEAVE:
	case LABEL_TIME:
		return E_FULL | (m->has_store_fences ? E_RELEASE : 0);
	}
	return 0;
}
