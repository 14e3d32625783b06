/* SPDX-License-Identifier: ISC */
/* lin.c - see lin.h. */
#include "detect/lin.h"
#include "base/prng.h"

#define BUCKETS (1u << 16)

/* At the front of the caller's memory. */
struct lin_tried {
	u32 epoch; /* of this search; entries of earlier ones are ignored */
	u32 n, max;
	size_t stride; /* of an entry: u64 placed, u32 next, state */
	struct {
		u32 epoch, first; /* entry, 1 first */
	} bucket[BUCKETS];
};

struct lin_search {
	const struct lin_history *h;
	size_t size; /* of a state, in whole words */
	struct lin_tried *tried;
	u8 *entries, *states; /* states: [LIN_OPS + 1], after so many operations */
	u64 placed, must; /* sets: placed; ended, which have to be */
	u32 depth;
	u8 order[LIN_OPS],
		next[LIN_OPS + 1]; /* next[d]: the first operation not tried at depth d */
	struct lin_order *best;
};

struct entry {
	u64 placed;
	u32 next, pad;
	u8 state[];
};

static u8 *lin_state_at(const struct lin_search *s, u32 depth)
{
	return s->states + depth * s->size;
}

static void begin_state(const struct lin_history *h, u8 *state, size_t size)
{
	__builtin_memset(state, 0, size);
	if (h->spec->init)
		h->spec->init(state, h->parameter);
}

/* --- states tried ---------------------------------------------------------------------------- */

static u64 hash_lin_state(const struct lin_search *s, const u8 *state)
{
	u64 h = s->placed;

	if (s->h->spec->hash)
		return prng_mix(h ^ s->h->spec->hash(state));
	for (size_t i = 0; i < s->size; i += 8) {
		u64 word;

		__builtin_memcpy(&word, state + i, 8);
		h = prng_mix(h ^ word);
	}
	return prng_mix(h);
}

static bool same_state(const struct lin_search *s, const u8 *a, const u8 *b)
{
	return s->h->spec->equal ? s->h->spec->equal(a, b) : !__builtin_memcmp(a, b, s->size);
}

static struct entry *tried_entry(const struct lin_search *s, u32 i)
{
	return (struct entry *)(s->entries + (i - 1) * s->tried->stride);
}

enum novelty { NEW, OLD, NO_ROOM };

/* Note that these operations lead to this state. True: already known. */
static enum novelty try_state(struct lin_search *s, const u8 *state)
{
	struct lin_tried *t = s->tried;
	u32 b = (u32)hash_lin_state(s, state) % BUCKETS;
	struct entry *e;

	if (t->bucket[b].epoch != t->epoch) {
		t->bucket[b].epoch = t->epoch;
		t->bucket[b].first = 0;
	}
	for (u32 i = t->bucket[b].first; i; i = e->next) {
		e = tried_entry(s, i);
		if (e->placed == s->placed && same_state(s, e->state, state))
			return OLD;
	}
	if (t->n == t->max)
		return NO_ROOM;
	e = tried_entry(s, ++t->n);
	e->placed = s->placed;
	e->next = t->bucket[b].first;
	__builtin_memcpy(e->state, state, s->size);
	t->bucket[b].first = t->n;
	return NEW;
}

/* --- the search ------------------------------------------------------------------------------ */

static void begin_search(struct lin_search *s, void *memory, size_t size)
{
	u8 *at = memory;

	s->size = (s->h->spec->size + 7) & ~(size_t)7;
	s->tried = memory;
	s->tried->n = 0;
	s->tried->epoch++;
	s->tried->stride = sizeof(struct entry) + s->size;
	at += sizeof *s->tried;
	s->states = at;
	at += (LIN_OPS + 1) * s->size;
	s->entries = at;
	BUG_ON((size_t)(at - (u8 *)memory) > size);
	s->tried->max = (u32)((size - (size_t)(at - (u8 *)memory)) / s->tried->stride);
	for (u32 i = 0; i < s->h->n; i++)
		if (s->h->op[i].op.returned)
			s->must |= 1ull << i;
	begin_state(s->h, lin_state_at(s, 0), s->size);
	s->next[0] = 0;
}

/* Keep the order so far for the report. */
static void keep_order(struct lin_search *s)
{
	s->best->n = s->depth;
	__builtin_memcpy(s->best->op, s->order, s->depth);
}

/* Place operation i next, if it can be. */
static bool place_operation(struct lin_search *s, u32 i)
{
	const struct lin_op *o = &s->h->op[i];
	u8 *to = lin_state_at(s, s->depth + 1);
	struct heddle_op op = o->op;

	if (s->placed >> i & 1 || o->before & ~s->placed)
		return false;
	__builtin_memcpy(to, lin_state_at(s, s->depth), s->size);
	return s->h->spec->apply(to, &op);
}

