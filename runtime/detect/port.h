/* SPDX-License-Identifier: ISC */
/*
 * port.h - portability: which graphs of one model does another allow?
 *
 * All models share the same graphs, of events, rf and co; each forbids some of them. So an
 * execution under one model needs no counterpart under another: the question is whether that
 * model allows it. Ponce de Leon, Furbach, Heljanko, Meyer, SAS 2017 (Porthos).
 */
#ifndef DETECT_PORT_H
#define DETECT_PORT_H

#include "model/linearize.h"

/* Does the model `to` allow all graphs of `from`? */
bool port_includes(enum model_id to, enum model_id from);

/* Does `from` allow g, a graph of another model? That model has a machine, or `allows`.
 * memory: linearize_memory(g) bytes; p has room for as many items as a plan of g takes. */
bool port_allows(const struct graph *g, enum model_id from, void *memory, struct plan *p);

/* The last event of a thread and `other` are a race under the model of g. Is it one under any model
 * in which all of po and rf is happens-before (sc, tso, ra)? */
bool port_races(const struct graph *g, u32 thread, u32 other);

#endif
