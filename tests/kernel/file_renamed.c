/* SPDX-License-Identifier: ISC */
/* A file gets a new name in one step: a thread that looks for the old one first finds it. WRONG:
 * the new one first.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

#ifdef WRONG
#define FIRST  to
#define SECOND from
#else
#define FIRST  from
#define SECOND to
#endif

static char from[80], to[80];

static void *move(void *arg)
{
	assert(!rename(from, to));
	return arg;
}

static void *look(void *arg)
{
	assert(!access(FIRST, F_OK) || !access(SECOND, F_OK));
	return arg;
}

static void *look_once(void *arg)
{
	access(from, F_OK);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	name_file(from, "from");
	name_file(to, "to");
	write_file(from, "text");
	t[0] = start(move, NULL);
	t[1] = start(look, NULL);
	t[2] = start(look_once, NULL);
	for (int i = 0; i < 3; i++)
		join(t[i]);
	return 0;
}
