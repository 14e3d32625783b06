/* SPDX-License-Identifier: ISC */
/*
 * compiled.c - hardware programs with dependencies, compiled: hardware's models against the axioms.
 *
 *     hardware PROGRAMS [FIRST SEED]
 *
 * The rows and random programs of hardware_program.h as threads that make real accesses, by code
 * compiled with --deps: the dependencies are those that the pass has found. As many executions are
 * explored as the axioms allow. An address or a value that depends on a load
 * for nothing has the difference of two copies of it, which the optimiser cannot know to be equal.
 */
#include "hardware_executions.h"

#include <heddle/heddle.h>
#include <heddle/abi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 100000

static const char *const names[] = {"arm8", "power", "riscv", "imm"};
static struct hprogram p;
static struct {
	_Atomic int at;
	char apart[60];
} place[HP_PLACES];
static int failures;

/* Not known to be n: the optimiser keeps what is computed from it. */
static inline int hidden(int n)
{
	__asm__("" : "+r"(n));
	return n;
}

static inline int nothing_of(int n)
{
	return n ^ hidden(n);
}

static inline void fence(const struct hp_op *o)
{
	static const int instructions[] = {0, __ATOMIC_SEQ_CST | HEDDLE_FENCE_FULL << HEDDLE_FENCE,
		__ATOMIC_ACQUIRE | HEDDLE_FENCE_LOADS << HEDDLE_FENCE,
		__ATOMIC_RELEASE | HEDDLE_FENCE_STORES << HEDDLE_FENCE,
		__ATOMIC_ACQ_REL | HEDDLE_FENCE_LIGHT << HEDDLE_FENCE,
		HEDDLE_FENCE_CONTEXT << HEDDLE_FENCE};

	__heddle_fence(o->fence ? instructions[o->fence] : o->order);
}

static inline int load(_Atomic int *at, int order)
{
	switch (order) {
	case HP_ACQ: return __c11_atomic_load(at, __ATOMIC_ACQUIRE);
	case HP_SC: return __c11_atomic_load(at, __ATOMIC_SEQ_CST);
	default: return __c11_atomic_load(at, __ATOMIC_RELAXED);
	}
}

static inline void store(_Atomic int *at, int value, int order)
{
	switch (order) {
	case HP_REL: __c11_atomic_store(at, value, __ATOMIC_RELEASE); break;
	case HP_SC: __c11_atomic_store(at, value, __ATOMIC_SEQ_CST); break;
	default: __c11_atomic_store(at, value, __ATOMIC_RELAXED);
	}
}

#define UPDATE(order, failure)                                                                     \
	switch (o->kind) {                                                                         \
	case HP_XOR: return __c11_atomic_fetch_xor(at, value, order);                              \
	case HP_XCHG: return __c11_atomic_exchange(at, value, order);                              \
	}                                                                                          \
	__c11_atomic_compare_exchange_strong(at, &found, value, order, failure);                   \
	return found

