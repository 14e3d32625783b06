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
 *           failure      if there are findings that count: message, type (the kind) of the first; in it
 *                        the reports of all
 *           error        it could not be explored; type: refused
 *           system-out   notes and the last line
 *
 * A test in which nothing was found passes, also if it was not explored completely (exit code 3): the
 * property says so, and the last line why. Characters that XML cannot have become U+FFFD.
 */
#include "report/result.h"

#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "report/clean.h"

struct junit {
	xmlTextWriter *to;
	const struct results *all;
	bool failed;
};

static void check(struct junit *j, int result)
{
	j->failed |= result < 0;
}

static void start(struct junit *j, const char *element)
{
	check(j, xmlTextWriterStartElement(j->to, (const xmlChar *)element));
}

static void end(struct junit *j)
{
	check(j, xmlTextWriterEndElement(j->to));
}

static void attribute(struct junit *j, const char *name, const char *value)
{
	xmlChar *text = (xmlChar *)clean_xml(value);

	check(j, xmlTextWriterWriteAttribute(j->to, (const xmlChar *)name, text));
	free(text);
}

static void count(struct junit *j, const char *name, u64 n)
{
	attribute(j, name, xprintf("%llu", (unsigned long long)n));
}

static void text(struct junit *j, const char *s)
{
	xmlChar *t = (xmlChar *)clean_xml(s);

	check(j, xmlTextWriterWriteString(j->to, t));
	free(t);
}

static void property(struct junit *j, const char *name, const char *value)
{
	start(j, "property");
	attribute(j, "name", name);
	attribute(j, "value", value);
	end(j);
}

/* --- a test ---------------------------------------------------------------------------------- */

static void put_figures(struct junit *j, const struct result *r)
{
	const struct summary *s = &r->summary;
	unsigned suppressed = r->nfindings - result_failures(r);

	start(j, "properties");
	property(j, "model", s->model ? s->model : "");
	property(j, "strategy", s->strategy ? s->strategy : "");
	if (s->known) {
		property(j, "executions", xprintf("%llu", (unsigned long long)s->executions));
		property(j, "blocked", xprintf("%llu", (unsigned long long)s->blocked));
		property(j, "failing", xprintf("%llu", (unsigned long long)s->failing));
		property(j, "complete", s->complete ? "true" : "false");
	}
	if (suppressed)
		property(j, "suppressed", xprintf("%u", suppressed));
	for (unsigned i = 0; i < r->nfindings; i++)
		if (!r->findings[i].suppressed && found_replay(&r->findings[i]))
			property(j, "replay", found_replay(&r->findings[i]));
	end(j);
}

static void put_failure(struct junit *j, const struct result *r)
{
	const struct found *f = result_first_failure(r);
	unsigned more = result_failures(r) - 1;

	start(j, "failure");
	attribute(j, "message", more ? xprintf("%s (and %u more)", found_message(f), more)
				     : found_message(f));
	attribute(j, "type", finding_name(found_base(f)->kind));
	for (unsigned i = 0; i < r->nfindings; i++)
		if (!r->findings[i].suppressed)
			text(j, found_text(&r->findings[i]));
	end(j);
}

static void put_test(struct junit *j, const struct result *r)
{
	const char *group = r->suite ? r->suite : path_base(j->all->program);
	const struct found *f = result_first_failure(r);

	start(j, "testcase");
	attribute(j, "classname", r->summary.model ? xprintf("%s.%s", group, r->summary.model) : group);
	attribute(j, "name", result_name(j->all, r));
	attribute(j, "time", xprintf("%.6f", r->summary.seconds));
	if (f && found_file(f)) {
		attribute(j, "file", source_path(found_file(f)));
		count(j, "line", (u64)found_line(f));
	}
	put_figures(j, r);
	if (f)
		put_failure(j, r);
	if (r->error) {
		start(j, "error");
		attribute(j, "message", r->error);
		attribute(j, "type", "refused");
		end(j);
	} else if (r->summary.known) {
		start(j, "system-out");
		text(j, summary_text(&r->summary));
		end(j);
	}
	end(j);
}

/* --- groups of tests ------------------------------------------------------------------------- */

static void put_counts(struct junit *j, const struct result *r, unsigned n)
{
	unsigned failures = 0, errors = 0;
	double seconds = 0;

	for (unsigned i = 0; i < n; i++) {
		errors += !!r[i].error;
		failures += result_failures(&r[i]) > 0;
		seconds += r[i].summary.seconds;
	}
	count(j, "tests", n);
	count(j, "failures", failures);
	count(j, "errors", errors);
	attribute(j, "time", xprintf("%.6f", seconds));
}

static bool same_suite(const struct result *a, const struct result *b)
{
	return a->suite == b->suite || (a->suite && b->suite && !strcmp(a->suite, b->suite));
}

/* The results from `first` on that belong to the same suite; how many there are. */
static unsigned put_suite(struct junit *j, const struct result *first, unsigned rest)
{
	unsigned n = 1;

	while (n < rest && same_suite(first, &first[n]))
		n++;
	start(j, "testsuite");
	attribute(j, "name", first->suite ? first->suite : path_base(j->all->program));
	put_counts(j, first, n);
	count(j, "skipped", 0);
	start(j, "properties");
	property(j, "program", j->all->program);
	property(j, "heddle", HEDDLE_VERSION);
	end(j);
	for (unsigned i = 0; i < n; i++)
		put_test(j, &first[i]);
	end(j);
	return n;
}

void junit_results(const struct results *r, FILE *out)
{
	xmlBuffer *buffer = xmlBufferCreate();
	struct junit j = {buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL, r, false};

	if (!j.to)
		die("not enough memory");
	xmlTextWriterSetIndent(j.to, 1);
	check(&j, xmlTextWriterStartDocument(j.to, NULL, "UTF-8", NULL));
	start(&j, "testsuites");
	attribute(&j, "name", "heddle");
	put_counts(&j, r->at, r->n);
	for (unsigned i = 0; i < r->n;)
		i += put_suite(&j, &r->at[i], r->n - i);
	check(&j, xmlTextWriterEndDocument(j.to));
	xmlFreeTextWriter(j.to);
	if (j.failed || fputs((const char *)xmlBufferContent(buffer), out) == EOF || fflush(out) != 0)
		die("the JUnit file could not be written");
	xmlBufferFree(buffer);
}
