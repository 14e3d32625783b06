/* SPDX-License-Identifier: ISC */
/* explain.h - a report in plain sentences. */
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include "report/report.h"

/* Write it, in lines of at most `width` columns. Its rows have been selected (report_select()). */
void report_explain(const struct report *r, unsigned width, FILE *out);

#endif
