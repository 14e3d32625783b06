/* SPDX-License-Identifier: ISC */
/* portable.c - see portable.h. */
#include "portable.h"

#include "detect/port.h"

static const enum model_id model_number[GP_MODELS] = {MODEL_SC, MODEL_TSO, MODEL_PSO, MODEL_RA, MODEL_RC11};

bool portable_includes(enum gp_model to, enum gp_model from)
{
	return port_includes(model_number[to], model_number[from]);
}

bool portable_allows(const struct graph *g, enum gp_model from, bool known)
{
	static uint32_t item[2 * GRAPH_EVENTS];
	static uint64_t memory[1 << 13];
	struct plan plan = {.item = item};

	if (from == GP_RC11 || linear_memory(g) > sizeof memory)
		return known;
	return port_allows(g, model_number[from], memory, &plan);
}
