/* SPDX-License-Identifier: ISC */
/*
 * polls_random.c - writes random loops for turns.c whose iterations undo their effects, as C.
 *
 *     polls_random SEED N
 *
 * A poller takes a lock or raises a count, reads, and undoes that; others set its condition, under
 * the same lock or not, and read the lock. With turns_bounded, turn() ends executions with many
 * iterations.
 */
#include "../random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

static const char *const lock[] = {"while (!change(&Z, 0, 1))\n\t;\n",
	"while (atomic_exchange(&Z, 1))\n\t;\n", "pthread_mutex_lock(&mutex);\n",
	"pthread_spin_lock(&spin);\n"};
static const char *const unlock[] = {"atomic_store_explicit(&Z, 0, memory_order_release);\n",
	"atomic_store(&Z, 0);\n", "pthread_mutex_unlock(&mutex);\n",
	"pthread_spin_unlock(&spin);\n"};
static const char *const peek[] = {"r = r * 3 + get(&Z);\n", "r = r * 3 + atomic_load(&Z);\n",
	"if (!pthread_mutex_trylock(&mutex)) {\npthread_mutex_unlock(&mutex);\nr++;\n}\n",
	"if (!pthread_spin_trylock(&spin)) {\npthread_spin_unlock(&spin);\nr++;\n}\n"};

static const char *variable(void)
{
	return pick(3) ? "X" : "Y";
}

static void look(void)
{
	switch (pick(4)) {
	case 0: printf("seen = data;\n"); return;
	case 1: printf("seen = get(&%s) == 1;\n", variable()); return;
	case 2: printf("seen = atomic_load(&%s);\n", variable()); return;
	default: printf("seen = get(&X) && get(&Y);\n"); return;
	}
}

static void poller(unsigned k, unsigned kind)
{
	printf("static int poller%u(void)\n{\nint n = 0, r = 0, seen;\n\n(void)n;\n", k);
	if (!pick(4))
		printf("put(&%s, 2);\n", variable());
	switch (pick(4)) {
	case 0: /* inside of the lock */
		printf("%sfor (;;) {\n", lock[kind]);
		look();
		printf("if (seen)\nbreak;\n%sturn(&n);\n%s}\n%s", unlock[kind], lock[kind],
			unlock[kind]);
		break;
	case 1: /* a count, raised and lowered again */
		printf("for (;;) {\natomic_fetch_add(&Z, 4);\n");
		look();
		printf("if (seen)\nbreak;\n%s;\nturn(&n);\n}\n",
			pick(2) ? "atomic_fetch_sub(&Z, 4)" : "atomic_fetch_add(&Z, -4)");
		break;
	default:
		printf("do {\n%s", lock[kind]);
		look();
		printf("%s%sturn(&n);\n} while (!seen);\n", unlock[kind],
			pick(3) ? "" : "sched_yield();\n");
	}
	printf("return r + get(&%s);\n}\n\n", variable());
}

/* Its iterations, except the last one, make a store; the loop is followed by an access. */
static void hasty_poller(unsigned k)
{
	static const char *const orders[] = {"memory_order_relaxed", "memory_order_acq_rel",
		"memory_order_seq_cst"};
	static const char *const stores[] = {"memory_order_relaxed", "memory_order_release"};

	printf("static int poller%u(void)\n{\nint n = 0;\n\n(void)n;\nwhile (!get(&%s)) {\n", k,
		pick(2) ? "X" : "Y");
	switch (pick(3)) {
	case 0:
		printf("if (!atomic_exchange_explicit(&Z, 1, %s))\natomic_store_explicit(&Z, 0, "
		       "%s);\n", orders[pick(3)], stores[pick(2)]);
		break;
	case 1: printf("if (change(&Z, 0, 1))\nput(&Z, 0);\n"); break;
	default: printf("atomic_fetch_add_explicit(&Z, 4, %s);\natomic_fetch_sub_explicit(&Z, 4, "
			"%s);\n", orders[pick(3)], orders[pick(3)]);
	}
	printf("turn(&n);\n}\n%s(&%s, 2);\nreturn 0;\n}\n\n",
		pick(2) ? "put" : "atomic_store", pick(2) ? "X" : "Y");
}

/* Threads that first read the access after the loop, or store to the iterations' locations. */
static void hasty_others(unsigned k)
{
	printf("static int setter%u(void)\n{\nint r = 0;\n\n", k);
	if (!pick(3))
		printf("r = get(&Z);\n");
	if (!pick(2))
		printf("put(&Z, %u);\n", pick(2) ? 5 : 0);
	printf("put(&X, 1);\nput(&Y, 1);\nreturn r;\n}\n\n");
	printf("static int onlooker%u(void)\n{\nint r = 0;\n\n", k);
	for (unsigned n = 2 + pick(2); n; n--)
		printf("r = r * 6 + get(&%s);\n", n == 1 ? "Z" : pick(3) ? variable() : "Z");
	printf("return r;\n}\n\n");
}

static void setter(unsigned k, unsigned kind)
{
	printf("static int setter%u(void)\n{\nint r = 0;\n\n", k);
	for (unsigned i = 0, n = 1 + pick(2); i < n; i++) {
		bool locked = pick(4);

		if (!pick(3))
			printf("%s", peek[kind]);
		printf("%sdata = 1;\nput(&X, 1);\n", locked ? lock[kind] : "");
		printf("%sput(&Y, 1);\n%s", pick(2) ? "r += get(&X);\n" : "",
			locked ? unlock[kind] : "");
	}
	printf("return r;\n}\n\n");
}

static void onlooker(unsigned k, unsigned kind)
{
	printf("static int onlooker%u(void)\n{\nint r = 0;\n\n%s", k, peek[kind]);
	printf("r = r * 3 + get(&%s);\nreturn r;\n}\n\n", variable());
}

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 10, third[1000];

	state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 1;
	printf("#include \"turns.h\"\n#include <pthread.h>\n#include <sched.h>\nstatic int data;\n"
	       "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\nstatic "
	       "pthread_spinlock_t spin;\n\n"
	       "__attribute__((constructor)) static void begin(void)\n{\npthread_spin_init(&spin, "
	       "0);\n}\n\n");
	for (unsigned k = 0; k < n; k++) {
		unsigned kind = pick(4);

		third[k] = !pick(4) ? 3 : pick(3);
		if (third[k] == 3) {
			hasty_poller(k);
			hasty_others(k);
			continue;
		}
		poller(k, kind);
		setter(k, kind);
		if (third[k] == 1)
			onlooker(k, kind);
	}
	printf("const struct turns_case turns_cases[] = {\n");
	for (unsigned k = 0; k < n; k++) {
		printf("{\"polls %u\", {poller%u, setter%u", k, k, k);
		if (third[k])
			printf(", %s%u", third[k] == 2 ? "poller" : "onlooker", k);
		printf("}},\n");
	}
	printf("};\nconst int turns_ncases = %u;\n", n);
	return 0;
}
