/* SPDX-License-Identifier: ISC */
/* samples.c - see samples.h. */
#include "samples.h"

#define WALKS 30

/* Is each of `a' among `b'? */
static bool are_among(const struct executions *a, const struct executions *b)
{
	for (unsigned i = 0; i < a->n; i++)
		if (!executions_have(b, &a->x[i]))
			return false;
	return true;
}

static const char *compare(
	const struct exploration *found, const struct enumeration *expected, enum gp_model m)
{
	if (found->wrong)
		return found->wrong;
	if (found->race && !expected->race[m])
		return "a sample has a race that there is not";
	if (found->failure && !expected->failure[m])
		return "a sample has a failure that there is not";
	if (expected->race[m] || expected->failure[m])
		return NULL; /* which end executions: the others are not enumerated */
	if (!are_among(&found->complete, &expected->complete[m]))
		return "a sample is not consistent";
	return are_among(&found->stuck, &expected->stuck[m])
		       ? NULL
		       : "a sample is stuck that there is not";
}

const char *samples_wrong(const struct gprogram *p, enum gp_model m,
	const struct enumeration *expected, unsigned turn)
{
	static struct exploration found;
	struct manner how = {.walks = WALKS};
	const char *what;

	interpret(p, m, how, WALKS, &found);
	what = compare(&found, expected, m);
	if (what)
		return what;
	how.depth = 1 + turn % 5;
	how.history = 1 + turn % 3;
	interpret(p, m, how, WALKS, &found);
	return compare(&found, expected, m);
}
