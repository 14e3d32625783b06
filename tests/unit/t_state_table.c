/* SPDX-License-Identifier: ISC */
/* t_state_table.c - states as numbers: each has one, in all processes that add it. */
#include "object/state_table.h"

#include "unit.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATES 400

static void *memory(void)
{
	return mmap(NULL, STATE_TABLE_SIZE, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* The i-th: its size differs, too. */
static u32 state(u32 i, u32 bytes[64])
{
	memset(bytes, 0, 64 * sizeof *bytes);
	bytes[0] = i;
	bytes[i % 60 + 1] = 7;
	return (i % 60 + 2) * 4;
}

static u64 intern(u32 i)
{
	u32 bytes[64], size = state(i, bytes);

	return state_intern(bytes, size);
}

static bool is_kept(u32 i, u64 number)
{
	u32 bytes[64], size = state(i, bytes), n = 0;
	const void *kept = state_of(number, &n);

	return kept && n == size && !memcmp(kept, bytes, size);
}

static void numbers(void)
{
	u64 number[STATES];
	u32 size;

	state_table_begin(memory());
	CU_ASSERT_FALSE(state_table_used());
	for (u32 i = 0; i < STATES; i++)
		number[i] = intern(i);
	CU_ASSERT_TRUE(state_table_used());
	for (u32 i = 0; i < STATES; i++) {
		CU_ASSERT_TRUE(state_is_number(number[i]) && is_kept(i, number[i]));
		CU_ASSERT_EQUAL(intern(i), number[i]);
		for (u32 k = 0; k < i; k++)
			CU_ASSERT_NOT_EQUAL(number[i], number[k]);
	}
	CU_ASSERT_PTR_NULL(state_of(number[0] + 1, &size));
	CU_ASSERT_PTR_NULL(state_of(0, &size));
	/* in another table, added in another order, they are the same */
	state_table_begin(memory());
	CU_ASSERT_PTR_NULL(state_of(number[0], &size));
	for (u32 i = STATES; i--;)
		CU_ASSERT_EQUAL(intern(i), number[i]);
}

static void processes(void)
{
	pid_t child[3];
	int status;

	state_table_begin(memory());
	for (u32 c = 0; c < 3; c++) {
		child[c] = fork();
		if (child[c])
			continue;
		for (u32 i = 0; i < STATES; i++)
			intern((i * 7 + c * 100) % STATES);
		_exit(0);
	}
	for (u32 c = 0; c < 3; c++)
		CU_ASSERT_TRUE(waitpid(child[c], &status, 0) == child[c] && !status);
	for (u32 i = 0; i < STATES; i++) {
		u32 bytes[64], size = state(i, bytes);
		u64 number = 0;

		CU_ASSERT_TRUE(is_kept(i, number = state_intern(bytes, size)));
		CU_ASSERT_EQUAL(intern(i), number);
	}
}

static void full(void)
{
	static char bytes[1 << 16];
	u32 n = 0;

	state_table_begin(memory());
	while (!state_table_is_full() && n < 1u << 20) {
		memcpy(bytes, &n, sizeof n);
		state_intern(bytes, sizeof bytes);
		n++;
	}
	CU_ASSERT_TRUE(n > STATE_TABLE_SIZE / sizeof bytes / 3 &&
		       n <= STATE_TABLE_SIZE / sizeof bytes);
	state_table_begin(NULL);
	CU_ASSERT_TRUE(state_table_is_full());
	CU_ASSERT_EQUAL(intern(0), UINT64_MAX);
}

const struct unit_test state_table_tests[] = {
	{"a state has one number", numbers},
	{"several processes", processes},
	{"full", full},
	{NULL, NULL},
};
