/* SPDX-License-Identifier: ISC */
/* addition.c - see addition.h. */
#include "model/addition.h"
#include "model/value.h"

#include <heddle/abi.h>

bool label_adds(const struct label *l)
{
	return l->type == LABEL_RMW && (l->op == HEDDLE_ADD || l->op == HEDDLE_SUB) &&
	       l->size <= 8 && !label_has_pieces(l);
}

i64 label_addend(const struct label *l)
{
	i64 n = value_signed(l->value, l->size);

	return l->op == HEDDLE_SUB ? (i64)(0 - (u64)n) : n;
}

/* Are all of v - less .. v + more on the same side of `with'? Not if the range leaves the type. */
static bool is_one_side(i64 v, i64 less, i64 more, i64 with, u32 size)
{
	i64 from, to;

	if (__builtin_sub_overflow(v, less, &from) || __builtin_add_overflow(v, more, &to) ||
		value_signed((u64)from, size) != from || value_signed((u64)to, size) != to)
		return false;
	return (from < with) == (to < with);
}

bool label_minds(const struct label *l, u64 v, i64 less, i64 more)
{
	u32 shift = 64 - 8 * l->size;
	u64 high = 1ull << (8 * l->size - 1), range;

	switch (l->fail) {
	case HEDDLE_RESULT_UNUSED: return false;
	case HEDDLE_RESULT_EQUAL:
		range = (u64)less + (u64)more;
		return range &&
		       (range << shift >> shift != range ||
			       (l->expected - v + (u64)less) << shift >> shift <= range);
	case HEDDLE_RESULT_LESS:
		return !is_one_side(value_signed(v, l->size), less, more,
			value_signed(l->expected, l->size), l->size);
	case HEDDLE_RESULT_BELOW: /* signed, with the highest bit inverted */
		return !is_one_side(value_signed(v ^ high, l->size), less, more,
			value_signed(l->expected ^ high, l->size), l->size);
	}
	return true;
}
