/* SPDX-License-Identifier: ISC */
/*
 * table.h - the tickets of a search: its parts, and their progress.
 *
 * Order.  Tickets are kept in the order in which one process would explore them. A process gives
 *         away the parts that it would explore last (trust/image/frontier.h); these follow its own
 *         ticket, the last one given first. So the first finding in this order, and the number of
 *         executions before it, are those of one process, for any timing.
 * Lost.   With each part that it gives away, a process reports its count so far, and the rest of
 *         its work. When it is lost, that count stands, and the rest is a new ticket.
 * Stale.  A rank that was taken for lost may go on: its messages about a ticket that is no longer
 *         its own are ignored.
 *
 * All changes are messages, so the same messages make the same table: that is the journal.
 * Neighbours that are done become one, and what does not count any more leaves the table: it is as
 * large as the work that is left.
 */
#ifndef MPI_TABLE_H
#define MPI_TABLE_H

#include "mpi/part.h"

enum ticket_state { TICKET_OPEN, TICKET_RUNS, TICKET_DONE, TICKET_CUT };

struct work {
	u32 kind; /* enum work_kind */
	u64 first, count;
	struct bytes image;
};

struct ticket {
	struct ticket *before, *next; /* in the order */
	u64 id;
	enum ticket_state state;
	int owner; /* its rank; -1: none */
	u32 deaths;
	u32 failures; /* findings that count, on its page */
	struct work work;
	struct bytes page, replays, rest; /* as far as is known */
	/* For rank 0's choices: when it began; from when on it may be asked for parts, and whether
	 * it has been; when it last reported the rest. */
	u64 begun, ask_after, committed;
	bool asked;
};

struct ticket_table {
	struct ticket *first, *last;
	u64 made;
	u32 failures; /* so many end the search: 1, or --max-findings */
};

/* Apply a message, to its ticket. False: it is stale. */
bool table_take(struct ticket_table *t, const struct message *m);

/* The ticket of this number; NULL: none. */
struct ticket *table_find(const struct ticket_table *t, u64 id);

/* The first open ticket; NULL: none. */
struct ticket *table_open(const struct ticket_table *t);

/* Is any open or running? */
bool table_is_busy(const struct ticket_table *t);

/* Drop tickets that do not count: those after enough findings. True: there are enough, and all
 * before them has been explored. */
bool table_cut(struct ticket_table *t);

/* All that is known, in the order. *left: something is not explored. */
struct part_sum table_sum(const struct ticket_table *t, bool *left);

#endif
