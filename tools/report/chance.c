/* SPDX-License-Identifier: ISC */
/* chance.c - the chance that samples by pct would have found a bug. */
#include "report/summary.h"

#include "die.h"

#define LIKELY .5 /* the last line names the largest depth with such a chance */

/* (1 - b)^n */
static double all_miss(double b, u64 n)
{
	double miss = 1, factor = 1 - b;

	for (; n; n /= 2, factor *= factor)
		if (n % 2)
			miss *= factor;
	return miss;
}

/* An execution by pct with this depth or a larger one, D, finds it with a chance of at least 1/(n
 * k^(D-1)). */
double chance_of_depth(const struct summary *s, unsigned depth)
{
	const struct status_pct *p = s->pct;
	double miss = 1, share;

	if (!p || !p->agents || !p->steps || !s->executions || s->cut)
		return 0;
	share = 1.0 / p->agents;
	for (unsigned d = 1; d <= STATUS_DEPTHS; d++, share /= (double)p->steps)
		if (d >= depth)
			miss *= all_miss(share, p->executions[d - 1]);
	return 1 - miss;
}

const char *chance_words(const struct summary *s)
{
	unsigned depth = STATUS_DEPTHS, percent;

	while (depth && chance_of_depth(s, depth) < LIKELY)
		depth--;
	if (!depth)
		return NULL;
	percent = (unsigned)(100 * chance_of_depth(s, depth));
	return xprintf("a bug of depth %u would have shown with at least %u %%", depth,
		percent < 100 ? percent : 99);
}
