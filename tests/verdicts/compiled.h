/* SPDX-License-Identifier: ISC */
/* compiled.h - definitions for the programs printed as C by render.c. */
#ifndef COUNT_COMPILED_H
#define COUNT_COMPILED_H

#include "graph_program.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "graph_program.h"

struct compiled {
	const char *name;
	void (*run)(void *);
	unsigned char verdict[GP_MODELS]; /* as in struct counted */
};

#define PROGRAM(number, ...)                                                                       \
	static void run_##number(void *);                                                          \
	static const struct compiled program_##number = {#number, run_##number, {__VA_ARGS__}};    \
	static const struct compiled *const place_##number                                         \
		__attribute__((used, section("compiled"))) = &program_##number;                    \
	static void run_##number(void *unused)

/* Read, and make the compiler assume that the value is used. */
#define USE(x) __asm__ volatile("" : : "g"(x))

/* The compiler moves no access past this. */
#define KEEP() __asm__ volatile("" : : : "memory")

/* All bytes of it, or a number in every byte. */
#define BYTES(v) ((uint64_t)(v)*0x0101010101010101u)

#endif
