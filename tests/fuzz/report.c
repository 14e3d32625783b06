/* SPDX-License-Identifier: ISC */
/*
 * report.c - a replay file, and all documents made of it. The size selects the style. The
 * output is checked: no control character reaches a terminal, documents are
 * valid.
 */
#include "fuzz.h"

#include <jansson.h>
#include <libxml/HTMLparser.h>
#include <string.h>

#include "die.h"
#include "documents.h"
#include "document/drawing.h"
#include "job/suppress.h"
#include "trace_input.h"

static const char rules[] = "race file=*.c\n* function=main\n# why\nassertion file=x*\n";

struct output {
	FILE *f;
	char *bytes;
	size_t n;
};

static void output_begin(struct output *o)
{
	o->f = open_memstream(&o->bytes, &o->n);
	FUZZ_CHECK(o->f);
}

static void output_end(struct output *o)
{
	fclose(o->f);
}

/* No escape except Heddle's own colours, no other control character, including the second set of
 * ISO 8859. */
static void check_terminal(const struct output *o, bool color)
{
	for (size_t i = 0; i < o->n; i++) {
		u8 c = (u8)o->bytes[i], next = i + 1 < o->n ? (u8)o->bytes[i + 1] : 0;

		FUZZ_CHECK(
			c >= ' ' || c == '\n' || c == '\t' || (c == 033 && color && next == '['));
		FUZZ_CHECK(c != 0x7f && (c != 0xc2 || next >= 0xa0));
	}
}

static void check_text(const struct report *r, u8 how)
{
	struct style style = {.stacks = how & 1,
		.all = how & 2,
		.columns = how & 4,
		.color = how & 8,
		.width = how & 16   ? 200
			 : how & 32 ? 40
				    : 120};
	struct output o;

	output_begin(&o);
	text_report(r, &style, o.f);
	output_end(&o);
	check_terminal(&o, style.color);
}

static void ignore(void *ctx, const char *message, ...)
{
}

static void check_xml(const struct output *o)
{
	xmlDoc *doc;

	xmlSetGenericErrorFunc(NULL, ignore);
	doc = xmlReadMemory(o->bytes, (int)o->n, "x", NULL,
		XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE);
	FUZZ_CHECK(doc);
	xmlFreeDoc(doc);
}

/* A page has only elements and attributes that Heddle writes. */
static void check_element(const xmlNode *n)
{
	static const char known[] =
		" html head meta title style body header h1 h2 h3 h4 code ul li strong b span wbr "
		"a main article p dl dt dd section div table thead tr th small tbody td script "
		"details summary ol pre figure figcaption footer ";
	static const char attributes[] =
		" lang charset name content class id href data-n data-thread data-from data-to "
		"colspan scope type open value ";

	for (; n; n = n->next) {
		if (n->type != XML_ELEMENT_NODE)
			continue;
		FUZZ_CHECK(strstr(known, xprintf(" %s ", (const char *)n->name)));
		for (const xmlAttr *a = n->properties; a; a = a->next)
			FUZZ_CHECK(strstr(attributes, xprintf(" %s ", (const char *)a->name)));
		check_element(n->children);
	}
}

static void check_html(const struct output *o)
{
	xmlDoc *doc;

	xmlSetGenericErrorFunc(NULL, ignore);
	doc = htmlReadMemory(o->bytes, (int)o->n, "x", "UTF-8",
		HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
	FUZZ_CHECK(doc);
	check_element(xmlDocGetRootElement(doc));
	xmlFreeDoc(doc);
}

static void check_json(const struct output *o)
{
	json_t *whole = json_loadb(o->bytes, o->n, JSON_ALLOW_NUL, NULL);

	FUZZ_CHECK(whole);
	json_decref(whole);
}

/* Strings are terminated, and text outside of them is plain. */
static void check_dot(const struct output *o)
{
	bool quoted = false;

	for (size_t i = 0; i < o->n; i++) {
		char c = o->bytes[i];

		if (quoted && c == '\\')
			FUZZ_CHECK(++i < o->n && (o->bytes[i] == '"' || o->bytes[i] == '\\' ||
							 o->bytes[i] == 'n'));
		else if (c == '"')
			quoted = !quoted;
		else
			FUZZ_CHECK(quoted ? c != '\n' : !strchr("<&'`", c));
	}
	FUZZ_CHECK(!quoted);
}

void fuzz_documents(const struct results *all)
{
	struct output json, junit, sarif, html, annotate;
	struct outputs to;

	output_begin(&json);
	output_begin(&junit);
	output_begin(&sarif);
	output_begin(&html);
	output_begin(&annotate);
	to = (struct outputs){
		.json = json.f,
		.junit = junit.f,
		.sarif = sarif.f,
		.html = html.f,
		.annotate = annotate.f};
	results_write(all, &to);
	output_end(&json);
	output_end(&junit);
	output_end(&sarif);
	output_end(&html);
	output_end(&annotate);
	check_json(&json);
	check_json(&sarif);
	check_xml(&junit);
	check_html(&html);
	check_terminal(&annotate, false);
}

static void check_documents(const struct report *r, struct suppressions *s)
{
	struct found found = {.report = r, .passing = r};
	struct result result = {.findings = &found, .nfindings = 1};
	struct results all = {.program = r->t->program.path,
		.command_line = "heddle report x",
		.at = &result,
		.n = 1};

	result.summary.model = trace_option(r->t, "model");
	result.summary.strategy = trace_option(r->t, "strategy");
	found.suppressed = suppressions_match(s, &found);
	fuzz_documents(&all);
}

static void check_drawing(struct report *r, bool all)
{
	struct drawing *d = drawing_make(r, all);
	struct output dot, svg;

	output_begin(&dot);
	drawing_dot(d, dot.f);
	output_end(&dot);
	check_dot(&dot);
	output_begin(&svg);
	drawing_svg(d, svg.f);
	output_end(&svg);
	check_xml(&svg);
}

void fuzz_report(const u8 *data, size_t size)
{
	const struct trace *t = trace_input(data, size);
	u8 how = (u8)size;
	struct suppressions s;
	struct report *r;

	if (!t)
		return;
	fuzz_file(rules, strlen(rules));
	s = suppressions_read("x");
	r = report_open(t, "a b.heddle");
	report_select(r, how & 2);
	check_text(r, how);
	check_documents(r, &s);
	if (t->nevents)
		check_drawing(r, how & 64);
}
