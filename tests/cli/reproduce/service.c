/* SPDX-License-Identifier: ISC */
/* service.c - the program in production: threads that call the bank, in rounds, until it fails. */
#include <stdatomic.h>
#include <string.h>
#include "bank.h"

static const char *mode;
static atomic_int rounds[2];

static int is(const char *name)
{
	return !strcmp(mode, name);
}

/* Both threads begin a round, or end it, together. */
static void meet(int me)
{
	int n = ++rounds[me];

	while (rounds[!me] < n)
		;
}

static void call(int me)
{
	if (is("transfer")) {
		for (int i = 0; i < 1000; i++)
			transfer(me, !me, 1);
	} else if (is("rate")) {
		static struct rate *r;

		if (me)
			interest(100);
		else
			set_rate(NULL);
		set_rate(r = r ? r : new_rate(3));
	} else if (is("name")) {
		if (me)
			name_length();
		else
			rename_bank();
	} else if (is("deposit")) {
		for (int i = 0; i < 1000; i++)
			deposit();
	} else if (is("keys")) {
		for (int i = 0; i < 1000; i++)
			me ? leave_bank(1) : guard_bank(1);
	} else if (is("open")) {
		if (me)
			wait_for_opening();
		else
			open_bank();
	} else {
		try_door(me);
	}
}

static void *serve(void *number)
{
	int me = number != NULL;

	for (;;) {
		meet(me);
		call(me);
		meet(me);
		if (me)
			continue;
		if (is("deposit"))
			settle(2000);
		else if (is("open"))
			close_bank();
		else if (is("name"))
			name_bank();
		else if (is("door"))
			check_doors();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	mode = argc > 1 ? argv[1] : "transfer";
	if (is("name"))
		name_bank();
	pthread_create(&t, NULL, serve, NULL);
	pthread_create(&u, NULL, serve, &u);
	pthread_join(t, NULL);
	return 0;
}
