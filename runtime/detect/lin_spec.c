/* SPDX-License-Identifier: ISC */
/*
 * lin_spec.c - the predefined specifications of heddle/lin.h.
 *
 * Containers are a count and the elements, in a canonical order; unused bytes are zero. So equal
 * contents are equal bytes.
 */
#include "detect/lin.h"

#define ROOM HEDDLE_SPEC_OPS /* more than a history can insert */

struct sequence {
	i64 n, limit;
	i64 item[ROOM];
};

static void take_out(struct sequence *s, i64 at)
{
	for (s->n--; at < s->n; at++)
		s->item[at] = s->item[at + 1];
	s->item[s->n] = 0;
}

static i64 take_sequence_item(struct sequence *s, i64 at)
{
	i64 v = s->n ? s->item[at] : HEDDLE_EMPTY;

	if (s->n)
		take_out(s, at);
	return v;
}

static bool push_last(struct sequence *s, i64 v)
{
	if (s->n == ROOM)
		return false;
	s->item[s->n++] = v;
	return true;
}

static bool sequence_equal(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;

	return x->n == y->n && x->limit == y->limit &&
	       !__builtin_memcmp(x->item, y->item, (size_t)x->n * sizeof x->item[0]);
}

static u64 sequence_hash(const void *state)
{
	const struct sequence *s = state;
	u64 h = (u64)s->n;

	for (i64 i = 0; i < s->n; i++)
		h = (h ^ (u64)s->item[i]) * 0x9e3779b97f4a7c15u + (h >> 29);
	return h;
}

static void put_spec_value(struct text *t, i64 v)
{
	if (v < 0)
		text_char(t, '-');
	text_number(t, v < 0 ? -(u64)v : (u64)v);
}

static void sequence_print(const void *state, char *to, size_t size)
{
	const struct sequence *s = state;
	struct text t = text_begin(to, size);

	text_char(&t, '[');
	for (i64 i = 0; i < s->n; i++) {
		text_put(&t, i ? ", " : "");
		put_spec_value(&t, s->item[i]);
	}
	text_char(&t, ']');
}

static void value_print(const void *state, char *to, size_t size)
{
	struct text t = text_begin(to, size);

	put_spec_value(&t, *(const i64 *)state);
}

#define SEQUENCE                                                                                   \
	.size = sizeof(struct sequence), .equal = sequence_equal, .hash = sequence_hash,           \
	.print = sequence_print

/* --- queues, stack, deque -------------------------------------------------------------------- */

static bool queue_apply(void *state, struct heddle_op *op)
{
	struct sequence *s = state;

	if (op->operation == 0)
		return push_last(s, op->arg[0]);
	return heddle_returns(op, take_sequence_item(s, 0));
}

