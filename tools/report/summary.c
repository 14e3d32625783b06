/* SPDX-License-Identifier: ISC */
/* summary.c - the last line: the extent of the search, and if it is incomplete, the reasons and how
 * to lift each bound. */
#include "report/summary.h"

#include "die.h"
#include "report/clean.h"

#include <string.h>

static const char *plural(u64 n, const char *word)
{
	return xprintf("%llu %s%s", (unsigned long long)n, word, n == 1 ? "" : "s");
}

/*
 * The bounds that make a search incomplete, by their bit in enum status_bound: the name in
 * documents; words with the value of the option that lifts it, and the noun that is counted.
 */
static const struct ending {
	const char *name, *before, *noun, *after;
	enum { NOTHING, COUNT, SECONDS } value;
	size_t option; /* offset of an u64 in struct options */
} endings[] = {
#define OF(option) offsetof(struct options, option)
	{"executions", "stopped after ", "execution", " (--executions)", COUNT, OF(executions)},
	{"time", "stopped after ", "s", " (--time)", SECONDS, OF(time)},
	{"steps", "some executions are longer than ", "step", " (--max-steps)", COUNT,
		OF(max_steps)},
	{"buffer", "a buffer was full with ", "store", " (--buffer-size)", COUNT, OF(buffer_size)},
	{"weak-cas", "more than ", "weak compare-and-exchange failure",
		" per execution was possible (--weak-cas)", COUNT, OF(weak_cas)},
	{"spurious", "more than ", "spurious wake-up", " per execution was possible (--spurious)",
		COUNT, OF(spurious)},
	{"timeouts", "more than ", "early time-out", " per execution was possible (--timeouts)",
		COUNT, OF(timeouts)},
	{"sampling", "random samples"},
	{"finding", "stopped at the first finding (--keep-going)"},
	{"interrupt", "interrupted"},
	{"range", "large memory operations are taken as one step"},
	{"nondeterminism", "the program is not deterministic (clocks, files, addresses?)"},
	{"preemptions", "no more than ", "preemption", " per execution (--preemptions)", COUNT,
		OF(preemptions)},
	{"race", "executions stop at the first data race (--races=promote)"},
	{"heap", "executions stop at the first heap error"},
	{"hang", "a thread computed for ", "s", " without an event (--hang)", SECONDS, OF(hang)},
	{"long", "some executions have more events than an execution graph holds"},
	{"room", "some executions were left out for lack of memory or attempts"},
	{"loops", "no more than ", "iteration", " of a loop (--loop-bound)", COUNT, OF(loop_bound)},
	{"delays", "no more than ", "delay", " per execution (--delays)", COUNT, OF(delays)},
	{"load-buffering", "load buffering is not explored (heddle help hardware)"},
	{"dependencies", "an access depends on all earlier loads of its thread (--deps all)"},
	{"ready-order", "epoll_wait() reports timers and signals after other descriptors "
			"(heddle help descriptors)"},
	{"foreign", "calls of code that is not instrumented empty the store buffer"},
	{"foreign-writes", "code that is not instrumented wrote more than can be followed "
			   "(heddle help limits)"},
	{"cas-value", "the value of a compare-and-exchange depends on its load only "
		      "(heddle help hardware)"},
#undef OF
};

/* Words for bounds that are more than the value of an option. */
static const char *special_words(const struct summary *s, u32 bound)
{
	const struct options *o = s->options;
	bool sampled = !strcmp(s->strategy, strategy_name(STRATEGY_GRAPH)),
	     fell = o->strategy == STRATEGY_GRAPH;

	if (bound == BOUND_SAMPLING && !fell)
		return "random samples (--strategy=graph explores all)";
	if (bound == BOUND_SAMPLING && sampled)
		return "random samples at the end (--strategy=graph: none)";
	if (bound == BOUND_BUFFER && s->boundless)
		return xprintf("a buffer was full with %s, and the search with buffers without a "
			       "bound did not end",
			plural(o->buffer_size, "store"));
	if (bound == BOUND_LOOPS && !o->loop_bound)
		return "a bound on the iterations of a loop (heddle_while)";
	if (bound == BOUND_FINDING && o->keep_going)
		return xprintf(
			"stopped after %s (--max-findings)", plural(o->max_findings, "finding"));
	return NULL;
}

static char *words_of(const struct summary *s, const struct ending *e)
{
	const char *special = special_words(s, 1u << (e - endings));
	u64 value = 0;

	if (special || e->value == NOTHING)
		return xstrdup(special ? special : e->before);
	memcpy(&value, (const char *)s->options + e->option, sizeof(value));
	if (e->option == offsetof(struct options, max_steps) && !value)
		value = s->max_steps;
	if (e->value == SECONDS)
		return xprintf("%s%g %s%s", e->before, (double)value / 1e6, e->noun, e->after);
	return xprintf("%s%s%s", e->before, plural(value, e->noun), e->after);
}

bool bound_words(const struct summary *s, unsigned i, const char **name, char **words)
{
	for (const struct ending *e = endings; e < endings + array_size(endings); e++) {
		if (!(s->bounds >> (e - endings) & 1) || i--)
			continue;
		*name = e->name;
		*words = words_of(s, e);
		return true;
	}
	return false;
}

