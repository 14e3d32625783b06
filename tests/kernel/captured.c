/* SPDX-License-Identifier: ISC */
/* A test captures its own output: dup2() of a pipe onto standard output, -DTO_FILE of a file, and back. WRONG: it expects
 * the lines of two threads in one order.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DTO_FILE rc11 ok complete -- --strategy graph
 * verdict -DDIRECT sc ok complete -- --strategy dfs
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion
 * verdict -DWRONG -DTO_FILE rc11 assertion -- --strategy graph
 * verdict -DWRONG -DTO_FILE sc assertion -- --strategy dfs
 * verdict -DWRONG -DDIRECT rc11 assertion -- --strategy graph
 */
#include "kernel.h"

static void say(const char *line)
{
#ifdef DIRECT
	assert(write(STDOUT_FILENO, line, strlen(line)) > 0);
#else
	printf("%s", line);
#endif
}

static void *say_one(void *arg)
{
	say("one\n");
	return arg;
}

int main(void)
{
	int from, to, before;
	char said[16] = "";
	pthread_t t;

#ifdef TO_FILE
	char name[] = "/tmp/capturedXXXXXX";

	from = to = mkstemp(name);
#else
	int ends[2];

	assert(!pipe(ends));
	from = ends[0];
	to = ends[1];
#endif
	fflush(stdout);
	before = dup(STDOUT_FILENO);
	assert(from >= 0 && before >= 0 && dup2(to, STDOUT_FILENO) == STDOUT_FILENO);
	t = start(say_one, NULL);
	say("two\n");
	join(t);
	fflush(stdout);
	assert(dup2(before, STDOUT_FILENO) == STDOUT_FILENO && !close(before));
#ifdef TO_FILE
	assert(!lseek(from, 0, SEEK_SET));
#endif
	assert(read(from, said, sizeof said - 1) == 8);
#ifndef WRONG
	assert(!strcmp(said, "one\ntwo\n") || !strcmp(said, "two\none\n"));
#else
	assert(!strcmp(said, "two\none\n"));
#endif
	return 0;
}
