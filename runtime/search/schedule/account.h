/* SPDX-License-Identifier: ISC */
/* account.h - the end of an execution of a schedule: it is counted; a new failure is repeated,
 * simplified, and written to a file. */
#ifndef SEARCH_SCHEDULE_ACCOUNT_H
#define SEARCH_SCHEDULE_ACCOUNT_H

#include "base/base.h"

/* Count the execution; false: stop the search. */
bool account_execution(void);

/* If a finding is being recorded: the number of choices that lead to it. */
u32 account_unrecorded(void);

#endif
