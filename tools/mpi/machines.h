/* SPDX-License-Identifier: ISC */
/*
 * machines.h - heddle run --mpi: one search by the processes (ranks) of an MPI launcher.
 *
 * Idea.   Each rank explores by a process of the program, as heddle run does without --mpi, one
 *         ticket at a time (agent.h). Rank 0 also keeps the table of tickets (table.h) and gives
 *         them out (broker.h). A rank without work gets a part of another one's: images of its
 *         saved graphs; of samples and suites, the next ones.
 * Always. Totals and findings depend neither on the number of ranks nor on timing, unless --time
 *         cuts the search, or samples have no --executions.
 */
#ifndef MPI_MACHINES_H
#define MPI_MACHINES_H

#include "job/job.h"
#include "mpi/message.h"

/* Check the options of a job, and take --checkpoint and --resume, which are those of the journal;
 * dies if they cannot be combined. / Join the other ranks; all but rank 0 print nothing from now
 * on. */
void machines_options(struct job *j);
void machines_join(struct job *j);

/* As job_explore(), on rank 0; other ranks do not return. */
void machines_explore(struct job *j);

/* As suite_run(), likewise. Returns the exit code. */
int machines_suite(struct job *j, char **argv);

/* The end of rank 0. */
_Noreturn void machines_leave(int code);

/* --- for agent.c and broker.c ----------------------------------------------------------------- */

/* Send a message; to this rank, too. */
void post(int rank, const struct message *m);

/* Files of the journal; "": none. */
const char *machines_journal(bool *resumed);

#endif
