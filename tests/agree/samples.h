/* SPDX-License-Identifier: ISC */
/* samples.h - random executions of graph programs, which have to be among all that there are. */
#ifndef AGREE_SAMPLES_H
#define AGREE_SAMPLES_H

#include "enumerate.h"
#include "interpret.h"

/* Samples p by strategies random and pctwm, with parameters that depend on `turn'. Returns NULL, or
 * the error. */
const char *samples_wrong(const struct gprogram *p, enum gp_model m,
	const struct enumeration *expected, unsigned turn);

#endif
