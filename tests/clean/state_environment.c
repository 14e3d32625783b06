/* SPDX-License-Identifier: ISC */
/* Arguments and environment are in every execution as they were before the first. */
#include "two.h"

extern char **environ;

static char by_putenv[] = "HEDDLE_TEST_B=2";

static void *nothing(void *arg)
{
	return NULL;
}

int main(int argc, char **argv)
{
	assert(argc == 1 && argv[0][0] != 'Z' && !argv[1]);
	assert(!getenv("HEDDLE_TEST_A") && !getenv("HEDDLE_TEST_B") && getenv("PATH"));
	argv[0][0] = 'Z';
	setenv("HEDDLE_TEST_A", "1", 1);
	putenv(by_putenv);
	setenv("PATH", "/nowhere", 1);
	assert(!strcmp(getenv("HEDDLE_TEST_A"), "1") && !strcmp(getenv("HEDDLE_TEST_B"), "2"));
	two(nothing, NULL, nothing, NULL);
	unsetenv("PATH");
	assert(!getenv("PATH"));
	by_putenv[14] = '3';
	assert(!strcmp(getenv("HEDDLE_TEST_B"), "3"));
	clearenv();
	assert(!environ || !*environ);
	puts("done");
	return 0;
}
