/* SPDX-License-Identifier: ISC */
/* private_program.c - see private_program.h. Compiled without Heddle. */
#include "private_program.h"
#include "../random.h"

#include <stdio.h>
#include <string.h>

static struct {
	int threads, n[THREADS];
	struct op op[THREADS][OPS];
} program;

static uint64_t state;

static unsigned below(unsigned n)
{
	return (unsigned)(random_shift(&state) >> 33) % n;
}

static struct op choose_op(bool *locked)
{
	static const int loads[] = {0, 2}, stores[] = {0, 3, 3, 5}, rmws[] = {0, 2, 3, 4};
	unsigned k = below(100);
	int value = 1 + (int)below(3);

	if (k < 25 && (!*locked || k < 10)) {
		*locked = !*locked;
		return (struct op){*locked ? OP_LOCK : OP_UNLOCK, 0, 0, 0};
	}
	if (k < 45)
		return (struct op){OP_WRITE, (int)below(PLAIN), value, 0};
	if (k < 62)
		return (struct op){OP_READ, (int)below(PLAIN), 0, 0};
	if (k < 64)
		return (struct op){OP_COPY, 0, value, 0};
	if (k < 78)
		return (struct op){OP_STORE, (int)below(ATOMS), value, stores[below(4)]};
	if (k < 92)
		return (struct op){OP_LOAD, (int)below(ATOMS), 0, loads[below(2)]};
	if (k < 96)
		return (struct op){
			k < 94 ? OP_ADD : OP_CAS, (int)below(ATOMS), value, rmws[below(4)]};
	return (struct op){OP_FENCE, 0, 0, 2 + (int)below(4)};
}

void program_generate(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15u + 1;
	for (int i = 0; i < 8; i++)
		below(2);
	program.threads = below(3) ? 2 : 3;
	for (int t = 0; t < program.threads; t++) {
		int n = t < 2 ? 3 + (int)below(program.threads == 2 ? 4 : 2) : 2;
		bool locked = false;

		for (int i = 0; i < n; i++)
			program.op[t][i] = choose_op(&locked);
		if (locked)
			program.op[t][n++] = (struct op){OP_UNLOCK, 0, 0, 0};
		program.n[t] = n;
	}
}

void program_print(void)
{
	static const char *const name[] = {
		"lock", "unlock", "write", "read", "store", "load", "add", "cas", "fence", "copy"};

	for (int t = 0; t < program.threads; t++) {
		printf("#   T%d:", t + 1);
		for (int i = 0; i < program.n[t]; i++)
			printf(" %s %d=%d (%d);", name[program.op[t][i].kind],
				program.op[t][i].location, program.op[t][i].value,
				program.op[t][i].order);
		printf("\n");
	}
}

int program_threads(void)
{
	return program.threads;
}

int program_length(int thread)
{
	return program.n[thread];
}

struct op program_op(int thread, int i)
{
	return program.op[thread][i];
}
