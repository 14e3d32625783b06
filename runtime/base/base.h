/* SPDX-License-Identifier: ISC */
/* base.h - integer names, branch hints and BUG_ON, for every file. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
typedef unsigned __int128 u128;

#define likely(x)     __builtin_expect(!!(x), 1)
#define unlikely(x)   __builtin_expect(!!(x), 0)
#define array_size(a) (sizeof(a) / sizeof((a)[0]))

/*
 * `make TINY=1`: tables, caches and rings begin so small that each of their growth paths runs all
 * the time, and the invariants that headers list under "Always" are checked after every event (as
 * in graph_invariants.c).
 */
#ifdef HEDDLE_TINY
#define TINY(small, usual) (small)
#define INVARIANT(check)   (check)
#else
#define TINY(small, usual) (usual)
#define INVARIANT(check)   ((void)0)
#endif

/* A name that the program sees; all others are made local to the runtime (Makefile). */
#define EXPORT __attribute__((visibility("default")))

/* Runtime state that belongs to one execution: saved and restored with the program's memory. */
#define PER_EXECUTION __attribute__((section("heddle_exec")))

/* Our own bug: prints file:line and the condition, exits with 70. On in release builds too. */
#define BUG_ON(condition)                                                                          \
	do {                                                                                       \
		if (unlikely(condition))                                                           \
			stop_bug(__FILE__, __LINE__, #condition);                                  \
	} while (0)

/* Defined by the program that links the pure layers: process/stop.c, tools/die.c or a unit test. */
_Noreturn void stop_bug(const char *file, int line, const char *what);

#endif
