/* SPDX-License-Identifier: ISC */
/*
 * message.h - the messages of ranks, which the journal keeps, too: a head, and parts.
 *
 * Ranks run the same heddle on the same kind of processor (checked by MESSAGE_HELLO), so numbers
 * are as in memory.
 */
#ifndef MPI_MESSAGE_H
#define MPI_MESSAGE_H

#include "base/base.h"

struct bytes {
	u8 *at;
	size_t n;
};

enum message_kind {
	/* A rank to rank 0. number[0] of the ticket's: see below. */
	MESSAGE_HELLO,	  /* number: the search that it would take part in; part 0: its host */
	MESSAGE_IDLE,	  /* wants work */
	MESSAGE_PROGRESS, /* number: executions so far, of all its tickets; findings; strategy */
	MESSAGE_GAVE,	  /* number: parts given; parts: PART_* */
	MESSAGE_CANNOT,	  /* give anything away; part 0: the reason */
	MESSAGE_AGAIN,	  /* all that has been found is void: this ticket is the whole search */
	MESSAGE_DONE,	  /* number: enum end; parts: PART_* */
	MESSAGE_BYE,
	/* Rank 0 to a rank. */
	MESSAGE_WORK,  /* number: enum work_kind, first, count, microseconds left (0: no limit), how
			* many processes of it have died; part 0: image */
	MESSAGE_ASK,   /* number: parts wanted; 0: only a report of progress */
	MESSAGE_DROP,  /* the ticket does not count any more */
	MESSAGE_LEAVE, /* all is over; part 0: why this rank is not wanted */
	/* In the journal only: decisions of rank 0. */
	MESSAGE_SEARCH, /* the first one; as HELLO */
	MESSAGE_NEW,	/* a ticket at the end of the order; number as of WORK */
	MESSAGE_LOST,	/* the rank of a ticket */
	MESSAGE_FORGET, /* all tickets */
	MESSAGE_KINDS
};

/* The end of a ticket. */
enum end {
	END_OVER,    /* explored, or stopped at a finding */
	END_CUT,     /* out of time; the rest is PART_REST, if it is known */
	END_LOST,    /* its process was killed */
	END_REFUSED, /* part 0: the reason */
};

enum work_kind {
	WORK_GRAPHS, /* of an image; without one, all */
	WORK_ROUNDS, /* of samples: from `first' on, `count' of them */
	WORK_SHARD,  /* `first' of `count', as run --shard */
	WORK_SUITE,  /* likewise, with --suite */
};

#define NUMBERS 5

enum {
	PART_PAGE,
	PART_REPLAYS,
	PART_REST,
	PART_GIVEN,
	GIVEN_MOST = 16,
	PARTS = PART_GIVEN + GIVEN_MOST
};

struct message {
	u32 kind, nparts;
	u64 ticket, number[NUMBERS];
	struct bytes part[PARTS];
};

/* Its bytes, of malloc(). / The message in bytes of which its parts are pieces; false: it is
 * none. */
struct bytes message_write(const struct message *m);
bool message_read(struct message *m, struct bytes from);

/* Append a part. */
void message_add(struct message *m, struct bytes part);
void message_add_text(struct message *m, const char *text);

/* A part as text; "": it is not there. */
const char *message_text(const struct message *m, u32 part);

struct bytes bytes_copy(struct bytes from);
void bytes_free(struct bytes *b);

/* A file in the folder of a rank. Reading: without bytes if it cannot be read. False: not
 * written. */
struct bytes bytes_of_file(const char *path);
bool bytes_to_file(struct bytes b, const char *path);

#endif
