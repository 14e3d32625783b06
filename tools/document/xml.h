/* SPDX-License-Identifier: ISC */
/* xml.h - writing an XML or HTML document with libxml2; text is cleaned (clean.h), an error is kept
 * until the end. */
#ifndef DOCUMENT_XML_H
#define DOCUMENT_XML_H

#include <stdio.h>

struct xml;

/* A new document, on `out` once it is closed. */
struct xml *xml_open(FILE *out);

/* The same as HTML 5. The text of <script> and <style> is written as it is. */
struct xml *xml_open_html(FILE *out);

void xml_start(struct xml *x, const char *element);
void xml_end(struct xml *x);
void xml_attribute(struct xml *x, const char *name, const char *value);
void xml_format(struct xml *x, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void xml_text(struct xml *x, const char *s);

/* End all open elements and write the document; if that fails: exit code 2, naming `what`. */
void xml_close(struct xml *x, const char *what);

#endif
