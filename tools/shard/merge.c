/* SPDX-License-Identifier: ISC */
/*
 * merge.c - see merge.h: reading, and adding.
 *
 * Numbers are sums, lists are unions. The whole is complete if each shard is, and if they agree on
 * how the search is divided, and on what it depends on: else some executions may have been left
 * out.
 */
#include "shard/merge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "path.h"

struct merge_part {
	const char *file;
	json_t *result; /* the whole document */
	unsigned number;
};

static const char *text_of(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
	return json_equal(json_object_get(a, key), json_object_get(b, key));
}

/* --- reading --------------------------------------------------------------------------------- */

static json_t *shard_of_part(const struct merge_part *p)
{
	return json_object_get(p->result, "shard");
}

static unsigned read_figure(const struct merge_part *p, const char *key)
{
	return (unsigned)json_integer_value(json_object_get(shard_of_part(p), key));
}

/* Is it a document as json.c writes it for a shard? */
static bool is_result(const struct merge_part *p)
{
	static const char *const arrays[] = {"bounds", "coverage", "findings"},
				 *const objects[] = {"outcomes", "guarantee"};
	unsigned of = read_figure(p, "of");
	bool good = json_is_object(shard_of_part(p)) && p->number && p->number <= of && of < 10000;

	if (json_is_array(json_object_get(p->result, "tests")) || text_of(p->result, "error"))
		return good;
	for (unsigned i = 0; i < array_size(arrays); i++)
		good = good && json_is_array(json_object_get(p->result, arrays[i]));
	for (unsigned i = 0; i < array_size(objects); i++)
		good = good && json_is_object(json_object_get(p->result, objects[i]));
	return good;
}

/* Replay files of another machine, copied beside the result, are named where they are now. */
static void relocate_replays(const json_t *result, const char *file)
{
	int folder = (int)(path_base(file) - file);
	json_t *o;
	size_t i;

	json_array_foreach(json_object_get(result, "tests"), i, o)
		relocate_replays(o, file);
	json_array_foreach(json_object_get(result, "findings"), i, o) {
		const char *replay = text_of(o, "replay"), *copy;

		if (!replay || !access(replay, F_OK))
			continue;
		copy = realpath(xprintf("%.*s%s", folder, file, path_base(replay)), NULL);
		if (copy)
			js_put(o, "replay", js_text(copy));
	}
}

static struct merge_part read_part(const char *file)
{
	struct merge_part p = {.file = file};
	json_error_t error;
	const char *why;

	p.result = json_load_file(file, 0, &error);
	if (!p.result)
		die("%s: cannot be read as JSON: %s", file, error.text);
	p.number = read_figure(&p, "number");
	if (!is_result(&p))
		die("%s: not the result of a shard (heddle run --shard K/N --json FILE)", file);
	why = text_of(p.result, "error");
	if (why)
		die("%s: shard %u of %u could not be explored: %s", file, p.number,
			read_figure(&p, "of"), why);
	relocate_replays(p.result, file);
	return p;
}

/* Shards of the same search, each once, and all. */
static void check_parts(const struct merge_part *parts, unsigned n)
{
	unsigned of = read_figure(&parts[0], "of");
	const char *missing = "";
	unsigned nmissing = 0;

	for (unsigned i = 1; i < n; i++) {
		if (read_figure(&parts[i], "of") != of ||
			!same_text(shard_of_part(&parts[i]), shard_of_part(&parts[0]), "search") ||
			!same_text(parts[i].result, parts[0].result, "version"))
			die("%s: of another search than %s: program, arguments, options, number of "
			    "shards and version of heddle have to be the same",
				parts[i].file, parts[0].file);
		for (unsigned k = 0; k < i; k++)
			if (parts[k].number == parts[i].number)
				die("shard %u of %u is there twice: %s and %s", parts[i].number, of,
					parts[k].file, parts[i].file);
	}
	for (unsigned number = 1; number <= of; number++) {
		bool found = false;

		for (unsigned i = 0; i < n; i++)
			found |= parts[i].number == number;
		if (!found && nmissing++ < 8)
			missing = xprintf("%s%s%u", missing, *missing ? ", " : "", number);
	}
	if (nmissing)
		die("shard%s %s%s of %u missing", nmissing > 1 ? "s" : "", missing,
			nmissing > 8 ? ", ..." : "", of);
}

static int compare_parts(const void *a, const void *b)
{
	const struct merge_part *p = a, *q = b;

	return (p->number > q->number) - (p->number < q->number);
}

/* --- lists ----------------------------------------------------------------------------------- */

