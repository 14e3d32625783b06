/* SPDX-License-Identifier: ISC */
/*
 * t_lin.c - linearizability: the search against all permutations, on random histories of every
 * predefined specification; and the specifications against plain models.
 */
#include "detect/lin.h"
#include "base/prng.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define HISTORIES 3000 /* of each specification */
#define MOST	  6    /* operations */

static void *memory;
#define MEMORY ((size_t)64 << 20)

/* --- models, one operation at a time, on a list ---------------------------------------------- */

struct list {
	int n;
	i64 key[MOST], value[MOST];
	i64 number;
};

static i64 cut(struct list *l, int at)
{
	i64 v = l->value[at];

	for (int i = at; i + 1 < l->n; i++) {
		l->key[i] = l->key[i + 1];
		l->value[i] = l->value[i + 1];
	}
	l->n--;
	return v;
}

static int find(const struct list *l, i64 key)
{
	for (int i = 0; i < l->n; i++)
		if (l->key[i] == key)
			return i;
	return -1;
}

static void append(struct list *l, i64 key, i64 value)
{
	l->key[l->n] = key;
	l->value[l->n++] = value;
}

/* The result of the operation; *any: another one is fine, too. *never: it cannot be done now. */
static i64 model_sequence(struct list *l, const struct heddle_spec *s, const struct heddle_op *op,
	i64 limit)
{
	bool put = op->operation == 0, last = s == &heddle_spec_stack || op->operation == 1;

	if (put && s == &heddle_spec_bounded_queue && l->n == limit)
		return 0;
	if (put) {
		append(l, 0, op->arg[0]);
		return s == &heddle_spec_bounded_queue;
	}
	if (s == &heddle_spec_queue || s == &heddle_spec_bounded_queue)
		last = false;
	return l->n ? cut(l, last ? l->n - 1 : 0) : HEDDLE_EMPTY;
}

static i64 model_keys(struct list *l, const struct heddle_spec *s, const struct heddle_op *op)
{
	int at = find(l, op->arg[0]);
	bool is_map = s == &heddle_spec_map;
	i64 had = at < 0 ? HEDDLE_EMPTY : l->value[at];

	if (op->operation == 0 && at < 0)
		append(l, op->arg[0], op->arg[1]);
	else if (op->operation == 0 && is_map)
		l->value[at] = op->arg[1];
	else if (op->operation == (is_map ? 2 : 1) && at >= 0)
		cut(l, at);
	if (is_map)
		return had;
	return op->operation == 0 ? at < 0 : at >= 0;
}

static i64 model_number(struct list *l, const struct heddle_spec *s, const struct heddle_op *op)
{
	i64 old = l->number;

	if (s == &heddle_spec_counter) {
		l->number += op->operation == 0 ? 1 : op->operation == 1 ? op->arg[0] : 0;
		return op->operation ? old : 0;
	}
	if (op->operation == 1)
		return old;
	if (op->operation == 3) {
		if (old == op->arg[0])
			l->number = op->arg[1];
		return old == op->arg[0];
	}
	l->number = op->arg[0];
	return op->operation == 2 ? old : 0;
}

/* number: 0 = free. HEDDLE_ABORT: not possible now. */
static i64 model_lock(struct list *l, const struct heddle_op *op)
{
	bool is_free = !l->number;

	if (op->operation == 2) {
		bool mine = l->number == op->thread + 1;

		l->number = 0;
		return mine ? 0 : HEDDLE_ABORT;
	}
	if (is_free)
		l->number = op->thread + 1;
	return op->operation ? is_free : is_free ? 0 : HEDDLE_ABORT;
}

static i64 model(struct list *l, const struct heddle_spec *s, const struct heddle_op *op, i64 limit)
{
	if (s == &heddle_spec_lock)
		return model_lock(l, op);
	if (s == &heddle_spec_set || s == &heddle_spec_map)
		return model_keys(l, s, op);
	if (s == &heddle_spec_register || s == &heddle_spec_counter)
		return model_number(l, s, op);
	return model_sequence(l, s, op, limit);
}

/* --- all permutations ------------------------------------------------------------------------ */

static bool allowed(const struct lin_history *h, struct list *l, u32 i)
{
	const struct heddle_op *op = &h->op[i].op;
	i64 ret;

	if (h->spec == &heddle_spec_deque && op->operation == 2 && op->returned &&
		op->ret == HEDDLE_ABORT)
		return true;
	ret = model(l, h->spec, op, h->parameter);
	if (h->spec == &heddle_spec_lock && ret == HEDDLE_ABORT)
		return false;
	return !op->returned || h->spec->operation[op->operation].result == HEDDLE_NOTHING ||
	       ret == op->ret;
}

