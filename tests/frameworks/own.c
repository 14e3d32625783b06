/* SPDX-License-Identifier: ISC */
/* A program's own framework: assertions jump out of the test. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf failed;

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			longjmp(failed, 1);                                                        \
	} while (0)
#include "body.h"

static void publishes(void *arg)
{
	PUBLISHES;
}

static void store_buffering(void *arg)
{
	STORE_BUFFERING;
}

static void jumps_inside(void *arg)
{
	jmp_buf here;

	if (!setjmp(here))
		longjmp(here, 1);
}

static int run(const char *name, void (*fn)(void *))
{
	struct heddle_result r;

	if (setjmp(failed)) {
		printf("FAILED %s: itself\n", name);
		return 1;
	}
	setups = 1;
	if (heddle_check(fn, NULL, NULL, &r) == 1) {
		printf("FAILED %s: %s\n", name, r.message);
		return 1;
	}
	printf("ok %s\n", name);
	return 0;
}

int main(void)
{
	return run("publishes", publishes) + run("store_buffering", store_buffering) +
	       run("jumps_inside", jumps_inside) + run("publishes", publishes);
}
