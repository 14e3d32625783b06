/* SPDX-License-Identifier: ISC */
/*
 * hardware_executions.h - the executions of a hardware program: those that the axioms allow, found
 * by trying every rf and co (hardware_enumerate.c); those that the explorer visits
 * (hardware_explore.c).
 */
#ifndef AGREE_HARDWARE_EXECUTIONS_H
#define AGREE_HARDWARE_EXECUTIONS_H

#include "hardware_program.h"

#include <stddef.h>

/* Names of events: 1 + thread * HP_EVENTS + index; 0: the initial write. */
#define HX_WRITES 8

struct hx {
	uint8_t rf[HP_THREADS][HP_EVENTS]; /* sources of reads; others 0 */
	uint8_t value[HP_THREADS][HP_EVENTS];
	uint8_t reads[HP_THREADS][HP_EVENTS]; /* 1: a read */
	uint8_t co[HP_PLACES][HX_WRITES];
	uint8_t final[HP_PLACES];
};

struct hx_set {
	struct hx *x;
	size_t n, max;
};

static inline uint8_t hx_name(int thread, int index)
{
	return (uint8_t)(1 + thread * HP_EVENTS + index);
}

void hx_add(struct hx_set *s, const struct hx *x);
/* Sort; returns how many are equal to another one, which are removed. */
size_t hx_sort(struct hx_set *s);
/* How many of a are not in b; *one is one of them. Both are sorted. */
size_t hx_missing(const struct hx_set *a, const struct hx_set *b, struct hx *one);
void hx_print(const struct hprogram *p, const struct hx *x);

/* By model: without load buffering, and `cyclic', with it; *buffering counts these. False: more
 * than `most' candidates. */
bool hx_enumerate(const struct hprogram *p, unsigned long most, struct hx_set set[HP_MODELS],
	struct hx_set cyclic[HP_MODELS], unsigned long buffering[HP_MODELS]);

/* NULL, or the explorer's error. *buffers: holes_possible() afterwards. */
const char *hx_explore(const struct hprogram *p, enum hp_model m, unsigned order, bool *buffers,
	struct hx_set *set);

/* Those with load buffering (holes/holes.h), after hx_explore(); all: others, too. */
const char *hx_explore_holes(
	const struct hprogram *p, enum hp_model m, unsigned order, bool all, struct hx_set *set);

/* The same by so many random walks, which may find executions again. */
const char *hx_sample(
	const struct hprogram *p, enum hp_model m, unsigned walks, struct hx_set *set);

#endif
