/* SPDX-License-Identifier: ISC */
/* Atomics of sizes that no instruction has (12 and 24 bytes), and unaligned ones: one step each. */
#include "two.h"

struct twelve { int a, b, c; };
struct big { long a, b, c; };

static _Atomic struct twelve t;
static _Atomic struct big b;

static void *writer(void *arg)
{
	atomic_store(&t, ((struct twelve){1, 1, 1}));
	return arg;
}

static void *reader(void *arg)
{
	struct twelve seen = atomic_load(&t);

	assert(seen.a == seen.b && seen.b == seen.c);
	return arg;
}

static void alone(void)
{
	struct big old, new = {4, 5, 6};

	assert(!atomic_is_lock_free(&b));
	old = atomic_exchange(&b, new);
	assert(old.a == 0 && old.b == 0 && old.c == 0);
	new.c = 7;
	old = (struct big){4, 5, 6};
	assert(atomic_compare_exchange_strong(&b, &old, new));
	assert(!atomic_compare_exchange_strong(&b, &old, new) && old.c == 7);
	old = atomic_load(&b);
	assert(old.a == 4 && old.b == 5 && old.c == 7);
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	alone();
	puts("ok");
	return 0;
}
