/* SPDX-License-Identifier: ISC */
/* broker.h - rank 0: gives tickets to ranks, asks ranks for parts, and adds up. */
#ifndef MPI_BROKER_H
#define MPI_BROKER_H

#include "job/job.h"
#include "mpi/message.h"

/* The search of this job, by so many ranks. */
void broker_begin(struct job *j, int ranks);

/* A message of a rank. */
void broker_take(int rank, const struct message *m);

/* Take all decisions that are due. False: the search is over, and all ranks are to leave. */
bool broker_look(void);

/* Wait for ranks that have not left? / After that: are there any? */
bool broker_waits(void);
bool broker_has_missing(void);

/* The sum of all tickets, as if one process had explored them: its replay files are those of the
 * job now. */
void broker_sum(struct status *s);

/* The result of a suite: paths of JSON documents, one for each shard, in a folder for them. */
char **broker_suite(unsigned *n);

#endif
