/* SPDX-License-Identifier: ISC */
/*
 * annotate.c - findings as workflow commands, which GitHub shows at their lines in the source.
 *
 *     ::error file=queue.c,line=12,title=heddle: race::data race on x: ...
 *
 * An error for each finding that counts, a notice at the other access of a race, a warning where
 * the exploration is not complete. Control characters become \xNN; after `::` newlines and percent
 * signs are escaped; in a property so are colons and commas.
 */
#include "document/result.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "report/clean.h"

static void put_escaped(const char *s, bool property, FILE *out)
{
	char *page;
	size_t n;
	FILE *to = open_memstream(&page, &n);

	if (!to)
		die("not enough memory");
	clean_page(s, strlen(s), false, to);
	fclose(to);
	for (s = page; *s; s++) {
		if (*s == '%' || *s == '\n' || (property && (*s == ':' || *s == ',')))
			fprintf(out, "%%%02X", (unsigned char)*s);
		else
			fputc(*s, out);
	}
	free(page);
}

static void put_workflow_command(const char *level, const char *file, int line, const char *title,
	const char *message, FILE *out)
{
	fprintf(out, "::%s ", level);
	if (file) {
		fputs("file=", out);
		put_escaped(source_path(file), true, out);
		if (line)
			fprintf(out, ",line=%d", line);
		fputc(',', out);
	}
	fputs("title=", out);
	put_escaped(title, true, out);
	fputs("::", out);
	put_escaped(message, false, out);
	fputc('\n', out);
}

/* A notice at the other access of a race. */
static void put_other_access(const struct report *r, const char *title, FILE *out)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct frames *at = r->rows[r->race[i].step - 1].at;

		if (r->race[i].step != r->t->finding.f.step && at && at->at[0].file)
			put_workflow_command("notice", at->at[0].file, at->at[0].line, title,
				xprintf("the other access: %s", race_access(r, i)), out);
	}
}

static void annotate_finding(const char *test, const struct found *f, FILE *out)
{
	const char *kind = finding_name(found_base(f)->kind), *replay = found_replay(f);
	char *title = test ? xprintf("heddle: %s in %s", kind, test) : xprintf("heddle: %s", kind);
	char *message = xprintf("%s%s%s%s", found_message(f),
		found_reorder(f) == 1 ? "; needs reordering: impossible under sc" : "",
		replay ? "\nheddle replay " : "", replay ? shell_word(path_here(replay)) : "");

	put_workflow_command("error", found_file(f), found_line(f), title, message, out);
	if (f->report && f->report->has_race)
		put_other_access(f->report, title, out);
}

static void annotate_result(const struct result *r, FILE *out)
{
	const char *test = r->suite && r->name ? xprintf("%s: %s", r->suite, r->name) : r->name;
	const char *title = test ? xprintf("heddle: %s", test) : "heddle";
	char *last;

	for (unsigned i = 0; i < r->nfindings; i++)
		if (!r->findings[i].suppressed)
			annotate_finding(test, &r->findings[i], out);
	if (r->error) {
		put_workflow_command("error", NULL, 0, title, r->error, out);
	} else if (!result_failures(r) && r->summary.known && !r->summary.complete) {
		last = summary_text(&r->summary);
		last[strcspn(last, "\n")] = 0;
		put_workflow_command("warning", NULL, 0, title, last, out);
	}
}

void annotate_results(const struct results *r, FILE *out)
{
	for (unsigned i = 0; i < r->n; i++)
		annotate_result(&r->at[i], out);
	fflush(out);
}