static bool some_order(const struct lin_history *h, u64 placed, struct list l)
{
	bool all = true;

	for (u32 i = 0; i < h->n; i++) {
		struct list next = l;

		if (placed >> i & 1)
			continue;
		all &= !h->op[i].op.returned;
		if (!(h->op[i].before & ~placed) && allowed(h, &next, i) &&
			some_order(h, placed | 1ull << i, next))
			return true;
	}
	return all;
}

static bool brute_force(const struct lin_history *h)
{
	return some_order(h, 0,
		(struct list){.number = h->spec == &heddle_spec_lock ? 0 : h->parameter});
}

/* --- random histories ------------------------------------------------------------------------ */

static u32 pick(struct prng *p, u32 n)
{
	return prng_below(p, n);
}

/* Three threads; precedence by a random order of the threads' clocks, or of time. */
static void random_order(struct prng *p, struct lin_history *h, bool time)
{
	u32 begin[MOST], end[MOST], last[3] = {0}, now = 1;

	for (u32 i = 0; i < h->n; i++) {
		u32 t = (u32)h->op[i].op.thread;

		begin[i] = now = time ? now + 1 : last[t] + 1;
		end[i] = begin[i] + 1 + pick(p, 4);
		begin[i] = begin[i] > last[t] ? begin[i] : last[t] + 1;
		end[i] = end[i] > begin[i] ? end[i] : begin[i];
		last[t] = end[i];
		for (u32 k = 0; k < i; k++) {
			bool mine = h->op[k].op.thread == h->op[i].op.thread;

			if (h->op[k].op.returned &&
				(mine || (time ? end[k] < begin[i] : pick(p, 3) == 0)))
				h->op[i].before |= 1ull << k | h->op[k].before;
		}
	}
}

static bool thread_hangs(const struct lin_history *h, u32 n, int thread)
{
	for (u32 i = 0; i < n; i++)
		if (h->op[i].op.thread == thread && !h->op[i].op.returned)
			return true;
	return false;
}

/* Results of a run in some order, most often; then some are changed. */
static void random_history(struct prng *p, const struct heddle_spec *s, struct lin_history *h)
{
	struct list l = {.number = 0};
	u32 kinds = 0;

	memset(h, 0, sizeof *h);
	h->spec = s;
	h->parameter = s == &heddle_spec_bounded_queue ? 1 + pick(p, 2) : pick(p, 2);
	l.number = s == &heddle_spec_lock ? 0 : h->parameter;
	while (s->operation[kinds].name)
		kinds++;
	h->n = 2 + pick(p, MOST - 1);
	for (u32 i = 0; i < h->n; i++) {
		struct heddle_op *op = &h->op[i].op;

		op->operation = (int)pick(p, kinds);
		op->thread = (int)pick(p, 3);
		if (thread_hangs(h, i, op->thread)) {
			h->n = i;
			break;
		}
		op->arg[0] = 1 + pick(p, 3);
		op->arg[1] = 1 + pick(p, 2);
		op->returned = pick(p, 8) != 0;
		op->ret = model(&l, s, op, h->parameter);
		if (s->operation[op->operation].result == HEDDLE_NOTHING)
			op->ret = 0;
		else if (pick(p, 6) == 0)
			op->ret = pick(p, 2)   ? (i64)pick(p, 3)
				  : pick(p, 2) ? HEDDLE_EMPTY
					       : HEDDLE_ABORT;
	}
	random_order(p, h, pick(p, 2));
	for (u32 i = 0; i < h->n; i++) { /* others take its place in time */
		u32 k = pick(p, h->n);
		struct heddle_op *a = &h->op[i].op, *b = &h->op[k].op;

		if (pick(p, 3) == 0 && a->thread == b->thread && a->operation == b->operation &&
			a->returned == b->returned) {
			i64 ret = a->ret;

			a->ret = b->ret;
			b->ret = ret;
		}
	}
}

/* Check the order: allowed, and extending `before`; of a bad history no operation can
 * follow. */
static void check_order(const struct lin_history *h, const struct lin_order *o, enum lin_verdict v)
{
	struct list l = {.number = h->spec == &heddle_spec_lock ? 0 : h->parameter};
	u64 placed = 0;

	for (u32 k = 0; k < o->n; k++) {
		CU_ASSERT(!(placed >> o->op[k] & 1) && !(h->op[o->op[k]].before & ~placed));
		CU_ASSERT(allowed(h, &l, o->op[k]));
		placed |= 1ull << o->op[k];
	}
	for (u32 i = 0; i < h->n; i++) {
		struct list next = l;
		struct lin_reason r;

		if (placed >> i & 1)
			continue;
		if (v == LIN_YES) {
			CU_ASSERT(!h->op[i].op.returned);
			continue;
		}
		r = lin_reason(h, o, i);
		CU_ASSERT((h->op[i].before & ~placed) ? r.after >= 0 : r.after < 0);
		CU_ASSERT(r.after >= 0 || !allowed(h, &next, i));
		if (r.knows && h->spec != &heddle_spec_lock)
			CU_ASSERT(model(&l, h->spec, &h->op[i].op, h->parameter) == r.ret);
		break;
	}
}

