/* SPDX-License-Identifier: ISC */
/* xml.c - see xml.h. */
#include "report/xml.h"

#include <libxml/HTMLtree.h>
#include <libxml/xmlwriter.h>
#include <stdarg.h>
#include <stdlib.h>

#include "die.h"
#include "report/clean.h"

struct xml {
	xmlTextWriter *to;
	xmlBuffer *buffer;
	xmlDoc *html; /* NULL: XML */
	FILE *out;
	bool failed;
};

static void note_result(struct xml *x, int result)
{
	x->failed |= result < 0;
}

struct xml *xml_open(FILE *out)
{
	struct xml *x = xmalloc(sizeof(*x));

	x->out = out;
	x->buffer = xmlBufferCreate();
	x->to = x->buffer ? xmlNewTextWriterMemory(x->buffer, 0) : NULL;
	if (!x->to)
		die("not enough memory");
	xmlTextWriterSetIndent(x->to, 1);
	note_result(x, xmlTextWriterStartDocument(x->to, NULL, "UTF-8", NULL));
	return x;
}

struct xml *xml_open_html(FILE *out)
{
	struct xml *x = xmalloc(sizeof(*x));

	x->out = out;
	x->buffer = xmlBufferCreate();
	x->to = x->buffer ? xmlNewTextWriterDoc(&x->html, 0) : NULL;
	if (!x->to)
		die("not enough memory");
	note_result(x, xmlTextWriterStartDocument(x->to, NULL, "UTF-8", NULL));
	return x;
}

void xml_start(struct xml *x, const char *element)
{
	note_result(x, xmlTextWriterStartElement(x->to, (const xmlChar *)element));
}

void xml_end(struct xml *x)
{
	note_result(x, xmlTextWriterEndElement(x->to));
}

void xml_attribute(struct xml *x, const char *name, const char *value)
{
	xmlChar *clean = (xmlChar *)clean_xml(value);

	note_result(x, xmlTextWriterWriteAttribute(x->to, (const xmlChar *)name, clean));
	free(clean);
}

void xml_format(struct xml *x, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	note_result(
		x, xmlTextWriterWriteVFormatAttribute(x->to, (const xmlChar *)name, format, args));
	va_end(args);
}

void xml_text(struct xml *x, const char *s)
{
	xmlChar *clean = (xmlChar *)clean_xml(s);

	note_result(x, xmlTextWriterWriteString(x->to, clean));
	free(clean);
}

/* HTML has elements without an end, elements that need one, and scripts without escapes. */
static void serialise_html(struct xml *x)
{
	xmlOutputBuffer *to = xmlOutputBufferCreateBuffer(x->buffer, NULL);

	if (!to || !xmlDocGetRootElement(x->html))
		die("not enough memory");
	xmlOutputBufferWriteString(to, "<!DOCTYPE html>\n");
	htmlNodeDumpFormatOutput(to, x->html, xmlDocGetRootElement(x->html), "UTF-8", 0);
	note_result(x, xmlOutputBufferClose(to));
	xmlFreeDoc(x->html);
}

void xml_close(struct xml *x, const char *what)
{
	note_result(x, xmlTextWriterEndDocument(x->to));
	xmlFreeTextWriter(x->to);
	if (x->html)
		serialise_html(x);
	if (x->failed || fputs((const char *)xmlBufferContent(x->buffer), x->out) == EOF ||
		fflush(x->out) != 0)
		die("%s could not be written", what);
	xmlBufferFree(x->buffer);
	free(x);
}
