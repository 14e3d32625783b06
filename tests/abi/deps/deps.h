/* SPDX-License-Identifier: ISC */
/*
 * deps.h - tests of what the pass passes on about dependencies (heddle-cc --deps): cases.c has
 * functions and the dependencies of their accesses, recorder.c is a runtime that only notes these.
 *
 * A case makes accesses to a, b, c, d and out; its expectation has one item for each that depends on
 * something, as `out:' and then the loads that its address, its data, branches before it, and
 * conditional moves depend on:
 *
 *     out: address a, data b, control ab, pick c; d: address a
 */
#ifndef TESTS_ABI_DEPS_H
#define TESTS_ABI_DEPS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct deps_case {
	const char *name, *want, *want_O0; /* want_O0: without optimisation; NULL: the same */
	void (*run)(void);
};

#define CASE2(name, want, want_O0)                                                                 \
	static void name(void);                                                                    \
	static const struct deps_case name##_case                                                  \
		__attribute__((section("cases"), used, aligned(8))) = {                            \
			#name, want, want_O0, name};                                               \
	static __attribute__((noinline)) void name(void)
#define CASE(name, want) CASE2(name, want, NULL)

extern atomic_int a, b, c, d, out;
extern _Atomic(atomic_int *) p;

#define LOAD(x)	    atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

#endif
