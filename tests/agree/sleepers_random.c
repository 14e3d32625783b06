/* SPDX-License-Identifier: ISC */
/*
 * sleepers_random.c - writes random programs for turns.c with sleeps and timed waits, as C; to be
 * explored with --sleepers last.
 *
 *     sleepers_random SEED N
 *
 * The units of the threads' times are 1, 20 and 400 ms, so that hardly any two deadlines are equal:
 * on store buffers each read of the clock takes a microsecond.
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

static unsigned time_of(unsigned thread)
{
	static const unsigned unit[] = {1, 20, 400};

	return (1 + pick(3)) * unit[thread];
}

static char variable(void)
{
	return "XY"[pick(2)];
}

static void access_variable(void)
{
	static const char *const stores[] = {"relaxed", "release", "seq_cst"},
				 *const loads[] = {"relaxed", "acquire", "seq_cst"};

	if (pick(2))
		printf("atomic_store_explicit(&%c, %u, memory_order_%s);\n", variable(),
			1 + pick(2), stores[pick(3)]);
	else
		printf("r = r * 3 + atomic_load_explicit(&%c, memory_order_%s);\n", variable(),
			loads[pick(3)]);
}

static void hold_lock(unsigned thread)
{
	access_variable();
	if (pick(2))
		printf("usleep(%u000);\n", time_of(thread));
	access_variable();
	printf("pthread_mutex_unlock(&mutex);\n");
}

static void step(unsigned thread)
{
	/* The first one does not wait for others without a limit. */
	switch (thread ? pick(12) : 1 + pick(6)) {
	case 0:
		printf("pthread_mutex_lock(&mutex);\n");
		hold_lock(thread);
		break;
	case 1:
		printf("at = in(%u);\nif (pthread_mutex_timedlock(&mutex, &at)) {\nr = r * 3 + 1;\n"
		       "} else {\n", time_of(thread));
		hold_lock(thread);
		printf("}\n");
		break;
	case 2: printf("sem_post(&sem);\n"); break;
	case 3:
		printf("at = in(%u);\nr = r * 3 + !!sem_timedwait(&sem, &at);\n", time_of(thread));
		break;
	case 4:
		printf("pthread_mutex_lock(&mutex);\nflag = 1;\npthread_cond_%s(&cond);\n"
		       "pthread_mutex_unlock(&mutex);\n", pick(2) ? "signal" : "broadcast");
		break;
	case 5:
		printf("at = in(%u);\npthread_mutex_lock(&mutex);\nfor (e = 0; !flag && !e;)\n"
		       "e = pthread_cond_timedwait(&cond, &mutex, &at);\nr = r * 3 + !!e;\n"
		       "pthread_mutex_unlock(&mutex);\n", time_of(thread));
		break;
	case 6:
		printf("for (e = 0; e < 2 && !get(&%c); e++)\nusleep(%u000);\n", variable(),
			time_of(thread));
		break;
	case 7:
		printf("while (!get(&%c)%s%c%s)\nusleep(%u000);\n", variable(),
			pick(2) ? " && !get(&" : " + 0 * get(&", variable(), ")", time_of(thread));
		break;
	case 8: printf("r = r * 3 + now() %% 3;\n"); break;
	case 9:
	case 10: printf("usleep(%u000);\n", time_of(thread)); break;
	default: access_variable();
	}
}

static const char head[] =
	"#include \"turns.h\"\n#include <pthread.h>\n#include <semaphore.h>\n#include <time.h>\n"
	"#include <unistd.h>\n"
	"static int flag;\nstatic sem_t sem;\n"
	"static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n"
	"static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;\n\n"
	"static struct timespec in(long ms)\n{\nstruct timespec t;\n\n"
	"clock_gettime(CLOCK_REALTIME, &t);\nt.tv_sec += (t.tv_nsec / 1000000 + ms) / 1000;\n"
	"t.tv_nsec = (t.tv_nsec + ms % 1000 * 1000000) % 1000000000;\nreturn t;\n}\n\n"
	"static int now(void)\n{\nstruct timespec t;\n\nclock_gettime(CLOCK_MONOTONIC, &t);\n"
	"return (int)(t.tv_sec % 1000 * 1000 + t.tv_nsec / 1000000);\n}\n\n";

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 10, threads[1000];

	state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 1;
	printf("%s", head);
	for (unsigned k = 0; k < n; k++) {
		threads[k] = 2 + !pick(5);
		for (unsigned t = 0; t < threads[k]; t++) {
			printf("static int body%u_%u(void)\n{\nint r = 0, e = 0;\n", k, t);
			printf("struct timespec at;\n\n(void)e, (void)at;\n");
			for (unsigned i = 1 + pick(threads[k] == 2 ? 3 : 2); i; i--)
				step(t);
			if (!t)
				printf("put(&X, 1);\nput(&Y, 1);\n");
			printf("return r;\n}\n\n");
		}
	}
	printf("const struct turns_case turns_cases[] = {\n");
	for (unsigned k = 0; k < n; k++) {
		printf("{\"sleepers %u\", {", k);
		for (unsigned t = 0; t < threads[k]; t++)
			printf("%sbody%u_%u", t ? ", " : "", k, t);
		printf("}},\n");
	}
	printf("};\nconst int turns_ncases = %u;\n", n);
	return 0;
}
