/* SPDX-License-Identifier: ISC */
/* plan.h - a schedule for the store-buffer machine, in terms of events. */
#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H

#include "base/base.h"

/* An item of a plan: an event, or the commit of a store that went into its buffer. */
#define PLAN_COMMIT	0x10000u
#define plan_event(i)	((i)&0xffffu)
#define plan_commits(i) ((i) >= PLAN_COMMIT)

struct plan {
	u32 n;
	u32 *item; /* [2 * events] */
};

#endif
