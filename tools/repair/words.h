/* SPDX-License-Identifier: ISC */
/* words.h - what `heddle fences' (advice.c) and `heddle relax' (relaxation.c) say in the same
 * words. */
#ifndef REPAIR_WORDS_H
#define REPAIR_WORDS_H

#include <jansson.h>
#include <stdio.h>

#include "repair/repair.h"

/* "sb.c:30  writer_x"; place: the width of its first part. */
char *point_words(const struct point *p, int place);

/* Why a choice has the option, from an execution that fails without it; NULL: none is known. */
char *repair_reason(const struct repair *r, const struct repair_choice *c, u32 i);

/* Why an exploration was not complete: ": this, that" */
void text_bounds(const struct summary *s, FILE *out);

/* A diff: into `file`, and how to apply it, or for NULL the diff itself. */
void text_diff(const struct patch *p, const char *file, FILE *out);

/* The last line's end: how many explorations, what they were for ("" or " for 3 orders"), how long
 * they took. */
void text_effort(const struct repair *r, const char *of, FILE *out);

/* Where a point is: in the source, and as an orders file (event/order_file.h) names it. */
void json_place(json_t *o, const struct points *p, u32 point);

/* What a document begins with, and ends with; the end writes it. */
json_t *json_begin(const struct repair *r, const char *result, bool proved);
void json_end(const struct repair *r, json_t *o, FILE *out);

#endif