static void as_all_permutations(const struct heddle_spec *s)
{
	struct lin_history *h = malloc(sizeof *h);
	struct lin_order order;
	struct prng p;
	u32 yes = 0;

	prng_seed(&p, (u64)text_length(s->name) * 77 + s->size);
	for (u32 i = 0; i < HISTORIES; i++) {
		enum lin_verdict v;

		random_history(&p, s, h);
		v = lin_check(h, memory, MEMORY, &order);
		CU_ASSERT_NOT_EQUAL(v, LIN_UNKNOWN);
		CU_ASSERT_EQUAL(v == LIN_YES, brute_force(h));
		yes += v == LIN_YES;
		check_order(h, &order, v);
	}
	CU_ASSERT(yes > HISTORIES / 20); /* both verdicts have been seen */
	CU_ASSERT(yes < HISTORIES * 19 / 20);
	free(h);
}

static void every_specification(void)
{
	static const struct heddle_spec *const all[] = {&heddle_spec_queue,
		&heddle_spec_bounded_queue, &heddle_spec_stack, &heddle_spec_set, &heddle_spec_map,
		&heddle_spec_register, &heddle_spec_counter, &heddle_spec_deque, &heddle_spec_lock};

	memory = calloc(1, MEMORY);
	for (size_t i = 0; i < array_size(all); i++) {
		CU_ASSERT_PTR_NULL(lin_spec_error(all[i]));
		as_all_permutations(all[i]);
	}
	free(memory);
}

/* --- limits, words --------------------------------------------------------------------------- */

/* n increments that all overlap and a get with a too large result: without memory n! orders. */
static void many_that_overlap(void)
{
	struct lin_history h = {.spec = &heddle_spec_counter, .n = 21};
	size_t little = (size_t)1 << 20;

	memory = calloc(1, MEMORY);
	for (u32 i = 0; i < h.n; i++)
		h.op[i].op = (struct heddle_op){.operation = 0, .thread = (int)i, .returned = true};
	h.n = 13;
	h.op[12].op = (struct heddle_op){.operation = 2, .thread = 12, .returned = true, .ret = 13};
	CU_ASSERT_EQUAL(lin_check(&h, memory, MEMORY, NULL), LIN_NO);
	h.op[12].op.ret = 12;
	CU_ASSERT_EQUAL(lin_check(&h, memory, MEMORY, NULL), LIN_YES);
	h.op[12].op = h.op[0].op;
	h.n = 21;
	h.op[20].op = (struct heddle_op){.operation = 2, .thread = 20, .returned = true, .ret = 21};
	memset(memory, 0, little);
	CU_ASSERT_EQUAL(lin_check(&h, memory, little, NULL), LIN_UNKNOWN);
	free(memory);
}

static void words(void)
{
	struct heddle_op op = {.operation = 1, .returned = true, .ret = HEDDLE_EMPTY};
	char text[80];
	struct text t = text_begin(text, sizeof text);
	struct heddle_spec wrong = heddle_spec_queue;

	lin_put_op(&t, &heddle_spec_queue, &op);
	CU_ASSERT_STRING_EQUAL(text, "deq() -> empty");
	op = (struct heddle_op){.operation = 3, .returned = true, .arg = {-1, 2}, .ret = 1};
	t = text_begin(text, sizeof text);
	lin_put_op(&t, &heddle_spec_register, &op);
	CU_ASSERT_STRING_EQUAL(text, "cas(-1, 2) -> true");
	op = (struct heddle_op){.operation = 0, .arg = {7}};
	t = text_begin(text, sizeof text);
	lin_put_op(&t, &heddle_spec_queue, &op);
	CU_ASSERT_STRING_EQUAL(text, "enq(7) ...");
	wrong.size = HEDDLE_SPEC_STATE + 1;
	CU_ASSERT_PTR_NOT_NULL(lin_spec_error(&wrong));
	wrong.size = 8;
	wrong.equal = NULL;
	CU_ASSERT_PTR_NOT_NULL(lin_spec_error(&wrong));
}

const struct unit_test lin_tests[] = {
	{"every specification, as all permutations", every_specification},
	{"many operations that overlap, little room", many_that_overlap},
	{"words, wrong specifications", words},
	{NULL, NULL},
};
