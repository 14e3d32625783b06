/* SPDX-License-Identifier: ISC */
/*
 * part.h - status pages of parts of a search, as bytes, and their sum.
 *
 * The sum does not depend on how the search was divided, or in which order the parts were explored:
 * counts are added; of the findings that are the same, the first one stays, in the order of the
 * parts.
 */
#ifndef MPI_PART_H
#define MPI_PART_H

#include "event/status.h"
#include "mpi/message.h"

/* Do code addresses distinguish findings with the same message? As option `judged'. */
extern bool part_by_sites;

/* Without its choices and its unused room. */
struct bytes part_pack(const struct status *s);

/* Findings that count. */
u32 part_failures(struct bytes page);

/* Of a part that was stopped: as if it were explored completely. */
struct bytes part_settle(struct bytes page);

/* An empty sum: *s is zero. / Add a part. */
void part_begin(struct status *s);
void part_add(struct status *to, struct bytes page);
void part_note(struct status *to, const char *note);

/* Replay files of the findings of a page, in their order. */
struct bytes replays_pack(const struct status *s);
struct bytes replays_of(struct bytes all, u32 i);

/* Two neighbouring parts as one, with its replay files. */
struct part_sum {
	struct bytes page, replays;
};
struct part_sum part_unite(
	struct bytes page, struct bytes replays, struct bytes next, struct bytes next_replays);

#endif
