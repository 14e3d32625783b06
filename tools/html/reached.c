/* SPDX-License-Identifier: ISC */
/* reached.c - a page's section on coverage. */
#include "html/page.h"
#include "document/reached.h"

#include "die.h"

static void begin_list(struct html_page *p, const char *title)
{
	page_put(p, "h3", NULL, title);
	page_start(p, "ul", NULL);
}

void page_reached(struct html_page *p, const struct summary *s)
{
	const struct reached *r = s->reached;

	page_start(p, "section", NULL);
	page_put(p, "h2", NULL, "Coverage");
	page_put(p, "p", NULL,
		xprintf("%u of %u lines were reached, %u of %u branches were taken both ways; %s.",
			r->lines_seen, r->lines, r->both, r->branches, reached_meaning(s)));
	if (r->nmissing)
		begin_list(p, "Never reached");
	for (unsigned i = 0; i < r->nmissing;)
		page_put(p, "li", NULL, reached_range(r, &i));
	if (r->nmissing)
		page_end(p);
	if (r->nways)
		begin_list(p, "One way only");
	for (unsigned i = 0; i < r->nways; i++)
		page_put(p, "li", NULL, reached_way_words(&r->ways[i]));
	if (r->nways)
		page_end(p);
	if (r->npairs)
		begin_list(p, "Reads-from pairs that were seen");
	for (unsigned i = 0; i < r->npairs; i++)
		page_put(p, "li", NULL, reached_pair_words(&r->pairs[i]));
	if (r->npairs)
		page_end(p);
	page_end(p);
}
