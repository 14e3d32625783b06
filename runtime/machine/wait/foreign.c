/* SPDX-License-Identifier: ISC */
/* foreign.c - see foreign.h. */
#include "machine/wait/foreign.h"
#include "machine/learnt.h"
#include "machine/machine.h"
#include "object/object.h"

static const struct sync_op op_call = {
	.kind = EV_DRAIN,
	.object_op = OBJECT_OUTSIDE,
};

static const struct module *called; /* the last one */

void foreign_call(const struct module *m)
{
	called = m;
	if (unlikely(learnt_known(LEARNT_FOREIGN)))
		sync_step(&op_call, (const void *)(uintptr_t)m->base, 0);
}

const char *foreign_library(void)
{
	return called ? called->path : NULL;
}

bool foreign_may_be_steps(void)
{
	return called && !learnt_known(LEARNT_FOREIGN);
}

bool foreign_is_caller(const void *caller)
{
	const struct module *m;

	if (!machine_entered() || module_calls_itself(caller))
		return false;
	m = module_find((u64)(uintptr_t)caller);
	return m && m->instrumented;
}