static const struct heddle_operation queue_ops[] = {
	{"enq", 1, HEDDLE_NOTHING}, {"deq", 0, HEDDLE_VALUE}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_queue = {
	.name = "queue", .operation = queue_ops, .apply = queue_apply, SEQUENCE};

static void bounded_init(void *state, i64 parameter)
{
	((struct sequence *)state)->limit = parameter;
}

static bool bounded_apply(void *state, struct heddle_op *op)
{
	struct sequence *s = state;

	if (op->operation == 0)
		return heddle_returns(op, s->n < s->limit && push_last(s, op->arg[0]));
	return heddle_returns(op, take_sequence_item(s, 0));
}

static const struct heddle_operation bounded_ops[] = {
	{"enq", 1, HEDDLE_TRUTH}, {"deq", 0, HEDDLE_VALUE}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_bounded_queue = {.name = "bounded queue",
	.operation = bounded_ops, .init = bounded_init, .apply = bounded_apply, SEQUENCE};

static bool stack_apply(void *state, struct heddle_op *op)
{
	struct sequence *s = state;

	if (op->operation == 0)
		return push_last(s, op->arg[0]);
	return heddle_returns(op, take_sequence_item(s, s->n - 1));
}

static const struct heddle_operation stack_ops[] = {
	{"push", 1, HEDDLE_NOTHING}, {"pop", 0, HEDDLE_VALUE}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_stack = {
	.name = "stack", .operation = stack_ops, .apply = stack_apply, SEQUENCE};

static bool deque_apply(void *state, struct heddle_op *op)
{
	struct sequence *s = state;

	switch (op->operation) {
	case 0: return push_last(s, op->arg[0]);
	case 1: return heddle_returns(op, take_sequence_item(s, s->n - 1));
	}
	if (op->returned && op->ret == HEDDLE_ABORT)
		return true;
	return heddle_returns(op, take_sequence_item(s, 0));
}

static const struct heddle_operation deque_ops[] = {{"push", 1, HEDDLE_NOTHING},
	{"pop", 0, HEDDLE_VALUE}, {"steal", 0, HEDDLE_VALUE}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_deque = {
	.name = "deque", .operation = deque_ops, .apply = deque_apply, SEQUENCE};

/* --- set and map: the items ascend ----------------------------------------------------------- */

static i64 sequence_place(const struct sequence *s, i64 v)
{
	i64 i = 0;

	while (i < s->n && s->item[i] < v)
		i++;
	return i;
}

static bool set_apply(void *state, struct heddle_op *op)
{
	struct sequence *s = state;
	i64 v = op->arg[0], at = sequence_place(s, v);
	bool there = at < s->n && s->item[at] == v;

	if (op->operation == 0 && !there) {
		if (s->n == ROOM)
			return false;
		for (i64 i = s->n++; i > at; i--)
			s->item[i] = s->item[i - 1];
		s->item[at] = v;
	} else if (op->operation == 1 && there) {
		take_out(s, at);
	}
	return heddle_returns(op, op->operation == 0 ? !there : there);
}

static const struct heddle_operation set_ops[] = {{"add", 1, HEDDLE_TRUTH},
	{"remove", 1, HEDDLE_TRUTH}, {"contains", 1, HEDDLE_TRUTH}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_set = {
	.name = "set", .operation = set_ops, .apply = set_apply, SEQUENCE};

struct map {
	struct sequence key;
	i64 value[ROOM];
};

static bool map_equal(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	return sequence_equal(&x->key, &y->key) &&
	       !__builtin_memcmp(x->value, y->value, (size_t)x->key.n * sizeof x->value[0]);
}

static u64 map_hash(const void *state)
{
	const struct map *m = state;
	u64 h = sequence_hash(&m->key);

	for (i64 i = 0; i < m->key.n; i++)
		h = (h ^ (u64)m->value[i]) * 0x9e3779b97f4a7c15u + (h >> 29);
	return h;
}

static void map_print(const void *state, char *to, size_t size)
{
	const struct map *m = state;
	struct text t = text_begin(to, size);

	text_char(&t, '{');
	for (i64 i = 0; i < m->key.n; i++) {
		text_put(&t, i ? ", " : "");
		put_spec_value(&t, m->key.item[i]);
		text_put(&t, ": ");
		put_spec_value(&t, m->value[i]);
	}
	text_char(&t, '}');
}

static bool map_put(struct map *m, i64 at, i64 k, i64 v)
{
	if (at < m->key.n && m->key.item[at] == k) {
		m->value[at] = v;
		return true;
	}
	if (m->key.n == ROOM)
		return false;
	for (i64 i = m->key.n++; i > at; i--) {
		m->key.item[i] = m->key.item[i - 1];
		m->value[i] = m->value[i - 1];
	}
	m->key.item[at] = k;
	m->value[at] = v;
	return true;
}

static void map_remove(struct map *m, i64 at)
{
	take_out(&m->key, at);
	for (i64 i = at; i < m->key.n; i++)
		m->value[i] = m->value[i + 1];
	m->value[m->key.n] = 0;
}

static bool map_apply(void *state, struct heddle_op *op)
{
	struct map *m = state;
	i64 at = sequence_place(&m->key, op->arg[0]);
	bool there = at < m->key.n && m->key.item[at] == op->arg[0];
	i64 had = there ? m->value[at] : HEDDLE_EMPTY;

	if (op->operation == 0 && !map_put(m, at, op->arg[0], op->arg[1]))
		return false;
	if (op->operation == 2 && there)
		map_remove(m, at);
	return heddle_returns(op, had);
}

static const struct heddle_operation map_ops[] = {{"put", 2, HEDDLE_VALUE},
	{"get", 1, HEDDLE_VALUE}, {"remove", 1, HEDDLE_VALUE}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_map = {.name = "map", .size = sizeof(struct map),
	.operation = map_ops, .apply = map_apply, .equal = map_equal, .hash = map_hash,
	.print = map_print};

/* --- register, counter, lock ----------------------------------------------------------------- */

static void value_init(void *state, i64 parameter)
{
	*(i64 *)state = parameter;
}

static bool register_apply(void *state, struct heddle_op *op)
{
	i64 *v = state, old = *v;

	switch (op->operation) {
	case 0:
		*v = op->arg[0];
		return true;
	case 1:
		return heddle_returns(op, old);
	case 2:
		*v = op->arg[0];
		return heddle_returns(op, old);
	}
	if (old == op->arg[0])
		*v = op->arg[1];
	return heddle_returns(op, old == op->arg[0]);
}

static const struct heddle_operation register_ops[] = {{"write", 1, HEDDLE_NOTHING},
	{"read", 0, HEDDLE_VALUE}, {"swap", 1, HEDDLE_VALUE}, {"cas", 2, HEDDLE_TRUTH},
	{NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_register = {.name = "register",
	.size = sizeof(i64),
	.operation = register_ops,
	.init = value_init,
	.apply = register_apply,
	.print = value_print};

static bool counter_apply(void *state, struct heddle_op *op)
{
	i64 *v = state, old = *v;

	if (op->operation == 2)
		return heddle_returns(op, old);
	*v = (i64)((u64)old + (op->operation ? (u64)op->arg[0] : 1));
	return !op->operation || heddle_returns(op, old);
}

static const struct heddle_operation counter_ops[] = {{"inc", 0, HEDDLE_NOTHING},
	{"add", 1, HEDDLE_VALUE}, {"get", 0, HEDDLE_VALUE}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_counter = {.name = "counter", .size = sizeof(i64),
	.operation = counter_ops, .init = value_init, .apply = counter_apply, .print = value_print};

/* The state is the holder's number + 1; 0 = free. */
static bool lock_apply(void *state, struct heddle_op *op)
{
	i64 *holder = state, me = op->thread + 1;
	bool is_free = !*holder;

	if (op->operation == 2) {
		bool mine = *holder == me;

		*holder = 0;
		return mine;
	}
	if (is_free)
		*holder = me;
	return op->operation ? heddle_returns(op, is_free) : is_free;
}

static void lock_print(const void *state, char *to, size_t size)
{
	struct text t = text_begin(to, size);

	text_put(&t, *(const i64 *)state ? "held" : "free");
}

static const struct heddle_operation lock_ops[] = {{"lock", 0, HEDDLE_NOTHING},
	{"try_lock", 0, HEDDLE_TRUTH}, {"unlock", 0, HEDDLE_NOTHING}, {NULL, 0, 0}};
EXPORT const struct heddle_spec heddle_spec_lock = {.name = "lock", .size = sizeof(i64),
	.operation = lock_ops, .apply = lock_apply, .print = lock_print};
