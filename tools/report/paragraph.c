/* SPDX-License-Identifier: ISC */
/*
 * paragraph.c - the paragraphs of a report below its steps: waits, race, timing, history, cycle,
 * why, repair, heap, replay.
 */
#include "report/paragraph.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "report/block.h"

struct paragraph_page {
	const struct report *r;
	FILE *out;
	void (*begin)(void *to, const char *word);
	void *to;
};

static void heading(const struct paragraph_page *p, const char *word)
{
	p->begin(p->to, word);
}

/* --- why ------------------------------------------------------------------------------------- */

static void put_race(struct paragraph_page *p)
{
	const struct report *r = p->r;

	for (unsigned i = 0; i < 2 && r->has_race; i++) {
		const struct row *row = &r->rows[r->race[i].step - 1];

		heading(p, i ? "and" : r->t->finding.f.kind == FINDING_RACE ? "race" : "between");
		if (row->ev->e.kind == EV_EXIT)
			fprintf(p->out, "%s\n", race_access(r, i));
		else
			fprintf(p->out, "%s  (%s %s), holding %s\n", race_access(r, i),
				row_function(r, row), row_place(r, row), r->race[i].held);
	}
	if (!r->has_race || !*r->race_why)
		return;
	heading(p, "why");
	fprintf(p->out, "%s\n", r->race_why);
	if (!r->race_note)
		return;
	heading(p, "");
	fprintf(p->out, "%s\n", r->race_note);
}

/* The i-th wait, and the reason why it does not end. */
static char *wait_line(const struct report *r, u32 i)
{
	char *why = wait_why(r, &r->t->waits[i]);

	return xprintf("%s%s%s", wait_words(r, &r->t->waits[i]), why ? "; " : "", why ? why : "");
}

/* Threads with the same text share a line. */
static void put_waits_text(struct paragraph_page *p)
{
	const struct report *r = p->r;
	bool *said = xmalloc(r->t->nwaits * sizeof(*said));
	const char *word = r->t->finding.f.kind == FINDING_LOCK_ORDER ? "locks" : "waits";

	for (u32 i = 0; i < r->t->nwaits; i++) {
		char *line = wait_line(r, i);
		bool several = false;

		if (said[i])
			continue;
		heading(p, word);
		word = "";
		fprintf(p->out, "%s", thread_long_label(r, r->t->waits[i].thread));
		for (u32 k = i + 1; k < r->t->nwaits; k++) {
			if (said[k] || strcmp(wait_line(r, k), line) != 0)
				continue;
			said[k] = several = true;
			fprintf(p->out, ", %s", thread_long_label(r, r->t->waits[k].thread));
		}
		fprintf(p->out, ": %s%s\n", several ? "each " : "", line);
	}
	free(said);
	if (wait_repeats(r)) {
		heading(p, "repeats");
		fprintf(p->out, "%s\n", wait_repeats(r));
	}
}

static void put_timing(struct paragraph_page *p)
{
	for (unsigned i = 0; i < p->r->ntimings; i++) {
		heading(p, i ? "" : "timing");
		fprintf(p->out, "%s\n", p->r->timings[i].text);
	}
}

/* --- the heap -------------------------------------------------------------------------------- */

static bool block_is_named(const struct report *r, u32 index)
{
	const char *name = r->blocks[index].name;
	size_t n = strlen(name);

	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct row *row = &r->rows[i];
		const char *what = row->shown ? row->what : "";

		while ((what = strstr(what, name))) {
			if (!(what[n] >= '0' && what[n] <= '9'))
				return true;
			what += n;
		}
	}
	return false;
}

static void put_blocks(struct paragraph_page *p)
{
	const struct report *r = p->r;
	const char *word = "heap";

	for (u32 i = 0; i < r->t->nblocks; i++) {
		const struct trace_block *b = &r->t->blocks[i];
		const char *site = block_site(r, i), *wrapper = block_wrapper(r, i);

		if (!block_is_named(r, i))
			continue;
		heading(p, word);
		word = "";
		fprintf(p->out, "%s: block of %llu bytes allocated %s%s%sby %s%s%s\n",
			r->blocks[i].name, (unsigned long long)b->size, site ? "at " : "",
			site ? site : "", site ? " " : "", thread_long_label(r, b->thread),
			wrapper ? ", through " : "", wrapper ? wrapper : "");
	}
}

/* --- all ------------------------------------------------------------------------------------- */

static void put_replay(struct paragraph_page *p)
{
	const char *file = shell_word(path_here(p->r->path));

	heading(p, "replay");
	fprintf(p->out, "heddle replay %s\n", file);
	heading(p, "debug");
	fprintf(p->out, "heddle replay --gdb %s\n", file);
}

void report_paragraphs(const struct report *r, unsigned width,
	void (*begin)(void *to, const char *word), void *to, FILE *out)
{
	struct paragraph_page p = {.r = r, .out = out, .begin = begin, .to = to};

	put_waits_text(&p);
	put_race(&p);
	put_timing(&p);
	text_history(r, begin, to, width, out);
	text_why(r, begin, to, out);
	put_blocks(&p);
	put_replay(&p);
}

/* --- as a list ------------------------------------------------------------------------------- */

#define PARAGRAPHS_MAX 1000

/* The text so far, and where each paragraph begins in it. */
struct cut {
	FILE *out;
	struct paragraph *list;
	size_t at[PARAGRAPHS_MAX + 1];
	unsigned n;
};

static void begin_line(void *to, const char *word)
{
	struct cut *c = to;

	fflush(c->out);
	if (c->n == PARAGRAPHS_MAX)
		return;
	c->list[c->n].word = xstrdup(word);
	c->at[c->n++] = (size_t)ftell(c->out);
}

unsigned report_paragraph_list(const struct report *r, unsigned width, struct paragraph **list)
{
	struct cut *c = xmalloc(sizeof(*c));
	char *text;
	size_t n;

	*list = c->list = xmalloc(PARAGRAPHS_MAX * sizeof(*c->list));
	c->out = open_memstream(&text, &n);
	if (!c->out)
		die("not enough memory");
	report_paragraphs(r, width, begin_line, c, c->out);
	if (fclose(c->out) != 0)
		die("not enough memory");
	c->at[c->n] = n;
	for (unsigned i = 0; i < c->n; i++) {
		size_t length = c->at[i + 1] - c->at[i];

		while (length && text[c->at[i] + length - 1] == '\n')
			length--;
		c->list[i].text = xprintf("%.*s", (int)length, text + c->at[i]);
	}
	free(text);
	return c->n;
}
