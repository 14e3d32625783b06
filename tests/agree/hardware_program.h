/* SPDX-License-Identifier: ISC */
/*
 * hardware_program.h - small programs with dependencies, for hardware's models and their oracle.
 *
 * Operation i of a thread leaves the value that it has read in register i. An address depends on a
 * register for nothing, or selects one of two locations by it; a value is a number, plus a register
 * or, for nothing, plus 0 times it; a branch skips operations, or none. Numbers are 0 to 3.
 */
#ifndef AGREE_HARDWARE_PROGRAM_H
#define AGREE_HARDWARE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define HP_THREADS 4
#define HP_OPS	   12
#define HP_PLACES  7 /* x y z w a b c */
#define HP_EVENTS  16 /* of a thread */
#define HP_NONE	   (-1)

enum hp_kind {
	HP_LOAD,
	HP_STORE,
	HP_FENCE,
	HP_BRANCH,
	HP_XOR,
	HP_XCHG,
	HP_CAS,
	HP_AWAIT, /* loads until it gets `expected' */
};
enum hp_order { HP_RLX = 0, HP_ACQ = 2, HP_REL = 3, HP_AR = 4, HP_SC = 5 };

/* HP_FENCE with order HP_RLX: an instruction. */
enum hp_fence { HPF_C, HPF_DMB, HPF_DMB_LD, HPF_DMB_ST, HPF_LWSYNC, HPF_ISB };

enum hp_model { HP_ARM8, HP_POWER, HP_RISCV, HP_IMM, HP_MODELS };

struct hp_op {
	uint8_t kind, order, fence;
	uint8_t place, other;
	int8_t address; /* register, or HP_NONE */
	bool selects;	/* it selects place or other */
	uint8_t value, expected;
	int8_t source; /* register, or HP_NONE */
	bool times_0;
	bool no_result; /* of an RMW: no register gets the value */
	int8_t tested; /* HP_BRANCH: if this register is `value', skip so many operations */
	uint8_t skips;
};

struct hprogram {
	char name[48];
	int nthreads, nops[HP_THREADS];
	struct hp_op op[HP_THREADS][HP_OPS];
	bool llsc, rcpc;
};

enum hp_mode { HP_C11, HP_INSTRUCTIONS, HP_FORWARDING, HP_UPDATES, HP_MODES };

/* The program of this seed. */
void hprogram_generate(struct hprogram *p, enum hp_mode mode, uint64_t seed);
void hprogram_print(const struct hprogram *p);

/* --- threads ---------------------------------------------------------------------------------- */

enum hp_event_kind { HPE_READ, HPE_WRITE, HPE_FENCE };

/* Sets are of events of the thread, bit i the i-th. */
struct hp_event {
	uint8_t kind, place, value, order, fence;
	uint8_t op;   /* its number in the thread */
	bool update;  /* of an RMW, or of a CAS that failed */
	bool excl;    /* of one that succeeded */
	bool no_result;
	bool picks;   /* the read of a CAS of one instruction that succeeded */
	bool awaits;  /* a read that must return `awaited' */
	uint8_t awaited;
	uint32_t address, data, control;
};

/* In a value: of a CAS that fails, even so. */
#define HP_FAILS 0x80

/* The thread's events when its reads return value[], by event. Returns their number. A read of
 * which `known' has no bit is the last one. */
int hprogram_run(const struct hprogram *p, int thread, const uint8_t value[HP_EVENTS],
	uint32_t known, struct hp_event event[HP_EVENTS]);

/* --- rows ------------------------------------------------------------------------------------- */

/* A litmus test: a value for each read, by event; final values; verdicts. */
struct hp_row {
	struct hprogram program;
	uint8_t value[HP_THREADS][HP_EVENTS];
	int8_t final[HP_PLACES]; /* -1: any */
	char verdict[HP_MODELS]; /* A allowed, F forbidden, - of other machines */
};

/* Row i; false: there are no more. */
bool hprogram_row(int i, struct hp_row *row);

#endif
