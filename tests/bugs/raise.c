/* SPDX-License-Identifier: ISC */
/* finding: crash; models: sc tso; reorder: no */
/* A signal whose default is to end the process. */
#include <signal.h>
#include "../clean/two.h"

static atomic_int first;

static void *one(void *arg)
{
	if (first++)
		raise(SIGTERM);
	return arg;
}

int main(void)
{
	two(one, NULL, one, NULL);
	return 0;
}
