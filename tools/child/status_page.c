/* SPDX-License-Identifier: ISC */
/* status_page.c - see status_page.h. */
#include "child/status_page.h"

#include <string.h>

#include "base/option.h"

#define ENDS(text) memchr(text, 0, sizeof(text))

static bool findings_fit(const struct status *st)
{
	if (st->nfindings > STATUS_FINDINGS)
		return false;
	for (u32 i = 0; i < st->nfindings; i++) {
		const struct status_finding *f = &st->findings[i];

		if (f->finding.kind >= FINDING_KINDS || !ENDS(f->finding.message) ||
			!ENDS(f->finding.file) || !ENDS(f->finding.function) || !ENDS(f->replay))
			return false;
	}
	return true;
}

static bool outcomes_fit(const struct status_outcomes *o)
{
	if (o->nnames > OUTCOME_NAMES || o->n > OUTCOMES)
		return false;
	for (u32 i = 0; i < o->nnames; i++)
		if (!ENDS(o->name[i]))
			return false;
	return true;
}

static bool compare_fits(const struct status_compare *c)
{
	if (c->portable > PORTABLE_UNKNOWN || c->level > LEVEL_EXECUTIONS)
		return false;
	for (u32 i = 0; i < NEW_STATES; i++) {
		if (c->state[i].n > STATE_ITEMS)
			return false;
		for (u32 k = 0; k < c->state[i].n; k++)
			if (c->state[i].item[k].size > 8)
				return false;
	}
	return true;
}

bool page_is_foreign(const struct status *st)
{
	return st->magic >> 32 == STATUS_TAG && st->magic != STATUS_MAGIC;
}

bool page_is_whole(const struct status *st)
{
	if (st->magic != STATUS_MAGIC || st->size != sizeof(*st) || st->state > STATUS_DIVERGED ||
		st->complete > 1 || st->strategy > STRATEGY_FOLLOW ||
		st->chosen > STRATEGY_FOLLOW || st->model >= MODEL_AUTO ||
		st->chosen_model >= MODEL_AUTO ||
		st->equivalence > EQUIVALENCE_AUTO || st->test_state > TEST_SKIPPED)
		return false;
	for (unsigned i = 0; i < array_size(st->coverage); i++)
		if (!ENDS(st->coverage[i]))
			return false;
	return ENDS(st->note) && ENDS(st->suite) && ENDS(st->test) && findings_fit(st) &&
	       outcomes_fit(&st->outcomes) && compare_fits(&st->compare);
}
