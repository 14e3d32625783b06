/* SPDX-License-Identifier: ISC */
/* repeat.h - repeats executions along their choices: for the recorder, and to check determinism. */
#ifndef FAILURE_REPEAT_H
#define FAILURE_REPEAT_H

#include "base/base.h"

/* Begin a new recording; or end it. */
void repeat_record(bool on);

/* Memory for STATUS_CHOICES choices to follow. */
u32 *repeat_choices(void);

/* Run an execution again, along its choices; M.explore.diverged: it could not follow them. */
void repeat_execution(const u32 *choices, u32 n, bool recorded);

/* Run an execution along these choices, and then at random. False: it could not follow them. */
bool repeat_wander(const u32 *choices, u32 n, u64 seed);

/* The number of choices of the last execution followed. */
u32 repeat_length(void);

/* For phases: if it is worth the time, check that the last execution can be repeated. If not, this
 * is reported once, with the first events that differ. */
bool repeat_is_worthwhile(void);
void repeat_check(void);

#endif
