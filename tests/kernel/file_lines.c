/* SPDX-License-Identifier: ISC */
/* Threads write whole lines to one stream. WRONG: a line is two calls, and lines are mixed.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * executions sc 6
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static FILE *out;

static void *say(void *name)
{
#ifdef WRONG
	fputs(name, out);
	fprintf(out, " is here\n");
#else
	fprintf(out, "%s is here\n", (char *)name);
#endif
	return NULL;
}

int main(void)
{
	char path[80], line[32];
	pthread_t t[2];
	FILE *in;

	name_file(path, "lines");
	out = fopen(path, "w");
	assert(out);
	t[0] = start(say, "one");
	t[1] = start(say, "two");
	join(t[0]);
	join(t[1]);
	assert(!fclose(out));
	in = fopen(path, "r");
	for (int i = 0; i < 2; i++)
		assert(fgets(line, sizeof line, in) && strlen(line) == 12);
	assert(!fgets(line, sizeof line, in) && !fclose(in) && !remove(path));
	return 0;
}
