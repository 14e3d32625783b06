/* SPDX-License-Identifier: ISC */
/*
 * component.h - the strongly connected components of the graph of states (Tarjan, SIAM J. Comput.
 * 1, 1972), without recursion.
 */
#ifndef PROVE_COMPONENT_H
#define PROVE_COMPONENT_H

#include "base/base.h"

extern struct components {
	u32 n;
	u32 *of;    /* [nodes]: the component of a node, from 0 on */
	u32 *first; /* [nodes + 1]: its edges are those from `out[first]' on */
	u32 *out;
	bool *left; /* [n]: an edge leads out of it */
	bool *cyclic; /* [n]: an edge leads from it to itself */
	u32 *parent, *queue; /* [nodes]: of searches */
} components;

/* Find those of states.h's graph. False: not enough memory. */
bool components_find(void);
void components_drop(void);

#endif
