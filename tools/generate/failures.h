/* SPDX-License-Identifier: ISC */
/* failures.h - heddle generate: the distinct failures of many clients. */
#ifndef GENERATE_FAILURES_H
#define GENERATE_FAILURES_H

#include "job/job.h"

/* A client that has failed, in the order of the clients. */
void failures_add(const struct job *j);

/* Print each distinct failure once, with the smallest client that has it. Returns their number. */
unsigned failures_show(FILE *out);

#endif
