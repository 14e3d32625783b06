/* SPDX-License-Identifier: ISC */
/* failure_priv.h - a step of a failing execution, for failure.c and reason.c. */
#ifndef REPAIR_FAILURE_PRIV_H
#define REPAIR_FAILURE_PRIV_H

#include "repair/failure.h"

/* The role of the event in a model. */
enum event_role {
	ROLE_NONE,
	ROLE_READ,
	ROLE_WRITE,
	ROLE_RMW,
	ROLE_CAS_FAIL,
	ROLE_FENCE,
	ROLE_SYNC,
	ROLE_FULL,
	ROLE_CREATE,
	ROLE_START,
	ROLE_JOIN,
	ROLE_END,
};

struct failure_step {
	u8 role;
	u8 strength;	   /* the program's own */
	u8 limit;	   /* the strongest possible (points.relax); else any */
	u16 thread, other; /* CREATE, JOIN: that thread */
	u32 location;
	u32 from;  /* READ, RMW, SYNC: the step it reads from, 0 = the initial value */
	u32 point;
	bool last; /* its source is the last write for ever */
};

static inline bool step_reads(const struct failure_step *s)
{
	return s->role == ROLE_READ || s->role == ROLE_RMW || s->role == ROLE_CAS_FAIL;
}

static inline bool step_writes(const struct failure_step *s)
{
	return s->role == ROLE_WRITE || s->role == ROLE_RMW;
}

#endif