enum lin_verdict lin_check(
	const struct lin_history *h, void *memory, size_t size, struct lin_order *order)
{
	struct lin_search s = {.h = h, .best = order};

	BUG_ON(h->n > LIN_OPS);
	begin_search(&s, memory, size);
	if (order)
		order->n = 0;
	while (s.must & ~s.placed) {
		u32 i = s.next[s.depth];

		if (i == h->n) { /* back */
			if (!s.depth)
				return LIN_NO;
			s.placed &= ~(1ull << s.order[--s.depth]);
			continue;
		}
		s.next[s.depth]++;
		if (!place_operation(&s, i))
			continue;
		s.placed |= 1ull << i;
		switch (try_state(&s, lin_state_at(&s, s.depth + 1))) {
		case OLD:
			s.placed &= ~(1ull << i);
			break;
		case NO_ROOM:
			return LIN_UNKNOWN;
		case NEW:
			s.order[s.depth++] = (u8)i;
			s.next[s.depth] = 0;
			if (order && s.depth > order->n)
				keep_order(&s);
			break;
		}
	}
	if (order)
		keep_order(&s);
	return LIN_YES;
}

/* --- reasons
 * ------------------------------------------------------------------------------------- */

/* Execute the operations in this order; state (whole words) holds the result. */
static u64 carry_out(const struct lin_history *h, const struct lin_order *order, u8 *state)
{
	u64 placed = 0;

	begin_state(h, state, (h->spec->size + 7) & ~(size_t)7);
	for (u32 k = 0; k < order->n; k++) {
		struct heddle_op op = h->op[order->op[k]].op;

		h->spec->apply(state, &op);
		placed |= 1ull << order->op[k];
	}
	return placed;
}

struct lin_reason lin_reason(const struct lin_history *h, const struct lin_order *order, u32 i)
{
	u64 state[HEDDLE_SPEC_STATE / 8];
	struct lin_reason r = {.after = -1};
	struct heddle_op op = h->op[i].op;
	u64 missing = h->op[i].before & ~carry_out(h, order, (u8 *)state);

	if (missing) {
		r.after = __builtin_ctzll(missing);
		return r;
	}
	h->spec->apply(state, &op);
	r.knows = op.ret != h->op[i].op.ret;
	r.ret = op.ret;
	return r;
}

void lin_state(
	const struct lin_history *h, const struct lin_order *order, char *words, size_t room)
{
	u64 state[HEDDLE_SPEC_STATE / 8];

	words[0] = 0;
	if (!h->spec->print)
		return;
	carry_out(h, order, (u8 *)state);
	h->spec->print(state, words, room);
	words[room - 1] = 0;
}

const char *lin_spec_error(const struct heddle_spec *spec)
{
	u32 n = 0;

	if (!spec->name || !spec->apply || !spec->operation)
		return "it lacks a name, apply, or operations";
	if (spec->size > HEDDLE_SPEC_STATE)
		return "its states are too large (HEDDLE_SPEC_STATE)";
	if (!spec->equal != !spec->hash)
		return "equal and hash go together";
	while (spec->operation[n].name && n <= HEDDLE_SPEC_KINDS)
		n++;
	return n > HEDDLE_SPEC_KINDS ? "it has too many operations (HEDDLE_SPEC_KINDS)" : NULL;
}

/* --- words ----------------------------------------------------------------------------------- */

static void put_text_signed(struct text *t, i64 v)
{
	if (v < 0)
		text_char(t, '-');
	text_number(t, v < 0 ? -(u64)v : (u64)v);
}

void lin_put_call(struct text *t, const struct heddle_spec *spec, const struct heddle_op *op)
{
	const struct heddle_operation *o = &spec->operation[op->operation];

	text_put(t, o->name);
	text_char(t, '(');
	for (int i = 0; i < o->arguments && i < 2; i++) {
		if (i)
			text_put(t, ", ");
		put_text_signed(t, op->arg[i]);
	}
	text_char(t, ')');
}

void lin_put_result(struct text *t, const struct heddle_spec *spec, int i, i64 ret)
{
	if (ret == HEDDLE_EMPTY)
		text_put(t, "empty");
	else if (ret == HEDDLE_ABORT)
		text_put(t, "abort");
	else if (spec->operation[i].result == HEDDLE_TRUTH && (ret == 0 || ret == 1))
		text_put(t, ret ? "true" : "false");
	else
		put_text_signed(t, ret);
}

void lin_put_op(struct text *t, const struct heddle_spec *spec, const struct heddle_op *op)
{
	lin_put_call(t, spec, op);
	if (!op->returned) {
		text_put(t, " ...");
		return;
	}
	if (spec->operation[op->operation].result == HEDDLE_NOTHING)
		return;
	text_put(t, " -> ");
	lin_put_result(t, spec, op->operation, op->ret);
}
