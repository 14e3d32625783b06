/* SPDX-License-Identifier: ISC */
/* summary.c - the last line: what was explored, and if not all of it, why and what lifts the bound. */
#include "report/summary.h"

#include "die.h"
#include "report/clean.h"

#include <string.h>

static char *with_number(const char *before, u64 n, const char *after)
{
	return xprintf("%s%llu%s", before, (unsigned long long)n, after);
}

static char *words_of(const struct options *o, u32 bound)
{
	switch (bound) {
	case BOUND_EXECUTIONS:
		return with_number("stopped after ", o->executions,
			o->executions == 1 ? " execution (--executions)" : " executions (--executions)");
	case BOUND_TIME: return xprintf("stopped after %g s (--time)", (double)o->time / 1e6);
	case BOUND_STEPS:
		return with_number(
			"some executions are longer than ", o->max_steps, " steps (--max-steps)");
	case BOUND_BUFFER:
		return with_number(
			"a buffer was full with ", o->buffer_size, " stores (--buffer-size)");
	case BOUND_WEAK_CAS:
		return with_number("more weak compare-and-exchange failures were possible than ",
			o->weak_cas, " an execution (--weak-cas)");
	case BOUND_SPURIOUS:
		return with_number("more wake-ups for no reason were possible than ", o->spurious,
			" an execution (--spurious)");
	case BOUND_TIMEOUTS:
		return with_number("more early time-outs were possible than ", o->timeouts,
			" an execution (--timeouts)");
	case BOUND_SAMPLING: return xstrdup("random samples (--strategy=graph takes all)");
	case BOUND_FINDING: return xstrdup("stopped at the first finding (--keep-going)");
	case BOUND_INTERRUPT: return xstrdup("interrupted");
	case BOUND_RANGE: return xstrdup("large memory operations are taken as one step");
	case BOUND_PREEMPTIONS:
		return with_number("no more preemptions than ", o->preemptions,
			" an execution (--preemptions)");
	case BOUND_RACE:
		return xstrdup("what comes after a data race was left out (--races=promote)");
	case BOUND_HEAP:
		return xstrdup("what comes after a wrong use of the heap was left out");
	case BOUND_HANG:
		return xprintf("a thread computed for %g s without an event (--hang)", (double)o->hang / 1e6);
	case BOUND_NONDETERMINISM:
		return xstrdup(
			"the program does not do the same twice (clocks, files, addresses?)");
	}
	return xprintf("bound 0x%x", bound);
}

bool bound_words(const struct summary *s, unsigned i, const char **name, char **words)
{
	static const char *const names[] = {"executions", "time", "steps", "buffer", "weak-cas",
		"spurious", "timeouts", "sampling", "finding", "interrupt", "range",
		"nondeterminism", "preemptions", "race", "heap", "hang"};

	for (unsigned bit = 0; bit < 32; bit++) {
		if (!(s->bounds >> bit & 1) || i--)
			continue;
		*name = bit < array_size(names) ? names[bit] : "unknown";
		*words = words_of(s->options, 1u << bit);
		return true;
	}
	return false;
}

static const char *plural(u64 n, const char *word)
{
	return xprintf("%llu %s%s", (unsigned long long)n, word, n == 1 ? "" : "s");
}

void text_summary(const struct summary *s, FILE *out)
{
	bool by_rf = s->equivalence && !strcmp(s->equivalence, equivalence_name(EQUIVALENCE_RF));
	const char *name;
	char *words;

	if (!s->compare)
		text_outcomes(s, out);
	for (unsigned i = 0; i < s->ncoverage; i++)
		fprintf(out, "note: %s\n", clean_text(s->coverage[i]));
	if (s->doubt)
		fprintf(out, "heddle: %s\n", clean_text(s->doubt));
	fprintf(out, "heddle: %s, %s, %s%s, ", s->model, s->strategy,
		plural(s->executions, "execution"), by_rf ? " (reads-from classes)" : "");
	fputs(s->complete ? "complete" : "not complete", out);
	if (s->doubt)
		fputs(s->bounds ? ": what was found was not confirmed; " : ": what was found was not confirmed", out);
	for (unsigned i = 0; !s->complete && bound_words(s, i, &name, &words); i++)
		fprintf(out, "%s%s", i ? "; " : s->doubt ? "" : ": ", words);
	if (s->blocked)
		fprintf(out, ", %llu blocked", (unsigned long long)s->blocked);
	fprintf(out, ", %llu failing, ", (unsigned long long)s->failing);
	if (s->promoted)
		fprintf(out, "%s promoted, ", plural(s->promoted, "data race"));
	if (s->suppressed)
		fprintf(out, "%s suppressed, ", plural(s->suppressed, "finding"));
	fprintf(out, s->seconds < 10 ? "%.3f s\n" : "%.1f s\n", s->seconds);
}
