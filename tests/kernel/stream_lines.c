/* SPDX-License-Identifier: ISC */
/* A client and a server exchange lines through streams over a pair of sockets. WRONG: the server
 * leaves its answer in the stream's buffer.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --executions 2000
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock
 */
#include "kernel.h"

#include <sys/socket.h>

static int end[2];

static void *serve(void *arg)
{
	FILE *in = fdopen(dup(end[1]), "r"), *out = fdopen(end[1], "w");
	char line[32];
	int n;

	assert(in && out);
	while (fgets(line, sizeof line, in)) {
		if (sscanf(line, "add %d", &n) == 1)
			fprintf(out, "sum %d\n", n + 1);
		else
			fputs("error\n", out);
#ifndef WRONG
		fflush(out);
#endif
	}
	fclose(in);
	fclose(out);
	return arg;
}

static void request(FILE *f, const char *text, const char *answer)
{
	char line[32];

	assert(fputs(text, f) >= 0 && !fflush(f));
	assert(fgets(line, sizeof line, f) && !strcmp(line, answer));
}

int main(void)
{
	pthread_t t;
	FILE *f;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, end));
	assert(!fdopen(1000, "r") && errno == EBADF);
	t = start(serve, NULL);
	f = fdopen(end[0], "r+");
	assert(f && fileno(f) == end[0]);
	request(f, "add 4\n", "sum 5\n");
	request(f, "take 4\n", "error\n");
	assert(!fclose(f));
	join(t);
	return 0;
}
