/* SPDX-License-Identifier: ISC */
/*
 * stacks.h - the stacks of a finding, in the order in which a report shows them: those of waiting
 * threads, of the failing step, of the accesses on the cycle, and of the block concerned. Each is
 * followed by the creation of its thread.
 */
#ifndef REPORT_STACKS_H
#define REPORT_STACKS_H

#include "report/report.h"

struct stack_writer {
	void *page;
	void (*title)(void *page, const char *title);
	void (*note)(void *page, const char *note); /* before the frames of a creation */
	void (*frame)(void *page, unsigned number, const struct frames *f, unsigned i);
};

/* all: of every step. */
void report_stacks(const struct report *r, bool all, const struct stack_writer *to);

/* The frames of a stack of the trace; 0: none. */
void report_frames(const struct report *r, u32 id, const struct stack_writer *to);

#endif