/* Finds, in an array of objects, one with the same values of these keys. */
static json_t *find_like(const json_t *array, const json_t *o, const char *const *keys)
{
	json_t *other;
	size_t i;

	json_array_foreach(array, i, other) {
		bool same = true;

		for (const char *const *key = keys; same && *key; key++)
			same = same_text(o, other, *key);
		if (same)
			return other;
	}
	return NULL;
}

static void unite_objects(json_t *to, const json_t *from, const char *const *keys)
{
	json_t *o;
	size_t i;

	json_array_foreach(from, i, o) {
		if (!find_like(to, o, keys))
			json_array_append(to, o);
	}
}

static void unite_texts(json_t *to, const json_t *from)
{
	json_t *text, *other;
	size_t i, k;

	json_array_foreach(from, i, text) {
		bool found = false;

		json_array_foreach(to, k, other)
			found |= json_equal(text, other);
		if (!found)
			json_array_append(to, text);
	}
}

static int compare_findings(const void *a, const void *b)
{
	static const char *const keys[] = {"kind", "message", "file"};
	const json_t *p = *(json_t *const *)a, *q = *(json_t *const *)b;
	json_int_t line = json_integer_value(json_object_get(p, "line")),
		   other = json_integer_value(json_object_get(q, "line"));

	for (unsigned i = 0; i < array_size(keys); i++) {
		const char *s = text_of(p, keys[i]), *t = text_of(q, keys[i]);
		int order = strcmp(s ? s : "", t ? t : "");

		if (order)
			return order;
	}
	return (line > other) - (line < other);
}

static int compare_tests(const void *a, const void *b)
{
	json_int_t p = json_integer_value(json_object_get(*(json_t *const *)a, "number")),
		   q = json_integer_value(json_object_get(*(json_t *const *)b, "number"));

	return (p > q) - (p < q);
}

static json_t *sorted_array(json_t *array, int (*compare)(const void *, const void *))
{
	size_t n = json_array_size(array);
	json_t **at = xmalloc((n + 1) * sizeof(json_t *)), *to = json_array();

	for (size_t i = 0; i < n; i++)
		at[i] = json_array_get(array, i);
	qsort(at, n, sizeof(*at), compare);
	for (size_t i = 0; i < n; i++)
		json_array_append(to, at[i]);
	json_decref(array);
	return to;
}

/* --- adding ---------------------------------------------------------------------------------- */

static void add_number(json_t *to, const json_t *from, const char *key)
{
	const json_t *a = json_object_get(to, key), *b = json_object_get(from, key);

	if (json_is_real(a))
		js_put(to, key, json_real(json_real_value(a) + json_number_value(b)));
	else if (json_is_integer(a))
		js_put(to, key, json_integer(json_integer_value(a) + json_integer_value(b)));
}

/* Of two verdicts on an outcome under sc: one that has been shown. */
static void add_verdict(json_t *to, const json_t *from)
{
	const char *a = text_of(to, "sc"), *b = text_of(from, "sc");

	if (a && b && strcmp(a, b) != 0)
		js_put(to, "sc", js_text(!strcmp(a, "possible") || !strcmp(b, "possible")
						? "possible" : "unknown"));
}

static void merge_outcomes(json_t *to, const json_t *from)
{
	static const char *const values[] = {"values", NULL};
	json_t *rows = json_object_get(to, "rows"), *row;
	size_t i;

	if (!json_array_size(json_object_get(to, "names")))
		js_put(to, "names", json_copy(json_object_get(from, "names")));
	json_array_foreach(json_object_get(from, "rows"), i, row) {
		json_t *other = find_like(rows, row, values);

		if (!other) {
			json_array_append(rows, row);
			continue;
		}
		add_number(other, row, "executions");
		add_verdict(other, row);
	}
	if (json_is_true(json_object_get(from, "more")))
		js_put(to, "more", json_true());
}

/* All executions with a bound: each shard has seen them by itself. Chances to have missed a bug
 * multiply. */
static void add_guarantee(json_t *to, const json_t *from)
{
	static const char *const bounds[] = {"preemptions", "delays"};
	json_t *chances = json_object_get(to, "chances"), *chance;
	size_t i;

	for (unsigned k = 0; k < array_size(bounds); k++) {
		const json_t *a = json_object_get(to, bounds[k]),
			     *b = json_object_get(from, bounds[k]);

		if (json_is_integer(b) && json_integer_value(b) >= json_integer_value(a))
			js_put(to, bounds[k], json_integer(json_integer_value(b)));
	}
	json_array_foreach(json_object_get(from, "chances"), i, chance) {
		double before = json_real_value(json_array_get(chances, i)),
		       both = 1 - (1 - before) * (1 - json_real_value(chance));

		if (i < json_array_size(chances))
			json_array_set_new(chances, i, json_real(both));
		else
			js_add(chances, json_real(both));
	}
}

