/* SPDX-License-Identifier: ISC */
/* history_write.c - a history that is not linearizable, in a replay file: its operations, and the
 * reason why each cannot be the next. */
#include "history/history.h"
#include "history/history_priv.h"

#define WORDS 200

static void put_reason(struct text *t, u32 i)
{
	const struct history_failed *x = &history_failed;
	const struct lin_history *h = &x->h;
	struct lin_reason r = lin_reason(h, &x->order, i);

	if (r.after >= 0) {
		text_put(t, "comes after ");
		lin_put_op(t, h->spec, &h->op[r.after].op);
		text_put(t, " of ");
		text_thread(t, x->op[r.after].thread);
		return;
	}
	if (!r.knows) {
		text_put(t, "is not allowed then");
		return;
	}
	text_put(t, "would have to return ");
	lin_put_result(t, h->spec, h->op[i].op.operation, r.ret);
}

/* The position of operation i in the order, 1 first; 0: none. */
static u32 operation_place(u32 i)
{
	for (u32 k = 0; k < history_failed.order.n; k++)
		if (history_failed.order.op[k] == i)
			return k + 1;
	return 0;
}

static void put_op(struct trace_writer *w, u32 i)
{
	const struct history_failed *x = &history_failed;
	char call[WORDS], result[WORDS], why[WORDS];
	struct text words = text_begin(call, sizeof call), reason = text_begin(why, sizeof why);
	struct text returns = text_begin(result, sizeof result);
	const struct heddle_op *op = &x->h.op[i].op;
	struct trace_operation r = {
		.id = i + 1,
		.thread = x->op[i].thread,
		.begin = x->op[i].begin,
		.end = x->op[i].end,
		.placed = operation_place(i),
		.call = call,
		.result = result,
		.why = why,
	};

	lin_put_call(&words, x->h.spec, op);
	if (op->returned && x->h.spec->operation[op->operation].result != HEDDLE_NOTHING)
		lin_put_result(&returns, x->h.spec, op->operation, op->ret);
	if (!r.placed)
		put_reason(&reason, i);
	trace_put_operation(w, &r);
}

void history_put(struct trace_writer *w)
{
	const struct history_failed *x = &history_failed;
	char state[4 * WORDS];
	struct trace_history r = {
		.object = x->h.spec->name,
		.before = x->graph ? BEFORE_HAPPENS : BEFORE_STEPS,
		.state = state,
	};

	lin_state(&x->h, &x->order, state, sizeof state);
	trace_put_history(w, &r);
	for (u32 i = 0; i < x->h.n; i++)
		put_op(w, i);
}
