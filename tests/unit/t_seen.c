/* SPDX-License-Identifier: ISC */
/* t_seen.c - the table of visited states (verify/verify_seen.c). */
#include "verify/verify_priv.h"

#include "unit.h"

#include <stdlib.h>

#define MEMORY ((size_t)4 << 20)

/* Keys are compared whole: none equals another one, or two adjacent
 * ones. */
static void seen_keys(void)
{
	struct verify verify;
	struct verify_priv *p;
	void *memory;
	u32 wrong = 0;

	memory = aligned_alloc(64, MEMORY);
	CU_ASSERT_FATAL(memory != NULL);
	verify_init(&verify, memory, MEMORY, 10, 2, 2);
	p = verify.priv;
	verify_seen_clear(p);
	for (u32 i = 0; i < 40000; i++) {
		u16 key[] = {(u16)(i % 200), (u16)(i / 200), 7};

		wrong += verify_seen(p, key, 2 + i % 2) != SEEN_NEW;
		wrong += verify_seen(p, key, 2 + i % 2) != SEEN_OLD;
		wrong += i % 2 == 0 && verify_seen(p, key, 1) != (i < 200 ? SEEN_NEW : SEEN_OLD);
	}
	for (u32 i = 0; i < 5000; i++) {
		u16 a[] = {(u16)i}, b[] = {(u16)~i}, both[] = {(u16)i, 1, (u16)~i};

		verify_seen_clear(p);
		wrong += verify_seen(p, a, 1) != SEEN_NEW || verify_seen(p, b, 1) != SEEN_NEW;
		wrong += verify_seen(p, both, 3) != SEEN_NEW;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	free(memory);
}

/* A lack of room is reported. */
static void full(void)
{
	size_t size = verify_memory(10, 2, 2);
	void *memory = aligned_alloc(64, (size + 63) & ~(size_t)63);
	struct verify verify;
	enum key_seen seen = SEEN_NEW;
	u32 n = 0;

	CU_ASSERT_FATAL(memory != NULL);
	verify_init(&verify, memory, size, 10, 2, 2);
	verify_seen_clear(verify.priv);
	while (seen == SEEN_NEW) {
		u16 key[] = {(u16)n++};

		seen = verify_seen(verify.priv, key, 1);
	}
	CU_ASSERT(seen == SEEN_FULL && n > 10 && n < 1000);
	free(memory);
}

const struct unit_test seen_tests[] = {
	{"keys are compared whole", seen_keys},
	{"full", full},
	{NULL, NULL},
};
