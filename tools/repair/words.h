/* SPDX-License-Identifier: ISC */
/* words.h - common text of `heddle fences' (advice.c) and `heddle relax' (relaxation.c). */
#ifndef REPAIR_WORDS_H
#define REPAIR_WORDS_H

#include <jansson.h>
#include <stdio.h>

#include "repair/repair.h"

/* "sb.c:30  writer_x"; place: the width of its first part. */
char *point_words(const struct point *p, int place);

/* The reason for an option of a choice, from an execution that fails without it; NULL: none
 * known. */
char *repair_reason(const struct repair *r, const struct repair_choice *c, u32 i);

/* The reasons of an incomplete exploration: ": this, that" */
void text_bounds(const struct summary *s, FILE *out);

/* "12 executions", or "93 states" of strategy states. */
char *explored_words(const struct summary *s);

/* A diff: into `file`, and how to apply it, or for NULL the diff itself. */
void text_diff(const struct patch *p, const char *file, FILE *out);

/* The end of the last line: number of explorations, their purpose ("" or " for 3 orders"), time. */
void text_effort(const struct repair *r, const char *of, FILE *out);

/* The position of a point: in the source, and as in an orders file (event/order_file.h). */
void json_place(json_t *o, const struct points *p, u32 point);

/* The beginning and end of a document; the end writes it. */
json_t *json_begin(const struct repair *r, const char *result, bool proved);
void json_end(const struct repair *r, json_t *o, FILE *out);

#endif
