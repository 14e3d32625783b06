/* SPDX-License-Identifier: ISC */
/*
 * succession.h - the tasks of all workers in the order in which one process would make them.
 *
 * Idea.   A search by one process takes the highest saved graph first. A worker gives away its
 *         lowest one: it comes after all else in the worker's task, and before all that was given
 *         away earlier. So a list in that order has the new task behind the giver's. A *stretch* of
 *         it is a task, which is open, or executions that have been counted; it may end with a
 *         finding. The counts before a finding do not depend on timing, nor does its place.
 * End.    One process ends its search with a number of findings. Here more may be known: of those
 *         in the list, the first ones are so many.
 * Killed. Any worker may be killed at any time, also while it holds the lock (exchange.h): a change
 *         is made in a copy, which then takes the place of the list.
 */
#ifndef SEARCH_JOBS_SUCCESSION_H
#define SEARCH_JOBS_SUCCESSION_H

#include "event/status.h"
#include "search/jobs/exchange.h"

#define STRETCHES (2 * (JOBS_MAX + OFFERS + STATUS_FINDINGS) + 2)

struct counted {
	u64 executions, blocked, failing, steps;
};

struct stretch {
	u64 ticket;	 /* of an open task; 0: counted */
	u32 finding;	 /* counted: its index + 1, at the end; 0: none */
	bool counts;	 /* the finding is not suppressed */
	struct counted counted; /* counted */
};

struct succession {
	volatile u32 current;
	volatile bool ending; /* a finding ends the search: what follows it is not needed */
	u32 most; /* the search ends with so many findings that count; 0: with none */
	volatile u32 changes;
	struct {
		u32 n;
		struct stretch stretch[STRETCHES];
	} copy[2];
};

/* All functions are called under one lock, but for the first. Tickets that are not in the list are
 * ignored; a task that is given away from such a one is put at the end. */

/* A list of what has been counted, and one open task; `most' findings end the search. */
void succession_begin(struct succession *s, const struct counted *counted, u64 ticket, u32 most);

/* The task gives away another one. / It, or ticket 0, precedes one at the end of the list. */
void succession_give(struct succession *s, u64 ticket, u64 given);

/* The task is over, with so much since its last finding. / It is not: it was never given. */
void succession_end(struct succession *s, u64 ticket, const struct counted *counted);
void succession_remove(struct succession *s, u64 ticket);

/* The task goes on behind a finding, which may have been at another place. */
void succession_find(struct succession *s, u64 ticket, u32 finding, bool counts,
	const struct counted *counted);

/* Does the task come before the finding? */
bool succession_precedes(const struct succession *s, u64 ticket, u32 finding);

/* Does the finding that ends the search precede the task? / That finding; false: there is none.
 * *open: is a task before it? */
bool succession_is_late(const struct succession *s, u64 ticket);
bool succession_ends(const struct succession *s, u32 *finding, bool *open);

/* The counts up to the finding; false: something before it is open, or it is not in the list. */
bool succession_until(const struct succession *s, u32 finding, struct counted *counted);

/* The findings in the list, in its order. Returns their number. */
u32 succession_findings(const struct succession *s, u32 *finding);

#endif
