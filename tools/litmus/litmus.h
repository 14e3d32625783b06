/* SPDX-License-Identifier: ISC */
/*
 * litmus.h - a litmus test as herd and its companions write them: initial values, threads in C or
 * in assembly, and a condition on the values at the end.
 *
 * The format. Alglave, Maranget, Tautschnig, "Herding cats" (TOPLAS 2014), and the documentation of
 * herdtools. A test becomes a C program (write.c) in which each instruction is the C operation, or
 * the barrier of <heddle/linux.h>, that the models of heddle take for that instruction.
 */
#ifndef LITMUS_LITMUS_H
#define LITMUS_LITMUS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "die.h"
#include "event/status.h"

#define LITMUS_THREADS	 16
#define LITMUS_ITEMS	 OUTCOME_NAMES
#define LITMUS_LOCATIONS 64
#define LITMUS_REGISTERS 64

enum dialect {
	DIALECT_C,
	DIALECT_LINUX, /* C with the kernel's primitives */
	DIALECT_ARM,
	DIALECT_POWER,
	DIALECT_RISCV,
	DIALECT_X86,
};

/* A number, or the address of a location. */
struct litmus_value {
	const char *address; /* NULL: a number */
	int64_t number;
};

struct litmus_location {
	const char *name, *type; /* type: NULL if it is not given */
	struct litmus_value initial;
};

struct litmus_register {
	const char *name;
	struct litmus_value initial;
};

/* A line of assembly. */
struct litmus_line {
	const char *text;
	int line;
};

struct litmus_thread {
	const char *name;	       /* of the function; C only */
	const char *parameters, *body; /* C only; the body without its braces */
	struct litmus_line *code;      /* assembly */
	unsigned ncode;
	struct litmus_register registers[LITMUS_REGISTERS];
	unsigned nregisters;
};

/* A value that the condition, or `locations', names. */
struct litmus_item {
	int thread; /* of a register; -1: a location */
	const char *name;
	const char *shown; /* "0:X1", "[x]" */
};

enum condition_kind { CONDITION_TRUE, CONDITION_NOT, CONDITION_AND, CONDITION_OR, CONDITION_EQUAL };

struct condition {
	enum condition_kind kind;
	const struct condition *left, *right;
	unsigned item;
	struct litmus_value value;
};

enum quantifier { QUANTIFIER_EXISTS, QUANTIFIER_NOT_EXISTS, QUANTIFIER_FORALL };

struct litmus {
	const char *path, *name;
	enum dialect dialect;
	const char *language; /* herd's name: X86 for X86_64, too */
	bool rcpc; /* it uses LDAPR */
	bool exclusive; /* it has pairs of exclusive loads and stores, */
	bool updates;	/* or read-modify-writes of one instruction */
	struct litmus_location locations[LITMUS_LOCATIONS];
	unsigned nlocations;
	struct litmus_thread threads[LITMUS_THREADS];
	unsigned nthreads;
	struct litmus_item items[LITMUS_ITEMS];
	unsigned nitems;
	enum quantifier quantifier;
	const struct condition *condition; /* of a test without one: true */
	const char *condition_text;
	const struct condition *filter; /* executions without it do not count; NULL: all count */
	/* while it is read */
	int line;
	jmp_buf leave;
	const char *problem; /* "FILE:LINE: ..." */
};

/* The test cannot be explored: leaves litmus_read() or litmus_write(). */
_Noreturn void litmus_refuse(struct litmus *t, int line, const char *format, ...) PRINTF(3, 4);

/* Read a file. NULL: see problem of *failed. */
struct litmus *litmus_read(const char *path, struct litmus *failed);

/* Write the program. False: see t->problem. */
bool litmus_write(struct litmus *t, FILE *out);

/* The location of this name, new if need be. */
struct litmus_location *litmus_location(struct litmus *t, const char *name);

/* The register of a thread, new if need be. Names are as the dialect's file makes them. */
struct litmus_register *litmus_register(struct litmus *t, unsigned thread, const char *name);

/* --- condition.c ------------------------------------------------------------------------------ */

/* Read "exists (...)", after "locations [...]" and "filter (...)", from *at on. */
void litmus_read_condition(struct litmus *t, const char **at);

/* Does it hold of the items' values? */
bool litmus_holds(const struct condition *c, const struct litmus_value *values);

/* --- arm.c, power.c, riscv.c, x86.c, exclusive.c ---------------------------------------------- */

/* An instruction, taken apart. */
#define LITMUS_OPERANDS 5
struct instruction {
	const char *name; /* in lower case */
	char *operands[LITMUS_OPERANDS];
	unsigned n;
	unsigned thread;
	int line;
};

/* Write the instruction as a C statement. */
void arm_write(struct litmus *t, const struct instruction *i, FILE *out);
void power_write(struct litmus *t, const struct instruction *i, FILE *out);
void riscv_write(struct litmus *t, const struct instruction *i, FILE *out);
void x86_write(struct litmus *t, const struct instruction *i, FILE *out);

/* Is it an exclusive load? / Write it, line k, with the exclusive store behind it. */
bool exclusive_loads(const struct litmus *t, const struct instruction *i);
void exclusive_write(
	struct litmus *t, unsigned thread, unsigned k, const struct instruction *load, FILE *out);

/* The canonical name of a register in a condition, NULL: it is none. */
const char *arm_register(const char *name);
const char *power_register(const char *name);
const char *riscv_register(const char *name);
const char *x86_register(const char *name);

/* --- words.c: shared by the readers ----------------------------------------------------------- */

void skip_blanks(struct litmus *t, const char **at);
/* The next word is this punctuation, or this name: pass it. */
bool pass_word(struct litmus *t, const char **at, const char *word);
void need_word(struct litmus *t, const char **at, const char *word);
/* A name, NULL: there is none. / A number, or a name: of a location's address. */
const char *read_name(struct litmus *t, const char **at);
bool read_number(struct litmus *t, const char **at, int64_t *to);
struct litmus_value read_value(struct litmus *t, const char **at);
char *text_between(const char *from, const char *to);

#endif
