/* SPDX-License-Identifier: ISC */
/* folder.c - a folder of pages: one for each finding, and index.html. */
#include "html/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"

/* "queue.html", after its replay file; without one "finding-3.html". */
static const char *page_name(const struct found *f, unsigned number)
{
	const char *replay = found_replay(f), *base = replay ? path_base(replay) : "";
	const char *end = strrchr(base, '.');

	if (!end || end == base)
		return xprintf("finding-%u.html", number);
	return xprintf("%.*s.html", (int)(end - base), base);
}

static FILE *open_page(const char *folder, const char *name)
{
	char *path = xprintf("%s/%s", folder, name);
	FILE *out = fopen(path, "we");

	if (!out)
		die("%s: cannot be written: %s", path, strerror(errno));
	return out;
}

static void write_finding(const struct results *all, const struct result *test,
	struct found *f, const char *folder, const char *name)
{
	struct result one = *test;
	struct results only = *all;
	FILE *out = open_page(folder, name);

	one.findings = f;
	one.nfindings = 1;
	only.at = &one;
	only.n = 1;
	page_write(&only, "index.html", out);
	fclose(out);
}

/* "2 of 14 tests have findings" */
static const char *tests_with_findings(const struct results *all)
{
	unsigned bad = 0, unknown = 0;

	for (unsigned i = 0; i < all->n; i++) {
		bad += result_failures(&all->at[i]) > 0;
		unknown += all->at[i].error != NULL;
	}
	return xprintf("%u of %u test%s ha%s findings%s", bad, all->n, all->n == 1 ? "" : "s",
		all->n == 1 || bad == 1 ? "s" : "ve",
		unknown ? xprintf(", %u could not be explored", unknown) : "");
}

/* The address in a link: names of replay files may have any character. */
static const char *link_to(const struct found *f, unsigned number)
{
	const char *name = page_name(f, number);
	char *link = xmalloc(3 * strlen(name) + 1), *to = link;

	for (; *name; name++)
		to += sprintf(to, strchr("%#?:/\\\"<> ", *name) ? "%%%02X" : "%c",
			(unsigned char)*name);
	return link;
}

static void write_index(const struct results *all, const char *folder)
{
	FILE *out = open_page(folder, "index.html");
	struct html_page p = {.to = xml_open_html(out), .all = all, .link = link_to};

	page_begin(&p, xprintf("%s: %s", path_base(all->program), tests_with_findings(all)));
	page_put(&p, "p", "count", tests_with_findings(all));
	page_end(&p);
	page_start(&p, "main", NULL);
	page_tests(&p);
	page_end(&p);
	page_close(&p);
	fclose(out);
}

void html_folder(const struct results *all, const char *folder)
{
	unsigned number = 0;

	for (unsigned i = 0; i < all->n; i++)
		for (unsigned k = 0; k < all->at[i].nfindings; k++) {
			struct found *f = &all->at[i].findings[k];

			number++;
			write_finding(all, &all->at[i], f, folder, page_name(f, number));
		}
	write_index(all, folder);
}
