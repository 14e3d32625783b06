/* SPDX-License-Identifier: ISC */
/* graph: rc11; models: tso; options: --strategy random --executions 50 */
/* atfork.c - the handlers of pthread_atfork() that an execution has registered run around its
 * fork(), in their order, and no others. */
#include <sys/wait.h>
#include <unistd.h>

#include "two.h"

static atomic_int hits;
static char calls[16];

static void *work(void *arg)
{
	hits++;
	return arg;
}

static void note(char c)
{
	size_t n = strlen(calls);

	assert(n + 1 < sizeof calls);
	calls[n] = c;
}

static void prepare_1(void) { note('a'); }
static void parent_1(void) { note('b'); }
static void child_1(void) { note('c'); }
static void prepare_2(void) { note('A'); }
static void parent_2(void) { note('B'); }
static void child_2(void) { note('C'); }

int main(void)
{
	int status;
	pid_t child;

	assert(!calls[0]);
	assert(!pthread_atfork(prepare_1, parent_1, child_1));
	assert(!pthread_atfork(prepare_2, parent_2, child_2));
	two(work, NULL, work, NULL);
	child = fork();
	if (!child)
		_exit(strcmp(calls, "AacC") != 0);
	assert(waitpid(child, &status, 0) == child && status == 0);
	assert(!strcmp(calls, "AabB"));
	return 0;
}
