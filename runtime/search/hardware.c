/* SPDX-License-Identifier: ISC */
/* hardware.c - see hardware.h. */
#include "search/hardware.h"
#include "machine/core.h"
#include "model/model.h"
#include "process/coverage.h"
#include "search/verdict.h"

void hardware_end(void)
{
	const struct options *o = M.options;

	if (!model_of(M.model)->is_hardware)
		return;
	M.bounds |= o->dependencies == DEPENDENCIES_ALL ? BOUND_DEPENDENCIES : BOUND_BUFFERING;
	if (o->dependencies == DEPENDENCIES_NONE && verdict_failures())
		coverage_note("--deps none: no access depends on an earlier one; a failure that "
			      "the program's dependencies prevent may be reported (heddle help "
			      "hardware)");
}
