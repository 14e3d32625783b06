/* SPDX-License-Identifier: ISC */
/* hardware.c - see hardware.h. */
#include "search/hardware.h"
#include "machine/core.h"
#include "process/coverage.h"
#include "process/module.h"
#include "search/model_file.h"
#include "search/verdict.h"

bool hardware_tracks(const struct options *o)
{
	return o->dependencies == DEPENDENCIES_TRACKED &&
	       (M.model == MODEL_CAT ? model_file_has_dependencies()
				     : model_is_hardware(M.model));
}

const char *hardware_refusal(const struct options *o)
{
	if (!hardware_tracks(o) || modules_track_dependencies())
		return NULL;
	return "this program does not track dependencies: compile all of it with heddle-cc --deps, "
	       "or give --deps none or --deps all (heddle help hardware)";
}

void hardware_end(void)
{
	const struct options *o = M.options;

	if (M.model == MODEL_CAT) {
		model_file_end();
		return;
	}
	if (!model_is_hardware(M.model))
		return;
	M.bounds |= o->dependencies == DEPENDENCIES_ALL ? BOUND_DEPENDENCIES : BOUND_BUFFERING;
	if (o->dependencies == DEPENDENCIES_NONE && verdict_failures())
		coverage_note("--deps none: no access depends on an earlier one; a failure that "
			      "the program's dependencies prevent may be reported (heddle help "
			      "hardware)");
}
