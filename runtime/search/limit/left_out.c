/* SPDX-License-Identifier: ISC */
/* left_out.c - see left_out.h. */
#include "search/limit/left_out.h"
#include "machine/core.h"
#include "process/coverage.h"
#include "search/limit/model_file.h"
#include "trust/trust.h"

bool left_out(const struct trust *x)
{
	u32 bounded = x->bounded | model_file_left_out();

	if (bounded & TRUST_LONG)
		M.bounds |= BOUND_LONG;
	if (bounded & TRUST_DEPTH)
		coverage_note(
			"some executions were left out: no room for more saved graphs (%zu MiB)",
			TRUST_MEMORY >> 20);
	if (bounded & TRUST_ORDER)
		coverage_note("some executions were left out: no order of stores was found within "
			      "%llu attempts, or in the memory for them",
			(unsigned long long)x->coherence.budget);
	if (bounded & TRUST_POLLS)
		coverage_note("some executions were left out: iterations of a loop that waits "
			      "are observed after it has ended");
	if (bounded & TRUST_ROOM)
		coverage_note(
			"some reads-from functions were left out: no room to store them (%zu MiB)",
			TRUST_MEMORY >> 21);
	if (bounded & TRUST_HARD)
		coverage_note("some reads-from functions were left out: not enough memory to find "
			      "a schedule of them");
	if (bounded & (TRUST_DEPTH | TRUST_ORDER | TRUST_ROOM | TRUST_HARD | TRUST_POLLS))
		M.bounds |= BOUND_ROOM;
	if (bounded & TRUST_RARE && M.options->weak_cas)
		M.bounds |= BOUND_WEAK_CAS;
	else if (bounded & TRUST_RARE) {
		coverage_note("%s", rare_words(CHOICE_WEAK_CAS));
		bounded &= ~(u32)TRUST_RARE;
	}
	return bounded != 0;
}
