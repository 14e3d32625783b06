/* SPDX-License-Identifier: ISC */
/* verdicts.h - reads-from functions that the axioms have judged, asked of the verifier
 * (verify/verify.h). */
#ifndef AGREE_VERDICTS_H
#define AGREE_VERDICTS_H

#include "axioms.h"
#include "model/graph.h"

extern struct verdicts {
	unsigned long asked, realisable, wrong;
} verdicts;

/* Is g, without its co, consistent in SC, TSO and PSO as consistent[] says? Counts
 * differences. */
void verdicts_check(const struct ax_graph *g, const bool consistent[GP_MODELS]);
/* The same for the explorer's graph; its witness is a schedule of its own. */
void verdicts_check_graph(const struct graph *g, const bool consistent[GP_MODELS]);

#endif
