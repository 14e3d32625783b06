/* SPDX-License-Identifier: ISC */
/* js.h - building JSON with jansson; without memory the process exits. */
#ifndef DOCUMENT_JS_H
#define DOCUMENT_JS_H

#include <jansson.h>

#include "base/base.h"

/* A string, or null for NULL. Bytes that are not UTF-8 become U+FFFD. */
json_t *js_text(const char *s);
json_t *js_text_n(const char *s, size_t n);

/* null also for "", for 0. */
json_t *js_or_null(const char *s);
json_t *js_number_or_null(u64 n);

/* "0x1f" */
json_t *js_hex(const u64 *value);
json_t *js_hex_one(u64 value);

/* Both take over `value`. */
void js_put(json_t *object, const char *key, json_t *value);
void js_add(json_t *array, json_t *value);

/* A string, if there is one: else the key is not there; a number. */
void js_put_text(json_t *object, const char *key, const char *s);
void js_put_number(json_t *object, const char *key, u64 n);

/* Write a document, indented, and a newline; frees it. */
void js_write(json_t *whole, FILE *out);

struct report;

/* An array of item(0) to item(n - 1), without those that are NULL. */
json_t *js_list(const struct report *r, u32 n, json_t *(*item)(const struct report *r, u32 i));

/* Why the execution is not sequentially consistent; null if it is, or unknown (js_why.c). */
json_t *js_why(const struct report *r);

/* The execution of a finding: the keys of `o' from "threads" to "output"; without a replay file
 * there is none (js_trace.c). The accesses of a race. */
void js_put_trace(json_t *o, const struct report *r);
void js_put_no_trace(json_t *o);
json_t *js_race(const struct report *r);

#endif
