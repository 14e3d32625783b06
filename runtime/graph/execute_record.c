/* SPDX-License-Identifier: ISC */
/* execute_record.c - a followed graph for the recorder, and for messages about divergence. */
#include "graph/execute_priv.h"
#include "process/bytes.h"
#include "process/module.h"
#include "heap/heap.h"
#include "machine/wait/foreign.h"
#include "machine/learnt.h"
#include "machine/record/record.h"
#include "model/hardware/hardware.h"
#include "object/object.h"

#include <stdio.h>

const char *execute_label_words(const struct label *l)
{
	static const char *const words[] = {
		"nothing", "an atomic load", "an atomic store", "an RMW",
		"a compare and exchange", "a fence", "a load", "a store",
		"an operation on a synchronisation object", "the arrival at a barrier",
		"the departure from a barrier", "the creation of a thread", "its start",
		"the join of a thread", "its end", "a choice", "heddle_assume(false)",
		"a loop that does not end", "a failure", "a sleep", "a look at a clock"};

	return l->type < array_size(words) ? words[l->type] : "?";
}

/* Of operations on objects `site' is no address (machine/observer/call_stack.h). */
static bool has_code(const struct label *l)
{
	return l->type != LABEL_SYNC && l->type != LABEL_JOIN && l->type != LABEL_ARRIVE &&
	       l->type != LABEL_LEAVE;
}

/* With its code address, which the tool turns into a line. */
static void name_label(char *to, size_t room, const struct label *l)
{
	const struct place *p = &X.places->place[l->loc];
	u64 code = has_code(l) ? module_code_at(l->site) : 0;
	const struct module *m = module_find(code);
	int n = snprintf(to, room, "%s", execute_label_words(l));

	if (l->loc && p->size)
		n += snprintf(to + n, room - (size_t)n, " of %u bytes (value 0x%llx)", p->size,
			(unsigned long long)l->value);
	else if (l->type == LABEL_SYNC)
		n += snprintf(to + n, room - (size_t)n, " (%s)", object_op_name(l->op));
	if (m && (size_t)n < room)
		snprintf(to + n, room - (size_t)n, " at %s+0x%llx", m->path,
			(unsigned long long)(code - m->base));
}

static void say_difference(const struct thread *t, const struct label *was, const struct label *is)
{
	char a[EXECUTE_WORDS / 2 - 50], b[EXECUTE_WORDS / 2 - 50];

	name_label(a, sizeof a, was);
	name_label(b, sizeof b, is);
	snprintf(X.words, sizeof X.words, "T%u's operation was %s, with the same values it is %s%s",
		t->number, a, b, bytes_same_text(a, b) ? ", of another object" : "");
}

void execute_diverge(const struct thread *t, const struct label *was, const struct label *is)
{
	if (region_end_all())
		execute_begin_again(); /* contents not read by instrumented code may differ */
	if (foreign_may_be_steps())
		learnt_add(LEARNT_FOREIGN, 1);
	say_difference(t, was, is);
	execute_leave(EXECUTE_DIVERGED);
}

bool execute_is_at(u32 t, const struct label *was)
{
	const struct label *is = &X.f[t].label;

	if (is->type == was->type && is->loc == was->loc && is->op == was->op &&
		(is->type != LABEL_FAIL ||
			finding_same_place(execute_finding(is), execute_finding(was))))
		return true;
	say_difference(&M.thread[t], was, is);
	return false;
}

/* Of an access of several locations: that of e's half. */
static u64 value_of(const struct label *l, const struct gevent *e)
{
	if (likely(!label_has_pieces(l)))
		return e->value;
	return graph_access_value(X.g, (u32)(e - X.g->event), l->loc);
}

/* The value that an RMW writes; its write is not in the graph if its read is the error. */
static u64 written_by(const struct label *l, const struct gevent *e, const struct gevent *write)
{
	if (write)
		return value_of(l, write);
	return l->type == LABEL_CAS
		       ? l->value
		       : value_compute(X.places, l->size, value_of(l, e), l->value, l->op);
}

/* The step of the write that e reads from; of several pieces, the last one. */
static u32 step_of_source(const struct gevent *e)
{
	u32 step = 0, first = (u32)(e - X.g->event), end = graph_after_half(X.g, first);

	for (u32 i = first; i != end; i = X.g->event[i].po_next) {
		const struct gevent *source = &X.g->event[X.g->event[i].rf];

		if (X.g->event[i].rf && X.record[source->thread][source->index] > step)
			step = X.record[source->thread][source->index];
	}
	return step;
}

