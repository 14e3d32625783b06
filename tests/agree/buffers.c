/* SPDX-License-Identifier: ISC */
/* buffers.c - see buffers.h. */
#include "buffers.h"

#include "program.h"

#include <stdio.h>
#include <string.h>

static struct outcomes outcomes;

static struct gp_op translate(struct op o)
{
	static const enum gp_kind kinds[] = {
		[OP_LOAD] = GP_LOAD,
		[OP_STORE] = GP_STORE,
		[OP_ADD] = GP_ADD,
		[OP_XCHG] = GP_XCHG,
		[OP_CAS] = GP_CAS,
		[OP_FENCE] = GP_FENCE,
		[OP_AWAIT] = GP_AWAIT,
		[OP_AWAIT_ANY] = GP_AWAIT_ANY,
	};

	return (struct gp_op){.kind = (uint8_t)kinds[o.kind],
		.place = (uint8_t)o.location,
		.order = (uint8_t)o.order,
		.fail = o.order == SEQ ? SEQ : RLX,
		.value = (uint8_t)o.value,
		.expected = (uint8_t)(o.value - 1),
		.source = -1,
		.guard = -1};
}

void buffers_generate(struct gprogram *p, bool waits, uint64_t seed)
{
	program_generate(seed, waits);
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "buffers %llu%s", (unsigned long long)seed,
		waits ? ", waits" : "");
	p->nthreads = program.nthreads;
	p->nplaces = LOCATIONS;
	for (int t = 0; t < program.nthreads; t++) {
		p->nops[t] = program.nops[t];
		for (int i = 0; i < program.nops[t]; i++)
			p->op[t][i] = translate(program.op[t][i]);
	}
}

bool buffers_search(enum gp_model m)
{
	return program_search(m == GP_SC ? SC : m == GP_TSO ? TSO : PSO, 200000, &outcomes);
}

static bool noted(enum gp_kind kind)
{
	return kind != GP_STORE && kind != GP_FENCE && kind != GP_AWAIT && kind != GP_AWAIT_ANY;
}

bool buffers_has(const struct gprogram *p, const struct execution *x)
{
	uint64_t reads[THREADS] = {0}, memory = 0;

	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++)
			if (noted(p->op[t][i].kind))
				reads[t] = reads[t] << 4 | (x->reg[gp_slot(t, i) - 1] & 15);
	for (int i = 0; i < LOCATIONS; i++)
		memory = memory << 8 | x->memory[i];
	for (unsigned i = 0; i < outcomes.n; i++)
		if (outcomes.o[i].memory == memory &&
			!memcmp(outcomes.o[i].reads, reads, sizeof reads))
			return true;
	return false;
}

unsigned buffers_outcomes(void)
{
	return outcomes.n;
}

bool buffers_stuck(void)
{
	return outcomes.stuck;
}
