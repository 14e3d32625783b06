/* SPDX-License-Identifier: ISC */
/* agent.h - a rank: a process that explores a ticket, and the messages about it. */
#ifndef MPI_AGENT_H
#define MPI_AGENT_H

#include "job/job.h"
#include "mpi/message.h"

/* Say hello to rank 0. Processes are like this job. */
void agent_begin(const struct job *j);

/* A message of rank 0. False: leave. */
bool agent_take(const struct message *m);

/* Look at the process. True: it has ended, or there was something to send. */
bool agent_look(void);

/* Does a process run? */
bool agent_works(void);

/* Kill the process, and remove its files. */
void agent_end(void);

#endif
