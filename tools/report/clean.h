/* SPDX-License-Identifier: ISC */
/*
 * clean.h - text from files and programs, sanitised for output.
 *
 * Names, messages and output may contain anything: terminal escapes, line ends that imitate our
 * lines, bytes that are no text. Replaced are control characters (including U+0080 to U+009F),
 * changes of writing direction, and invalid UTF-8.
 */
#ifndef REPORT_CLEAN_H
#define REPORT_CLEAN_H

#include <stdio.h>

#include "base/base.h"

/* On one line; each of such bytes as \xNN. s itself if there are none. */
const char *clean_text(const char *s);

/* The same of n bytes, to a file; a tab stays. */
void clean_put(const char *s, size_t n, FILE *out);

/* A whole page: line ends and, if asked for, the colours of text.c stay. */
void clean_page(const char *s, size_t n, bool color, FILE *out);

/* As UTF-8 with the characters that XML 1.0 has; others become U+FFFD. */
char *clean_xml(const char *s);

/* Any bytes as UTF-8, with U+FFFD for invalid ones. */
char *clean_utf8(const char *s, size_t n);

#endif
