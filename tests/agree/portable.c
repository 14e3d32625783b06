/* SPDX-License-Identifier: ISC */
/* portable.c - see portable.h. */
#include "portable.h"

#include "detect/port.h"

enum model_id portable_model(enum gp_model m)
{
	static const enum model_id id[GP_MODELS] = {
		MODEL_SC, MODEL_TSO, MODEL_PSO, MODEL_SRA, MODEL_RA, MODEL_RC11};

	return id[m];
}

bool portable_includes(enum gp_model to, enum gp_model from)
{
	return port_includes(portable_model(to), portable_model(from));
}

bool portable_allows(const struct graph *g, enum gp_model from, bool known)
{
	static uint32_t item[2 * GRAPH_EVENTS];
	static uint64_t memory[1 << 13];
	struct plan plan = {.item = item};

	if (from == GP_RC11 || linearize_memory(g) > sizeof memory)
		return known;
	return port_allows(g, portable_model(from), memory, &plan);
}
