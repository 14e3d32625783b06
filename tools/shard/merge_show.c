/* SPDX-License-Identifier: ISC */
/* merge_show.c - see merge.h: the output of `heddle merge'. */
#include "shard/merge.h"

#include "die.h"
#include "path.h"
#include "report/clean.h"

static const char *text_in(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? clean_text(s) : "";
}

static long long number_in(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

/* Those that count. Returns their number. */
static unsigned show_findings(const json_t *result, FILE *out)
{
	const json_t *f;
	unsigned n = 0;
	size_t i;

	json_array_foreach(json_object_get(result, "findings"), i, f) {
		if (!json_is_null(json_object_get(f, "suppressed")))
			continue;
		n++;
		fprintf(out, "FAILED  %s", text_in(f, "message"));
		if (json_is_string(json_object_get(f, "file")))
			fprintf(out, ", %s:%lld", text_in(f, "file"), number_in(f, "line"));
		if (json_is_string(json_object_get(f, "replay")))
			fprintf(out, " (%s)", shell_word(path_here(text_in(f, "replay"))));
		fputc('\n', out);
	}
	return n;
}

static void show_search(const json_t *o, FILE *out)
{
	const json_t *item;
	long long executions = number_in(o, "executions"), blocked = number_in(o, "blocked");
	bool complete = json_is_true(json_object_get(o, "complete"));
	size_t i;

	show_findings(o, out);
	json_array_foreach(json_object_get(o, "coverage"), i, item)
		fprintf(out, "note: %s\n", clean_text(json_string_value(item)));
	fprintf(out, "heddle: %s, %s, %lld execution%s, %s", text_in(o, "model"),
		text_in(o, "strategy"), executions, executions == 1 ? "" : "s",
		complete ? "complete" : "not complete");
	if (!complete)
		json_array_foreach(json_object_get(o, "bounds"), i, item)
			fprintf(out, "%s%s", i ? "; " : ": ", text_in(item, "text"));
	if (blocked)
		fprintf(out, ", %lld blocked", blocked);
	fprintf(out, ", %lld failing, %.3f s\n", number_in(o, "failing"),
		json_real_value(json_object_get(o, "seconds")));
}

static void show_suite(const json_t *whole, FILE *out)
{
	const json_t *tests = json_object_get(whole, "tests"), *t;
	unsigned ok = 0, failed = 0, cut = 0, refused = 0;
	size_t i;

	json_array_foreach(tests, i, t) {
		long long code = number_in(t, "exit_code");

		ok += code == EXIT_CLEAN;
		failed += code == EXIT_FINDING;
		cut += code == EXIT_CUT;
		refused += code == EXIT_USAGE;
		if (code == EXIT_FINDING)
			fprintf(out, "%s: %s\n", text_in(t, "suite"), text_in(t, "name"));
		show_findings(t, out);
	}
	fprintf(out, "heddle: %zu test%s, %u ok, %u failed", json_array_size(tests),
		json_array_size(tests) == 1 ? "" : "s", ok, failed);
	if (cut)
		fprintf(out, ", %u cut short", cut);
	if (refused)
		fprintf(out, ", %u refused", refused);
	fputc('\n', out);
}

void merge_show(const json_t *whole, FILE *out)
{
	if (json_is_array(json_object_get(whole, "tests")))
		show_suite(whole, out);
	else
		show_search(whole, out);
}