/* Did the shards divide the same search? */
static bool agree(const struct merge_part *a, const struct merge_part *b)
{
	return same_text(shard_of_part(a), shard_of_part(b), "tree") &&
	       same_text(shard_of_part(a), shard_of_part(b), "facts") &&
	       same_text(a->result, b->result, "model") &&
	       same_text(a->result, b->result, "strategy");
}

static void add_result(json_t *to, const json_t *from)
{
	static const char *const figures[] = {"executions", "blocked", "cut", "failing",
		"suppressed", "seconds", "steps"};
	static const char *const finding[] = {"kind", "message", "file", "line", NULL};
	static const char *const bound[] = {"name", NULL};

	for (unsigned i = 0; i < array_size(figures); i++)
		add_number(to, from, figures[i]);
	if (!json_is_true(json_object_get(from, "complete")))
		js_put(to, "complete", json_incref(json_object_get(from, "complete")));
	if (json_is_null(json_object_get(to, "unconfirmed")))
		json_object_set(to, "unconfirmed", json_object_get(from, "unconfirmed"));
	unite_objects(json_object_get(to, "bounds"), json_object_get(from, "bounds"), bound);
	unite_objects(json_object_get(to, "findings"), json_object_get(from, "findings"), finding);
	unite_texts(json_object_get(to, "coverage"), json_object_get(from, "coverage"));
	merge_outcomes(json_object_get(to, "outcomes"), json_object_get(from, "outcomes"));
	add_guarantee(json_object_get(to, "guarantee"), json_object_get(from, "guarantee"));
}

static void end_result(json_t *o)
{
	bool complete = json_is_true(json_object_get(o, "complete")), fails = false;
	json_t *f, *findings = json_incref(json_object_get(o, "findings"));
	size_t i;

	json_array_foreach(findings, i, f)
		fails |= json_is_null(json_object_get(f, "suppressed"));
	js_put(o, "findings", sorted_array(findings, compare_findings));
	js_put(json_object_get(o, "guarantee"), "complete", json_boolean(complete));
	js_put(o, "states", json_null());
	js_put(o, "estimate", json_null());
	js_put(o, "exit_code",
		json_integer(fails					       ? EXIT_FINDING
			     : !json_is_null(json_object_get(o, "unconfirmed")) ? EXIT_BUG
			     : complete					       ? EXIT_CLEAN
									       : EXIT_CUT));
}

static void merge_search(json_t *to, const struct merge_part *parts, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		add_result(to, parts[i].result);
		if (agree(&parts[0], &parts[i]))
			continue;
		js_put(to, "complete", json_false());
		js_add(json_object_get(to, "coverage"),
			js_text(xprintf("shards 1 and %u have not divided the same search: they "
					"learnt different facts about the program; explore it in "
					"one run (--jobs)", parts[i].number)));
	}
	end_result(to);
}

/* The exit code of a suite: the first of these that a shard has. */
static void merge_suite(json_t *to, const struct merge_part *parts, unsigned n)
{
	static const int codes[] = {EXIT_FINDING, EXIT_BUG, EXIT_USAGE, EXIT_CUT, EXIT_CLEAN};
	json_t *tests = json_array();
	int worst = EXIT_CLEAN;

	for (unsigned i = 0; i < n; i++)
		json_array_extend(tests, json_object_get(parts[i].result, "tests"));
	for (unsigned k = array_size(codes); k--;)
		for (unsigned i = 0; i < n; i++)
			if (json_integer_value(json_object_get(parts[i].result, "exit_code")) ==
				codes[k])
				worst = codes[k];
	js_put(to, "tests", sorted_array(tests, compare_tests));
	js_put(to, "exit_code", json_integer(worst));
}

static void add_suppressions(json_t *to, const json_t *from)
{
	json_t *rule;
	size_t i;

	json_array_foreach(to, i, rule)
		add_number(rule, json_array_get(from, i), "findings");
}

json_t *merge_files(char **files, unsigned n)
{
	struct merge_part *parts = xmalloc(n * sizeof(*parts));
	json_t *to;

	for (unsigned i = 0; i < n; i++)
		parts[i] = read_part(files[i]);
	check_parts(parts, n);
	qsort(parts, n, sizeof(*parts), compare_parts);
	to = json_deep_copy(parts[0].result);
	for (unsigned i = 1; i < n; i++)
		add_suppressions(json_object_get(to, "suppressions"),
			json_object_get(parts[i].result, "suppressions"));
	if (json_is_array(json_object_get(to, "tests")))
		merge_suite(to, parts, n);
	else
		merge_search(to, parts, n);
	js_put(to, "shard", json_null());
	return to;
}
