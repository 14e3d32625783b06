/* SPDX-License-Identifier: ISC */
/* test.c - tests of the same code: of each failure, and some that fail otherwise, or not. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include "bank.h"

static const char *mode;
static atomic_int begun, night;

static int is(const char *name)
{
	return !strcmp(mode, name);
}

static void *other(void *unused)
{
	if (is("transfer"))
		transfer(1, 0, 2);
	else if (is("one way"))
		transfer(0, 1, 2);
	else if (is("audit"))
		audit();
	else if (is("either"))
		atomic_load(&begun) ? transfer(0, 1, 2) : audit();
	else if (is("rate"))
		set_rate(NULL);
	else if (is("name"))
		rename_bank();
	else if (is("deposit"))
		deposit();
	else if (is("open"))
		open_bank();
	else if (is("keys"))
		leave_bank(atomic_fetch_add(&night, begun) + begun);
	else if (is("days"))
		leave_bank(0);
	else
		try_door(1);
	return unused;
}

static void mine(void)
{
	if (is("either") || is("keys"))
		atomic_store(&begun, 1);
	if (is("transfer") || is("one way"))
		transfer(0, 1, 3);
	else if (is("audit") || is("either"))
		transfer(1, 0, 3);
	else if (is("rate"))
		interest(10);
	else if (is("name"))
		name_length();
	else if (is("deposit"))
		deposit();
	else if (is("open"))
		wait_for_opening();
	else if (is("keys") || is("days"))
		guard_bank(night);
	else
		try_door(0);
}

int main(int argc, char **argv)
{
	pthread_t t;

	mode = argc > 1 ? argv[1] : "transfer";
	if (is("rate"))
		set_rate(new_rate(5));
	if (is("name"))
		name_bank();
	pthread_create(&t, NULL, other, NULL);
	mine();
	pthread_join(t, NULL);
	if (is("deposit"))
		settle(2);
	else if (is("door"))
		check_doors();
	return 0;
}
