/* SPDX-License-Identifier: ISC */
/* search.h - many executions: until complete, at a bound, or at a finding. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/base.h"

/* Returns the exit code (run.h) and leaves the counts in the status page. */
int search(void);

/* --- search_follow.c ------------------------------------------------------------------------- */

/* Begin a new recording; or end it. */
void search_record(bool on);

/* Memory for STATUS_CHOICES choices to follow. */
u32 *search_choices(void);

/* Run an execution again, along its choices; M.explore.diverged: it could not follow them. */
void search_follow(const u32 *choices, u32 n, bool recorded);

/* The number of choices of the last execution followed. */
u32 search_followed(void);

/* For phases: if it is worth the time, check that the last execution can be repeated. If not, this
 * is reported once, with the first events that differ. */
bool search_is_worth_repeating(void);
void search_check_repeats(void);

/* --- search_account.c ------------------------------------------------------------------------ */

/* Count the execution; false: stop the search. */
bool search_account(void);

/* If a finding is being recorded: the number of choices that lead to it. */
u32 search_unrecorded(void);

#endif
