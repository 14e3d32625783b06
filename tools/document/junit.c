/* SPDX-License-Identifier: ISC */
/*
 * junit.c - the results as the XML that test runners write and CI services read.
 *
 *     testsuites         tests, failures, errors, time
 *       testsuite        one for each suite of the program; name: the suite's, or the program's
 *         properties     program, heddle (its version)
 *         testcase       one for each result; classname: SUITE.MODEL, name: the test's or the
 *                        program's; file, line: where it fails; time: seconds spent exploring
 *           properties   model, strategy, executions, blocked, failing, complete, replay (of each
 *                        finding), suppressed (how many findings)
 *           failure      if there are findings that count: message, type (the kind) of the first;
 *                        in it the reports of all
 *           error        it could not be explored; type: refused
 *           system-out   notes and the last line
 *
 * A test without findings passes, even if it was not explored completely (exit code 3): the
 * property says so, and the last line has the reason. Characters that XML cannot have become
 * U+FFFD.
 */
#include "document/result.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "document/xml.h"

static void count_attribute(struct xml *x, const char *name, u64 n)
{
	xml_format(x, name, "%llu", (unsigned long long)n);
}

static void put_property(struct xml *x, const char *name, const char *value)
{
	xml_start(x, "property");
	xml_attribute(x, "name", name);
	xml_attribute(x, "value", value);
	xml_end(x);
}

/* --- a test ---------------------------------------------------------------------------------- */

static void put_figures(struct xml *x, const struct result *r)
{
	const struct summary *s = &r->summary;
	unsigned suppressed = r->nfindings - result_failures(r);

	xml_start(x, "properties");
	put_property(x, "model", s->model ? s->model : "");
	put_property(x, "strategy", s->strategy ? s->strategy : "");
	if (s->known) {
		put_property(x, "executions", xprintf("%llu", (unsigned long long)s->executions));
		put_property(x, "blocked", xprintf("%llu", (unsigned long long)s->blocked));
		put_property(x, "failing", xprintf("%llu", (unsigned long long)s->failing));
		put_property(x, "complete", s->complete ? "true" : "false");
	}
	if (suppressed)
		put_property(x, "suppressed", xprintf("%u", suppressed));
	for (unsigned i = 0; i < r->nfindings; i++)
		if (!r->findings[i].suppressed && found_replay(&r->findings[i]))
			put_property(x, "replay", found_replay(&r->findings[i]));
	xml_end(x);
}

static void put_failure(struct xml *x, const struct result *r)
{
	const struct found *f = result_first_failure(r);
	unsigned more = result_failures(r) - 1;

	xml_start(x, "failure");
	xml_attribute(x, "message", more ? xprintf("%s (and %u more)", found_message(f), more)
				     : found_message(f));
	xml_attribute(x, "type", finding_name(found_base(f)->kind));
	for (unsigned i = 0; i < r->nfindings; i++)
		if (!r->findings[i].suppressed)
			xml_text(x, found_text(&r->findings[i]));
	xml_end(x);
}

static void put_test_xml(struct xml *x, const struct results *all, const struct result *r)
{
	const char *group = r->suite ? r->suite : path_base(all->program);
	const struct found *f = result_first_failure(r);

	xml_start(x, "testcase");
	xml_attribute(x, "classname",
		r->summary.model ? xprintf("%s.%s", group, r->summary.model) : group);
	xml_attribute(x, "name", result_name(all, r));
	xml_format(x, "time", "%.6f", r->summary.seconds);
	if (f && found_file(f)) {
		xml_attribute(x, "file", source_path(found_file(f)));
		count_attribute(x, "line", (u64)found_line(f));
	}
	put_figures(x, r);
	if (f)
		put_failure(x, r);
	if (r->error) {
		xml_start(x, "error");
		xml_attribute(x, "message", r->error);
		xml_attribute(x, "type", "refused");
		xml_end(x);
	} else if (r->summary.known) {
		xml_start(x, "system-out");
		xml_text(x, summary_text(&r->summary));
		xml_end(x);
	}
	xml_end(x);
}

/* --- groups of tests ------------------------------------------------------------------------- */

static void put_counts(struct xml *x, const struct result *r, unsigned n)
{
	unsigned failures = 0, errors = 0;
	double seconds = 0;

	for (unsigned i = 0; i < n; i++) {
		errors += !!r[i].error;
		failures += result_failures(&r[i]) > 0;
		seconds += r[i].summary.seconds;
	}
	count_attribute(x, "tests", n);
	count_attribute(x, "failures", failures);
	count_attribute(x, "errors", errors);
	xml_format(x, "time", "%.6f", seconds);
}

static bool same_suite(const struct result *a, const struct result *b)
{
	return a->suite == b->suite || (a->suite && b->suite && !strcmp(a->suite, b->suite));
}

/* The results from `first` on that belong to the same suite; how many there are. */
static unsigned put_suite(
	struct xml *x, const struct results *all, const struct result *first, unsigned rest)
{
	unsigned n = 1;

	while (n < rest && same_suite(first, &first[n]))
		n++;
	xml_start(x, "testsuite");
	xml_attribute(x, "name", first->suite ? first->suite : path_base(all->program));
	put_counts(x, first, n);
	count_attribute(x, "skipped", 0);
	xml_start(x, "properties");
	put_property(x, "program", all->program);
	put_property(x, "heddle", HEDDLE_VERSION);
	xml_end(x);
	for (unsigned i = 0; i < n; i++)
		put_test_xml(x, all, &first[i]);
	xml_end(x);
	return n;
}

void junit_results(const struct results *r, FILE *out)
{
	struct xml *x = xml_open(out);

	xml_start(x, "testsuites");
	xml_attribute(x, "name", "heddle");
	put_counts(x, r->at, r->n);
	for (unsigned i = 0; i < r->n;)
		i += put_suite(x, r, &r->at[i], r->n - i);
	xml_close(x, "the JUnit file");
}
