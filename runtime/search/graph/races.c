/* SPDX-License-Identifier: ISC */
/* races.c - see races.h. */
#include "search/graph/races.h"
#include "trust/trust.h"
#include "graph/execute.h"
#include "machine/machine.h"
#include "process/coverage.h"
#include "search/outcome/compare.h"
#include "failure/verdict.h"

/* Is the access to the whole location, which may be an atomic variable's? */
static bool is_whole(const struct trust *x, u32 e)
{
	const struct label *l = trust_label(x, e);
	const struct place *p = &x->graph.places->place[x->graph.event[e].loc];
	u32 bytes = label_bytes(l);

	return label_is_access(l) && p->size && (p->size & (p->size - 1)) == 0 &&
	       p->addr % p->size == 0 && (!bytes || bytes == (1u << p->size) - 1);
}

/* Has any execution so far made volatile accesses, or accesses by assembly, that other threads
 * see? */
static bool has_volatile(const struct trust *x)
{
	for (u32 i = 0; i < x->cache.n; i++)
		if (x->cache.node[i].label.flags & LABEL_VOLATILE)
			return true;
	return false;
}

bool races_go_on(const struct trust *x, u32 t, u32 other)
{
	return M.options->races == RACES_AUTO && !compare_on() &&
	       is_whole(x, x->graph.thread[t].last) && is_whole(x, other) && has_volatile(x);
}

static u32 races_found(void)
{
	u32 n = 0;

	for (u32 i = 0; i < M.status->nfindings; i++)
		n += M.status->findings[i].finding.kind == FINDING_RACE &&
		     M.status->findings[i].verdict != VERDICT_SUPPRESSED;
	return n;
}

void races_advise(void)
{
	u32 races = races_found();

	if (races && execute_promotes_races()) {
		M.status->promoted = races;
		coverage_note("continued past the data race, as with --races promote: this program "
			      "synchronises with volatile accesses or assembly, so racing accesses "
			      "count as relaxed atomics");
	} else if (races && M.bounds & BOUND_FINDING)
		coverage_note("--races promote continues past data races: racing accesses then "
			      "count as relaxed atomics");
	if (M.status->assembly && verdict_failures() && M.buffers == BUFFERS_UNDEFINED)
		coverage_note("the program has inline assembly for " ARCH_ASSEMBLY
			      ": --model " ARCH_MODEL " models that machine");
}
