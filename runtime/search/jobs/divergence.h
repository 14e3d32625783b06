/* SPDX-License-Identifier: ISC */
/* divergence.h - a search of graphs that has stopped because an execution left its graph. */
#ifndef SEARCH_JOBS_DIVERGENCE_H
#define SEARCH_JOBS_DIVERGENCE_H

struct trust;

/* The search of x has stopped: if with EXECUTE_DIVERGED, find the cause (failure/unconfirmed.h). An
 * error of Heddle turns it into EXECUTE_UNCONFIRMED, with a note. */
void divergence_end(struct trust *x);

#endif
