/* SPDX-License-Identifier: ISC */
/* suppress.c - see suppress.h. */
#include "job/suppress.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "option/opt.h"
#include "path.h"
#include "report/clean.h"

#define DEFAULT_FILE "heddle.supp"
#define BLANKS	     " \t\r\n"

/* --- reading --------------------------------------------------------------------------------- */

/* The current place in the file. */
struct place {
	const char *file;
	int line;
};

static void check_kind(const struct place *at, const char *glob)
{
	const char *names[FINDING_KINDS + 1], *best;
	char *all = (char *)"";

	for (int k = 0; k < FINDING_KINDS; k++) {
		names[k] = finding_name((enum finding_kind)k);
		if (!fnmatch(glob, names[k], 0))
			return;
	}
	names[FINDING_KINDS] = NULL;
	best = nearest(glob, names);
	for (int k = 0; k < FINDING_KINDS; k++)
		all = xprintf("%s%s%s", all, k ? ", " : "", names[k]);
	if (best)
		die("%s:%d: no kind of finding `%s': did you mean `%s'?", at->file, at->line, glob,
			best);
	die("%s:%d: no kind of finding `%s': there are %s", at->file, at->line, glob, all);
}

static void read_condition(const struct place *at, const char *word, struct suppression *rule)
{
	size_t n = strcspn(word, "=");
	const char **to;

	if (n == 8 && !strncmp(word, "function=", 9))
		to = &rule->function;
	else if (n == 4 && !strncmp(word, "file=", 5))
		to = &rule->source;
	else
		die("%s:%d: `%s': wanted function=GLOB or file=GLOB", at->file, at->line, word);
	if (!word[n + 1])
		die("%s:%d: `%s': the glob is empty", at->file, at->line, word);
	if (*to)
		die("%s:%d: a second %.*s: `%s'", at->file, at->line, (int)n, word, word);
	*to = xstrdup(word + n + 1);
}

static void add_rule(struct suppressions *s, const struct place *at, char *line, char *reason)
{
	struct suppression rule = {.file = at->file, .line = at->line, .reason = reason};
	char *rest, *word = strtok_r(line, BLANKS, &rest);

	check_kind(at, word);
	rule.kind = xstrdup(word);
	while ((word = strtok_r(NULL, BLANKS, &rest)) && *word != '#')
		read_condition(at, word, &rule);
	s->rule = xgrow(s->rule, (s->n + 1) * sizeof(*s->rule));
	s->rule[s->n++] = rule;
}

/* A comment's text, appended to those above it. */
static char *add_reason(const char *before, const char *comment)
{
	int n;

	comment += strspn(comment, "#" BLANKS);
	n = (int)strcspn(comment, "\r\n");
	return before ? xprintf("%s %.*s", before, n, comment) : xprintf("%.*s", n, comment);
}

static void read_suppressions(struct suppressions *s, FILE *f)
{
	struct place at = {s->path, 0};
	char *line = NULL, *reason = NULL;
	size_t room = 0;
	ssize_t n;

	while ((n = getline(&line, &room, f)) >= 0) {
		char *word = line + strspn(line, BLANKS);

		at.line++;
		if (strlen(line) != (size_t)n)
			die("%s:%d: a NUL byte: this is not a text file", at.file, at.line);
		if (*word == '#') {
			reason = add_reason(reason, word);
			continue;
		}
		if (*word)
			add_rule(s, &at, word, reason);
		reason = NULL;
	}
	if (ferror(f))
		die("%s: %s", s->path, strerror(errno));
	free(line);
}

struct suppressions suppressions_read(const char *path)
{
	struct suppressions s = {path ? path : DEFAULT_FILE};
	FILE *f = fopen(s.path, "re");

	if (!f && !path && errno == ENOENT)
		return (struct suppressions){NULL};
	if (!f)
		die("%s: %s", s.path, strerror(errno));
	read_suppressions(&s, f);
	fclose(f);
	return s;
}

/* --- matching -------------------------------------------------------------------------------- */

static bool call_matches(const struct suppression *rule, const char *function, const char *file)
{
	return (!rule->function || (function && !fnmatch(rule->function, function, 0))) &&
	       (!rule->source || (file && path_matches(rule->source, file)));
}

static bool frames_match(const struct suppression *rule, const struct frames *f)
{
	for (unsigned i = 0; f && i < f->n; i++)
		if (call_matches(rule, f->at[i].function, f->at[i].file))
			return true;
	return false;
}

static bool stack_matches(const struct suppression *rule, const struct report *r, u32 id)
{
	const struct trace_stack *s = trace_stack(r->t, id);

	for (u32 i = 0; s && i < s->nframes; i++)
		if (frames_match(rule, symbol_frames(r->symbols, s->frames[i])))
			return true;
	return false;
}

/* Does the place match, with functions inlined there, primitives included? */
static bool access_matches(const struct suppression *rule, const struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];
	const struct trace_stack *s = trace_stack(r->t, row->ev->e.stack);

	return frames_match(rule, row->at) ||
	       (s && s->nframes && frames_match(rule, symbol_frames(r->symbols, s->frames[0])));
}

static bool place_matches(const struct suppression *rule, const struct found *f)
{
	const struct report *r = f->report;
	u32 step;

	if ((!rule->function && !rule->source) ||
		call_matches(rule, found_function(f), found_file(f)))
		return true;
	if (!r)
		return false;
	if (r->has_race)
		return access_matches(rule, r, r->race[0].step) ||
		       access_matches(rule, r, r->race[1].step);
	step = r->t->finding.f.step;
	if (step && stack_matches(rule, r, r->rows[step - 1].ev->e.stack))
		return true;
	for (u32 i = 0; i < r->t->nwaits; i++)
		if (stack_matches(rule, r, r->t->waits[i].stack))
			return true;
	return false;
}

struct suppression *suppressions_match(const struct suppressions *s, const struct found *f)
{
	const char *kind = finding_name(found_base(f)->kind);

	for (unsigned i = 0; i < s->n; i++)
		if (!fnmatch(s->rule[i].kind, kind, 0) && place_matches(&s->rule[i], f))
			return &s->rule[i];
	return NULL;
}

/* --- counts of suppressed findings ----------------------------------------------------------- */

void suppressions_count(struct suppressions *s, const struct found *findings, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (findings[i].suppressed)
			s->rule[findings[i].suppressed - s->rule].findings++;
}

static void show_rule(const struct suppression *rule, FILE *out)
{
	fprintf(out, "%s%s%s%s%s", rule->kind, rule->function ? " function=" : "",
		rule->function ? rule->function : "", rule->source ? " file=" : "",
		rule->source ? rule->source : "");
}

void suppressions_show(
	const struct suppressions *s, const struct found *findings, unsigned n, FILE *out)
{
	for (unsigned i = 0; i < n; i++) {
		const struct suppression *rule = findings[i].suppressed;

		if (rule)
			fprintf(out, "note: %s:%d suppresses: %s\n", rule->file, rule->line,
				clean_text(found_message(&findings[i])));
	}
	for (unsigned i = 0; i < s->n; i++) {
		if (s->rule[i].findings)
			continue;
		fprintf(out, "note: %s:%d suppresses nothing: ", s->rule[i].file, s->rule[i].line);
		show_rule(&s->rule[i], out);
		fputc('\n', out);
	}
}
