/* SPDX-License-Identifier: ISC */
/* graph_search.h - the search of execution graphs, and of reads-from functions; replay files of
 * graphs. */
#ifndef SEARCH_GRAPH_GRAPH_SEARCH_H
#define SEARCH_GRAPH_GRAPH_SEARCH_H

#include "graph/execute.h"
#include "trust/trust.h"

struct trace;

/* The search of --strategy graph. False: impossible for this program, for the reason *why. */
bool graph_search(const char **why, bool *all);

/* The search of --strategy rf: sc, tso, pso. */
bool graph_search_rf(const char **why, bool *all);
/* The search of --strategy traces: programs with locks. False: as above, or not such a program. */
bool graph_search_traces(const char **why, bool *all);
/* Discard the executions so far. */
void graph_forget_counts(void);
/* Do atomic accesses of different sizes overlap in the program, as far as known? */
bool graph_has_pieces(void);

/* In some graph that was explored, do threads wait for ever unless others help them in lockstep? A
 * state cycle may show it (shorten_cycle.h). */
bool graph_has_lockstep(void);

/* Random graphs until a bound is reached: by strategy random, pctwm, or mixed, both in turn. False:
 * as above. */
bool graph_sample(enum strategy strategy, const char **why);

/* An empty graph of the program, whose threads follow it from now on; NULL: not enough
 * memory. */
struct trust *graph_begin(struct program *p);
void graph_end(void);

/* The program to be searched: leaves are counted and judged. / Is a bound on the search met? It is
 * noted. */
struct program *graph_program(void);
bool graph_bound_met(void);

/* Handle the end of a search. False: graphs cannot represent the program, *why. */
bool graph_ended_well(enum execute_stop how, const char *words, const char **why);

/* Follow the graph in a replay file; returns the exit code. */
int graph_replay(const struct trace *recorded);

#endif