/* The part of the search that was complete, if not all of it. */
static const char *levels_words(const struct summary *s)
{
	if (!s->levels)
		return s->delays == 1 ? "without delay"
				      : xprintf("with at most %s", plural(s->delays - 1, "delay"));
	return s->levels == 1 ? "without preemption"
			      : xprintf("with at most %s", plural(s->levels - 1, "preemption"));
}

const char *guarantee_words(const struct summary *s)
{
	const char *chance = s->failing ? NULL : chance_words(s);

	if (s->complete)
		return NULL;
	if (!s->levels && !s->delays)
		return chance;
	return xprintf("but all executions under sc %s%s%s", levels_words(s), chance ? "; " : "",
		chance ? chance : "");
}

/* The reason why no execution has ended; NULL: none, or it is among the bounds. */
static const char *blocked_words(const struct summary *s)
{
	if (s->executions || !s->blocked || s->suppressed || s->cut)
		return NULL;
	if (s->assumed)
		return "all blocked by heddle_assume()";
	if (s->options && !(s->options->detect & DETECT_LIVELOCK))
		return "all blocked: threads wait for ever in loops (--detect +livelock)";
	return s->complete ? "all blocked" : NULL;
}

static void text_bounds(const struct summary *s, FILE *out)
{
	const char *name;
	char *words;

	for (unsigned i = 0; !s->complete && bound_words(s, i, &name, &words); i++)
		fprintf(out, "%s%s", i ? "; " : s->doubt ? "" : ": ", words);
}

static bool is_proof(const struct summary *s)
{
	return !strcmp(s->strategy, strategy_name(STRATEGY_STATES)) && !s->doubt;
}

/* Strategy states: the proof. */
static void text_search_proof(const struct summary *s, FILE *out)
{
	bool proved = s->complete && !s->failing;

	if (proved)
		fprintf(out, "proved: %s, no failure, %s", plural(s->states, "state"),
			!s->loops	? "every execution ends"
			: s->executions ? "ends or loops for ever"
					: "loops for ever");
	else
		fprintf(out, "%s, %s", plural(s->states, "state"),
			s->failing ? "a failure" : "not proved");
	if (!proved && !s->failing) {
		text_bounds(s, out);
		if (s->held)
			fprintf(out, "; %s", s->held);
	}
	if (s->blocked)
		fprintf(out, ", %llu blocked", (unsigned long long)s->blocked);
	if (s->failing)
		fprintf(out, ", %llu failing", (unsigned long long)s->failing);
}

static void text_suppressed(const struct summary *s, FILE *out)
{
	if (s->suppressed)
		fprintf(out, "%s suppressed, ", plural(s->suppressed, "finding"));
	fprintf(out, s->seconds < 10 ? "%.3f s\n" : "%.1f s\n", s->seconds);
}

/* "tso, graph, 204 executions" */
static void text_executions(const struct summary *s, FILE *out)
{
	bool by_rf = s->equivalence && !strcmp(s->equivalence, equivalence_name(EQUIVALENCE_RF));

	fprintf(out, "heddle: %s, %s, %s%s", s->model, s->strategy,
		plural(s->executions, "execution"),
		by_rf	       ? " (reads-from classes)"
		: s->symmetric ? " up to names of threads"
			       : "");
	if (s->options && s->options->shard)
		fprintf(out, " in shard %u of %u", option_shard(s->options) + 1,
			option_shards(s->options));
}

/* "complete", or the reason why not, and the guarantee that remains. */
static void text_extent(const struct summary *s, FILE *out)
{
	fputs(s->complete ? "complete" : "not complete", out);
	if (s->complete && blocked_words(s))
		fprintf(out, ": %s", blocked_words(s));
	if (s->doubt)
		fputs(s->bounds ? ": a finding was not confirmed; "
				: ": a finding was not confirmed",
			out);
	text_bounds(s, out);
	if (!s->complete && s->held)
		fprintf(out, "; %s", s->held);
	if (!s->complete && blocked_words(s))
		fprintf(out, "; %s", blocked_words(s));
	if (guarantee_words(s))
		fprintf(out, "; %s", guarantee_words(s));
	if (!s->complete && !s->bounds && !s->doubt)
		fputs(": for an unknown reason (a bug in heddle, please report it)", out);
}

void text_summary(const struct summary *s, FILE *out)
{
	if (!s->compare)
		text_outcomes(s, out);
	for (unsigned i = 0; i < s->ncoverage; i++)
		fprintf(out, "note: %s\n", clean_text(s->coverage[i]));
	if (s->doubt)
		fprintf(out, "heddle: %s\n", clean_text(s->doubt));
	if (is_proof(s)) {
		fprintf(out, "heddle: %s, ", s->model);
		text_search_proof(s, out);
		fputs(", ", out);
		text_suppressed(s, out);
		return;
	}
	text_executions(s, out);
	fputs(", ", out);
	text_extent(s, out);
	if (s->blocked)
		fprintf(out, ", %llu blocked", (unsigned long long)s->blocked);
	if (s->cut)
		fprintf(out, " (%llu at the bound of a loop)", (unsigned long long)s->cut);
	fprintf(out, ", %llu failing", (unsigned long long)s->failing);
	if (s->complete && s->races_unknown)
		fputs(" (data races are not looked for: --strategy graph)", out);
	fputs(", ", out);
	if (s->promoted)
		fprintf(out, "%s promoted, ", plural(s->promoted, "data race"));
	text_suppressed(s, out);
}
