/* SPDX-License-Identifier: ISC */
/*
 * journal.h - the messages that have made the table, in a file (--checkpoint, --resume with --mpi).
 *
 * Messages are appended, compressed, and reach the disk within a second; the last one may be there
 * in part only, and is ignored then. The first one names the search.
 */
#ifndef MPI_JOURNAL_H
#define MPI_JOURNAL_H

#include "mpi/message.h"

/* A new file; dies if there is one already, or if it cannot be written. */
void journal_begin(const char *path, const struct message *search);

/* Continue a file: take() gets each message; dies unless it is a journal of this search. */
void journal_resume(
	const char *path, const struct message *search, void (*take)(const struct message *m));

/* Append; without a journal, nothing. */
void journal_add(const struct message *m);

/* From time to time, and at the end. */
void journal_sync(bool now);

#endif
