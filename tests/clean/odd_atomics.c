/* SPDX-License-Identifier: ISC */
/* Atomics of sizes that no instruction has (12 and 24 bytes), and unaligned ones: one step each. */
#include "two.h"

struct twelve { int a, b, c; };
struct big { long a, b, c; };

static _Atomic struct twelve t;
static _Atomic struct big b;

static void *writer(void *arg)
{
	struct big old, new = {4, 5, 6};

	atomic_store(&t, ((struct twelve){1, 1, 1}));
	old = atomic_exchange(&b, new);
	assert(old.a == 0 && old.b == 0 && old.c == 0);
	new.c = 7;
	old = (struct big){4, 5, 6};
	assert(atomic_compare_exchange_strong(&b, &old, new));
	assert(!atomic_compare_exchange_strong(&b, &old, new) && old.c == 7);
	return arg;
}

static void *reader(void *arg)
{
	struct twelve seen = atomic_load(&t);
	struct big now = atomic_load(&b);

	assert(seen.a == seen.b && seen.b == seen.c);
	assert((now.a == 0 && now.c == 0) || (now.a == 4 && now.b == 5 && now.c >= 6));
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	assert(!atomic_is_lock_free(&b));
	puts("ok");
	return 0;
}
