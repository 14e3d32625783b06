/* SPDX-License-Identifier: ISC */
/*
 * diff.c - see diff.h.
 *
 * The changes are known, so no search is needed: the lines of a change are a region; equal lines at
 * its ends are removed, and regions near each other are one hunk.
 */
#include "repair/diff.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

#define CONTEXT 3

struct lines {
	const char **at; /* each with its newline */
	u32 *length;
	u32 n;
};

struct region {
	u32 first, n;	 /* lines of the old text */
	struct lines new;
};

struct diff {
	struct lines old;
	struct region *region;
	u32 nregions;
};

static struct lines split(const char *text, size_t n)
{
	struct lines l = {NULL};

	for (size_t at = 0; at < n;) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t length = end ? (size_t)(end - (text + at)) + 1 : n - at;

		l.at = xgrow(l.at, (l.n + 1) * sizeof(*l.at));
		l.length = xgrow(l.length, (l.n + 1) * sizeof(*l.length));
		l.at[l.n] = text + at;
		l.length[l.n++] = (u32)length;
		at += length;
	}
	return l;
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static u32 line_at_offset(const struct diff *d, const char *text, u32 at)
{
	u32 i = 0;

	while (i + 1 < d->old.n && d->old.at[i + 1] <= text + at)
		i++;
	return i;
}

static bool equal_lines(const struct lines *a, u32 i, const struct lines *b, u32 k)
{
	return a->length[i] == b->length[k] && !memcmp(a->at[i], b->at[k], a->length[i]);
}

static void trim_region(const struct diff *d, struct region *r)
{
	while (r->n && r->new.n && equal_lines(&d->old, r->first, &r->new, 0)) {
		r->first++;
		r->n--;
		r->new.at++;
		r->new.length++;
		r->new.n--;
	}
	while (r->n && r->new.n &&
		equal_lines(&d->old, r->first + r->n - 1, &r->new, r->new.n - 1)) {
		r->n--;
		r->new.n--;
	}
}

/* Add the new text of lines first..last, which changes from..to touch. */
static void add_region(
	struct diff *d, const char *text, const struct change *c, u32 nchanges, u32 first, u32 last)
{
	u32 at = (u32)(d->old.at[first] - text),
	    end = (u32)(d->old.at[last] - text) + d->old.length[last];
	struct region r = {.first = first, .n = last - first + 1};
	size_t size;
	char *made;
	FILE *f = open_memstream(&made, &size);

	if (!f)
		die("not enough memory");
	for (u32 i = 0; i < nchanges; i++) {
		fwrite(text + at, 1, c[i].at - at, f);
		fputs(c[i].insert, f);
		at = c[i].at + c[i].remove;
	}
	fwrite(text + at, 1, end - at, f);
	fclose(f);
	r.new = split(made, size);
	trim_region(d, &r);
	if (!r.n && !r.new.n)
		return;
	d->region = xgrow(d->region, (d->nregions + 1) * sizeof(*d->region));
	d->region[d->nregions++] = r;
}

static void find_regions(struct diff *d, const char *text, const struct change *c, u32 n)
{
	for (u32 i = 0, k; i < n; i = k) {
		u32 first = line_at_offset(d, text, c[i].at), last = first;

		for (k = i; k < n && line_at_offset(d, text, c[k].at) <= last; k++) {
			u32 end = line_at_offset(d, text,
				c[k].at + (c[k].remove ? c[k].remove - 1 : 0));

			last = end > last ? end : last;
		}
		add_region(d, text, c + i, k - i, first, last);
	}
}

static void put_diff_line(FILE *out, char sign, const struct lines *l, u32 i)
{
	fputc(sign, out);
	fwrite(l->at[i], 1, l->length[i], out);
	if (l->at[i][l->length[i] - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", out);
}

static u32 region_end(const struct region *r)
{
	return r->first + r->n;
}

/* A hunk of the regions i..k - 1 and the lines around them. shift: lines added before. */
static void put_hunk(const struct diff *d, u32 i, u32 k, i32 shift, FILE *out)
{
	u32 from = d->region[i].first > CONTEXT ? d->region[i].first - CONTEXT : 0, to, added = 0,
	    line;

	to = region_end(&d->region[k - 1]) + CONTEXT;
	to = to < d->old.n ? to : d->old.n;
	for (u32 r = i; r < k; r++)
		added += d->region[r].new.n - d->region[r].n;
	fprintf(out, "@@ -%u,%u +%u,%u @@\n", to > from ? from + 1 : from, to - from,
		(u32)((i32)from + shift) + (to - from + added > 0), to - from + added);
	line = from;
	for (u32 r = i; r < k; r++) {
		for (; line < d->region[r].first; line++)
			put_diff_line(out, ' ', &d->old, line);
		for (; line < region_end(&d->region[r]); line++)
			put_diff_line(out, '-', &d->old, line);
		for (u32 j = 0; j < d->region[r].new.n; j++)
			put_diff_line(out, '+', &d->region[r].new, j);
	}
	for (; line < to; line++)
		put_diff_line(out, ' ', &d->old, line);
}

bool diff_write(
	const char *path, const char *text, u32 n, struct change *change, u32 nchanges, FILE *out)
{
	struct diff d = {.old = split(text, n)};
	i32 shift = 0;

	qsort(change, nchanges, sizeof(*change), compare_changes);
	if (d.old.n)
		find_regions(&d, text, change, nchanges);
	if (!d.nregions)
		return false;
	fprintf(out, "--- a/%s\n+++ b/%s\n", path, path);
	for (u32 i = 0, k; i < d.nregions; i = k) {
		for (k = i + 1; k < d.nregions &&
				d.region[k].first <=
					region_end(&d.region[k - 1]) + 2 * CONTEXT; k++)
			;
		put_hunk(&d, i, k, shift, out);
		for (u32 r = i; r < k; r++)
			shift += (i32)d.region[r].new.n - (i32)d.region[r].n;
	}
	return true;
}
