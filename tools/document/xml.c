/* SPDX-License-Identifier: ISC */
/* xml.c - see xml.h. */
#include "document/xml.h"

#include <dlfcn.h>
#include <libxml/HTMLtree.h>
#include <libxml/xmlwriter.h>
#include <stdarg.h>
#include <stdlib.h>

#include "die.h"
#include "report/clean.h"

/*
 * libxml2 is loaded when a document is written: it needs half of the libraries of the tool, and of
 * the time in which the tool starts.
 */
/* clang-format off */
#define FUNCTIONS(F) \
	F(htmlNodeDumpFormatOutput) \
	F(xmlBufferContent) \
	F(xmlBufferCreate) \
	F(xmlBufferFree) \
	F(xmlDocGetRootElement) \
	F(xmlFreeDoc) \
	F(xmlFreeTextWriter) \
	F(xmlNewTextWriterDoc) \
	F(xmlNewTextWriterMemory) \
	F(xmlOutputBufferClose) \
	F(xmlOutputBufferCreateBuffer) \
	F(xmlOutputBufferWriteString) \
	F(xmlTextWriterEndDocument) \
	F(xmlTextWriterEndElement) \
	F(xmlTextWriterSetIndent) \
	F(xmlTextWriterStartDocument) \
	F(xmlTextWriterStartElement) \
	F(xmlTextWriterWriteAttribute) \
	F(xmlTextWriterWriteString) \
	F(xmlTextWriterWriteVFormatAttribute)
/* clang-format on */

static struct {
#define F(name) __typeof__(&name) name;
	FUNCTIONS(F)
#undef F
} lib;

static void *find_function(void *library, const char *name)
{
	void *p = dlsym(library, name);

	if (!p)
		die("%s has no %s", LIBXML2, name);
	return p;
}

static void load_library(void)
{
	void *library;

	if (lib.xmlFreeDoc)
		return;
	library = dlopen(LIBXML2, RTLD_NOW);
	if (!library)
		die("cannot load %s, which writes XML and HTML (apt-get install libxml2)", LIBXML2);
#define F(name) lib.name = (__typeof__(lib.name))find_function(library, #name);
	FUNCTIONS(F)
#undef F
}

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

	load_library();
	x->out = out;
	x->buffer = lib.xmlBufferCreate();
	x->to = x->buffer ? lib.xmlNewTextWriterMemory(x->buffer, 0) : NULL;
	if (!x->to)
		die("not enough memory");
	lib.xmlTextWriterSetIndent(x->to, 1);
	note_result(x, lib.xmlTextWriterStartDocument(x->to, NULL, "UTF-8", NULL));
	return x;
}

struct xml *xml_open_html(FILE *out)
{
	struct xml *x = xmalloc(sizeof(*x));

	load_library();
	x->out = out;
	x->buffer = lib.xmlBufferCreate();
	x->to = x->buffer ? lib.xmlNewTextWriterDoc(&x->html, 0) : NULL;
	if (!x->to)
		die("not enough memory");
	note_result(x, lib.xmlTextWriterStartDocument(x->to, NULL, "UTF-8", NULL));
	return x;
}

void xml_start(struct xml *x, const char *element)
{
	note_result(x, lib.xmlTextWriterStartElement(x->to, (const xmlChar *)element));
}

void xml_end(struct xml *x)
{
	note_result(x, lib.xmlTextWriterEndElement(x->to));
}

void xml_attribute(struct xml *x, const char *name, const char *value)
{
	xmlChar *clean = (xmlChar *)clean_xml(value);

	note_result(x, lib.xmlTextWriterWriteAttribute(x->to, (const xmlChar *)name, clean));
	free(clean);
}

void xml_format(struct xml *x, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	note_result(x,
		lib.xmlTextWriterWriteVFormatAttribute(x->to, (const xmlChar *)name, format, args));
	va_end(args);
}

void xml_text(struct xml *x, const char *s)
{
	xmlChar *clean = (xmlChar *)clean_xml(s);

	note_result(x, lib.xmlTextWriterWriteString(x->to, clean));
	free(clean);
}

/* HTML has elements without an end, elements that need one, and scripts without escapes. */
static void serialise_html(struct xml *x)
{
	xmlOutputBuffer *to = lib.xmlOutputBufferCreateBuffer(x->buffer, NULL);

	if (!to || !lib.xmlDocGetRootElement(x->html))
		die("not enough memory");
	lib.xmlOutputBufferWriteString(to, "<!DOCTYPE html>\n");
	lib.htmlNodeDumpFormatOutput(to, x->html, lib.xmlDocGetRootElement(x->html), "UTF-8", 0);
	note_result(x, lib.xmlOutputBufferClose(to));
	lib.xmlFreeDoc(x->html);
}

void xml_close(struct xml *x, const char *what)
{
	note_result(x, lib.xmlTextWriterEndDocument(x->to));
	lib.xmlFreeTextWriter(x->to);
	if (x->html)
		serialise_html(x);
	if (x->failed || fputs((const char *)lib.xmlBufferContent(x->buffer), x->out) == EOF ||
		fflush(x->out) != 0)
		die("%s could not be written", what);
	lib.xmlBufferFree(x->buffer);
	free(x);
}
