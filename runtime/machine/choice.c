/* SPDX-License-Identifier: ISC */
/* choice.c - data choices, and spurious events. */
#include "machine/core.h"

u32 machine_choose(u32 n, enum choice_why why)
{
	return n < 2 ? 0 : M.engine->choose(n, why);
}

/* The spurious events that exhaustive search omits if an option is 0. */
const char *rare_words(enum choice_why why)
{
	switch (why) {
	case CHOICE_WEAK_CAS: return "no weak compare-and-exchange failed spuriously (--weak-cas)";
	case CHOICE_SPURIOUS: return "no condition wait woke spuriously (--spurious)";
	default:
		return "timed waits timed out only when nothing else could happen (--timeouts)";
	}
}

static u32 bound_of(enum choice_why why)
{
	switch (why) {
	case CHOICE_WEAK_CAS: return BOUND_WEAK_CAS;
	case CHOICE_SPURIOUS: return BOUND_SPURIOUS;
	default: return BOUND_TIMEOUTS;
	}
}

/* A spurious event: rare when sampling, bounded in exhaustive search. */
bool choose_rare(enum choice_why why, u64 allowed)
{
	u32 n = M.sampling ? 8 : 2;
	u32 *taken = &(why == CHOICE_WEAK_CAS ? &M.tally : tally())->rare[why];

	if (!M.sampling && *taken >= allowed) {
		if (allowed)
			M.bounds |= bound_of(why);
		else
			coverage_note("%s", rare_words(why));
		return false;
	}
	if (machine_choose(n, why) != n - 1)
		return false;
	++*taken;
	return true;
}

bool machine_spurious(void)
{
	return choose_rare(CHOICE_SPURIOUS, M.options->spurious);
}