/* All pieces of e's half were recorded then. */
static void note_recorded_step(const struct gevent *e, u32 step)
{
	u32 first = (u32)(e - X.g->event), end = graph_after_half(X.g, first);

	for (u32 i = first; i != end; i = X.g->event[i].po_next)
		X.record[e->thread][X.g->event[i].index] = step;
}

/* A block is allocated, freed, or used: in the last case, record the access that follows. */
static void record_heap(struct thread *t, const struct label *l, const struct gevent *e)
{
	u64 start = X.places->place[e->loc].addr + HEAP_ALIGNMENT;
	struct event r = {.thread = t->number, .addr = start};
	u32 step;

	if (e->flags & E_READ) {
		r.kind = X.use.value ? EV_WRITE : EV_READ;
		r.flags = EVENT_PLAIN | EVENT_USE;
		r.addr = X.use.addr;
		r.size = (u32)X.use.size;
		if (X.use.value)
			bytes_copy((u8 *)r.value, X.use.value, r.size < 16 ? r.size : 16);
		else
			memory_read(r.addr, r.size < 16 ? r.size : 16, r.value);
	} else if (execute_is_frame(e->loc)) {
		if (!(l->value & 1)) {
			X.record[t->slot][e->index] = record_steps();
			return;
		}
		r.kind = EV_FRAME_END;
		r.addr = 0;
	} else {
		r.kind = l->value ? EV_MALLOC : EV_FREE;
		r.old[0] = l->value ? l->value - 1 : 0;
	}
	step = record_event(&r);
	if (X.failure && e == &X.g->event[X.failure])
		failure_point();
	X.record[t->slot][e->index] = step;
}

void execute_record(struct thread *t, const struct label *l, const struct gevent *e,
	const struct gevent *write)
{
	static const u8 kinds[LABEL_TYPES] = {[LABEL_READ] = EV_READ + 1,
		[LABEL_PLAIN_READ] = EV_READ + 1, [LABEL_WRITE] = EV_WRITE + 1,
		[LABEL_PLAIN_WRITE] = EV_WRITE + 1, [LABEL_RMW] = EV_RMW + 1,
		[LABEL_CAS] = EV_CAS_FAIL + 1, [LABEL_FENCE] = EV_FENCE + 1};
	const struct place *p = &X.places->place[label_has_pieces(l) ? l->loc : e->loc];
	struct event r = {.thread = t->number, .order = l->order, .addr = p->addr, .size = p->size};
	bool excl = e->flags & E_READ && e->flags & E_EXCL;
	u32 step;

	if (e->flags & E_HEAP) {
		record_heap(t, l, e);
		return;
	}
	if (!kinds[e->type]) {
		X.record[t->slot][e->index] = record_steps();
		return;
	}
	r.kind = kinds[e->type] - 1;
	if (e->type == LABEL_CAS)
		r.order = l->fail;
	execute_unpack(p->size, value_of(l, e), r.value);
	if (excl && e->type == LABEL_CAS) {
		r.kind = EV_CAS;
		r.order = l->order;
	}
	if (excl) {
		r.old[0] = r.value[0];
		r.old[1] = r.value[1];
		execute_unpack(p->size, written_by(l, e, write), r.value);
	}
	if (e->flags & E_PLAIN || (X.g->model->is_file && label_is_promoted(l)))
		r.flags |= EVENT_PLAIN;
	if (e->flags & E_RARE && r.kind == EV_CAS_FAIL)
		r.flags |= EVENT_RARE;
	if (l->flags & LABEL_VOLATILE)
		r.flags |= EVENT_VOLATILE;
	if (l->type == LABEL_FENCE && l->flags & LABEL_VIRTUAL)
		r.flags |= EVENT_VIRTUAL;
	if (l->type == LABEL_FENCE && l->op >= FENCE_AROUND)
		r.old[0] = l->op;
	if (e->flags & E_READ)
		r.from = step_of_source(e);
	step = record_event(&r);
	if (X.failure && e == &X.g->event[X.failure])
		failure_point();
	note_recorded_step(e, step);
	if (write)
		note_recorded_step(write, step);
}