static inline int update(const struct hp_op *o, _Atomic int *at, int value)
{
	int found = o->expected;

	switch (o->order) {
	case HP_ACQ: UPDATE(__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
	case HP_REL: UPDATE(__ATOMIC_RELEASE, __ATOMIC_RELAXED);
	case HP_AR: UPDATE(__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	case HP_SC: UPDATE(__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	default: UPDATE(__ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

/* By an instruction that C has no operation for. */
static inline void update_only(const struct hp_op *o, _Atomic int *at, int value)
{
	uint32_t found = o->expected;
	int order = o->order | HEDDLE_NO_RESULT;
	int failure = o->order == HP_AR ? HP_ACQ : o->order == HP_REL ? HP_RLX : o->order;

	if (o->kind == HP_CAS)
		__heddle_cas4((void *)at, &found, (uint32_t)value, order | failure << 8);
	else
		__heddle_rmw4((void *)at, (uint32_t)value,
			o->kind == HP_XOR ? HEDDLE_XOR : HEDDLE_XCHG, order);
}

static inline _Atomic int *address(const struct hp_op *o, const int *reg)
{
	int at = o->place;

	if (o->address == HP_NONE)
		return &place[at].at;
	if (o->selects)
		at += (reg[o->address] & 1) * (o->other - at);
	else
		at += nothing_of(reg[o->address]);
	return &place[at].at;
}

static inline int operand(const struct hp_op *o, const int *reg)
{
	if (o->source == HP_NONE)
		return o->value;
	return o->value + (o->times_0 ? nothing_of(reg[o->source]) : reg[o->source]);
}

/* Registers have values from 0 to 3. */
static void *run(void *arg)
{
	int t = (int)(intptr_t)arg, reg[HP_OPS] = {0};

	for (int i = 0; i < p.nops[t]; i++) {
		const struct hp_op *o = &p.op[t][i];

		switch (o->kind) {
		case HP_LOAD: reg[i] = load(address(o, reg), o->order); break;
		case HP_STORE: store(address(o, reg), operand(o, reg) & 3, o->order); break;
		case HP_FENCE: fence(o); break;
		case HP_BRANCH:
			if (reg[o->tested] == o->value) {
				__asm__ volatile(""); /* no conditional move */
				i += o->skips;
			}
			break;
		default:
			if (o->no_result)
				update_only(o, address(o, reg), operand(o, reg) & 3);
			else
				reg[i] = update(o, address(o, reg), operand(o, reg) & 3);
		}
	}
	return NULL;
}

static void program(void *unused)
{
	pthread_t thread[HP_THREADS];

	(void)unused;
	for (int t = 0; t < p.nthreads; t++)
		if (pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t))
			abort();
	for (int t = 0; t < p.nthreads; t++)
		pthread_join(thread[t], NULL);
}

static void compare(enum hp_model m, size_t executions)
{
	char options[80];
	struct heddle_options o = {.model = names[m], .quiet = true, .options = options,
		.ignore_leaks = true};
	struct heddle_result r;
	int code;

	snprintf(options, sizeof options, "arch-rmw=%s%s", p.llsc ? "llsc" : "lse",
		p.rcpc && m == HP_ARM8 ? ",rcpc=on" : "");
	code = heddle_check(program, NULL, &o, &r);
	if (code == 0 && r.executions - r.blocked == executions)
		return;
	failures++;
	printf("not ok - agree: hardware: native: %s: %s: exit code %d, %llu executions, %llu "
	       "blocked; %zu are allowed\n",
		p.name, names[m], code, (unsigned long long)r.executions,
		(unsigned long long)r.blocked, executions);
	hprogram_print(&p);
}

static bool has(enum hp_kind kind)
{
	for (int t = 0; t < p.nthreads; t++)
		for (int i = 0; i < p.nops[t]; i++)
			if (p.op[t][i].kind == kind)
				return true;
	return false;
}

/* It may wait for ever, which is a finding; or at -O0, where a compare-exchange is followed by a
 * branch on its success, it has a dependency more. */
static bool is_left_out(void)
{
#ifndef __OPTIMIZE__
	if (has(HP_CAS))
		return true;
#endif
	return has(HP_AWAIT);
}

/* verdict: of a row; - of a machine without its fences. False: it is too big, or left out. */
static bool test(const char *verdict)
{
	static struct hx_set expected[HP_MODELS], cyclic[HP_MODELS];
	unsigned long buffering[HP_MODELS];

	if (is_left_out() || !hx_enumerate(&p, CANDIDATES, expected, cyclic, buffering))
		return false;
	for (int m = 0; m < HP_MODELS; m++)
		if (!verdict || verdict[m] != '-')
			compare((enum hp_model)m, expected[m].n + cyclic[m].n);
	return true;
}

int main(int argc, char **argv)
{
	int programs = argc > 1 ? atoi(argv[1]) : 20, rows = 0, n = 0;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	static const enum hp_mode modes[] = {HP_C11, HP_FORWARDING, HP_UPDATES};
	struct hp_row row;

	for (; hprogram_row(rows, &row); rows++) {
		p = row.program;
		test(row.verdict);
	}
	for (int i = 0; i < programs && failures < 5; i++) {
		hprogram_generate(&p, modes[i % 3], seed + (uint64_t)i);
		n += test(NULL);
	}
	printf("%s - agree: hardware: native: %d rows, %d programs of seed %llu and on\n",
		failures ? "not ok" : "ok", rows, n, (unsigned long long)seed);
	return failures != 0;
}
