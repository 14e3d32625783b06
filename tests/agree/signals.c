/* SPDX-License-Identifier: ISC */
/*
 * signals.c - random programs of signals, by graphs, against all interleavings of a model that has
 * nothing in common with Heddle's; TAP.
 *
 *     signals [FIRST SEED [PROGRAMS]]
 *
 * A signal is pending for its target when the call returns. It arrives at any time later, and its
 * handler runs before a call of a thread that does not block it; unblocking takes it when it is
 * pending.
 */
#include "results.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS	   3
#define CALLS_EACH 4

enum call {
	CALL_STORE,
	CALL_LOAD,
	CALL_SEND,
	CALL_TAKE,
	CALL_PENDING,
	CALL_BLOCK,
	CALL_UNBLOCK,
	CALLS
};

static const char *const words[CALLS] = {
	"store", "load", "send", "take", "pending", "block", "unblock"};

static struct program {
	int threads, calls;
	enum call call[THREADS][CALLS_EACH];
	int other[THREADS][CALLS_EACH]; /* SEND: the target; STORE: the value */
} program;

static void program_random(unsigned seed, int threads, int calls)
{
	srand(seed);
	program = (struct program){.threads = threads, .calls = calls};
	for (int t = 0; t < threads; t++)
		for (int i = 0; i < calls; i++) {
			program.call[t][i] = (enum call)(rand() % CALLS);
			program.other[t][i] = program.call[t][i] == CALL_SEND
						       ? (t + 1 + rand() % (threads - 1)) % threads
						       : t * CALLS_EACH + i + 1;
		}
}

static void program_print(void)
{
	for (int t = 0; t < program.threads; t++) {
		printf("#   ");
		for (int i = 0; i < program.calls; i++)
			printf(" %s:%d", words[program.call[t][i]], program.other[t][i]);
		printf("\n");
	}
}

/* --- explored --------------------------------------------------------------------------------- */

static pthread_t thread[THREADS];
static atomic_int x;
static sem_t gate[THREADS];
static int result[THREADS][CALLS_EACH], handled[THREADS];
static _Thread_local int self;

static void on_usr1(int sig)
{
	(void)sig;
	handled[self] = handled[self] * 16 + 1 + atomic_load(&x);
}

static int call(int t, int i)
{
	const struct timespec none = {0};
	sigset_t usr1;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	switch (program.call[t][i]) {
	case CALL_STORE: atomic_store(&x, program.other[t][i]); return 0;
	case CALL_LOAD: return atomic_load(&x);
	case CALL_SEND: return pthread_kill(thread[program.other[t][i]], SIGUSR1);
	case CALL_TAKE: return sigtimedwait(&usr1, NULL, &none) == SIGUSR1;
	case CALL_PENDING: return (sigpending(&usr1), sigismember(&usr1, SIGUSR1));
	case CALL_BLOCK: return pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	default: return pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
	}
}

static void *run(void *arg)
{
	self = (int)(intptr_t)arg;
	sem_wait(&gate[self]);
	for (int i = 0; i < program.calls; i++)
		result[self][i] = call(self, i);
	atomic_load(&x); /* signals may still be handled here */
	return NULL;
}

static int digits(const int *value, int n)
{
	int all = 0;

	for (int i = 0; i < n; i++)
		all = all * 16 + value[i];
	return all;
}

static void explored(void *arg)
{
	struct sigaction a = {.sa_handler = on_usr1};
	static const char *const names[THREADS][2] = {{"a", "b"}, {"c", "d"}, {"e", "f"}};
	sigset_t usr1;

	(void)arg;
	sigaction(SIGUSR1, &a, NULL);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	for (int t = 0; t < program.threads; t++)
		sem_init(&gate[t], 0, 0);
	for (int t = 0; t < program.threads; t++)
		pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
	for (int t = 0; t < program.threads; t++)
		sem_post(&gate[t]);
	for (int t = 0; t < program.threads; t++)
		pthread_join(thread[t], NULL);
	for (int t = 0; t < program.threads; t++) {
		heddle_observe(names[t][0], (uint64_t)digits(result[t], program.calls));
		heddle_observe(names[t][1], (uint64_t)handled[t]);
	}
	heddle_observe("z", 0);
}

/* --- the model -------------------------------------------------------------------------------- */

struct state {
	int x, at[THREADS], flying[THREADS], result[THREADS][CALLS_EACH], handled[THREADS];
	bool blocked[THREADS], pending[THREADS], arrived[THREADS], handles[THREADS],
		unblocks[THREADS];
};

static struct results all;
static struct state seen[400000];
static unsigned nseen;

static bool is_new(const struct state *s)
{
	static unsigned table[1 << 20];
	unsigned h = 2166136261u;

	if (!nseen)
		memset(table, 0, sizeof table);
	for (size_t i = 0; i < sizeof *s; i++)
		h = (h ^ ((const unsigned char *)s)[i]) * 16777619u;
	for (h &= (1 << 20) - 1; table[h]; h = (h + 1) & ((1 << 20) - 1))
		if (!memcmp(&seen[table[h] - 1], s, sizeof *s))
			return false;
	if (nseen == sizeof seen / sizeof *seen)
		abort();
	seen[nseen++] = *s;
	table[h] = nseen;
	return true;
}

static void note_end(const struct state *s)
{
	char text[sizeof all.text[0]] = "";

	for (int t = 0; t < program.threads; t++)
		sprintf(text + strlen(text), "%c=%d %c=%d ", 'a' + 2 * t,
			digits(s->result[t], program.calls), 'b' + 2 * t, s->handled[t]);
	strcat(text, "z=0");
	for (unsigned i = 0; i < all.n; i++)
		if (!strcmp(all.text[i], text))
			return;
	if (all.n == RESULTS_MAX)
		abort();
	strcpy(all.text[all.n++], text);
}

static void begin_handler(struct state *s, int t)
{
	s->pending[t] = false;
	s->handles[t] = true;
}

static void step(struct state *s, int t)
{
	int i = s->at[t], other = program.other[t][i];

	if (s->unblocks[t]) {
		if (s->pending[t]) {
			begin_handler(s, t);
			return;
		}
		s->unblocks[t] = false;
		s->at[t]++;
		return;
	}
	switch (program.call[t][i]) {
	case CALL_STORE: s->x = other; break;
	case CALL_LOAD: s->result[t][i] = s->x; break;
	case CALL_SEND:
		s->pending[other] = true;
		s->flying[other]++;
		break;
	case CALL_TAKE:
		s->result[t][i] = s->pending[t];
		s->pending[t] = false;
		break;
	case CALL_PENDING: s->result[t][i] = s->pending[t] && s->blocked[t]; break;
	case CALL_BLOCK: s->blocked[t] = true; break;
	default:
		if (s->blocked[t]) {
			s->blocked[t] = false;
			s->unblocks[t] = true;
			return;
		}
	}
	s->at[t]++;
}

static void explore(const struct state *s)
{
	bool ended = true;

	if (!is_new(s))
		return;
	for (int t = 0; t < program.threads; t++) {
		struct state next = *s;

		if (s->flying[t]) {
			next.flying[t]--;
			next.arrived[t] = true;
			explore(&next);
			next = *s;
		}
		if (s->handles[t]) {
			next.handles[t] = false;
			next.handled[t] = next.handled[t] * 16 + 1 + s->x;
			ended = false;
			explore(&next);
			continue;
		}
		if (s->arrived[t] && !s->blocked[t]) {
			next.arrived[t] = false;
			if (s->pending[t])
				begin_handler(&next, t);
			explore(&next);
			next = *s;
		}
		if (s->at[t] == program.calls)
			continue;
		ended = false;
		step(&next, t);
		explore(&next);
	}
	if (ended)
		note_end(s);
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void interleave(void)
{
	struct state s;

	memset(&s, 0, sizeof s);
	memset(&all, 0, sizeof all);
	for (int t = 0; t < program.threads; t++)
		s.blocked[t] = true;
	nseen = 0;
	explore(&s);
	qsort(all.text, all.n, sizeof all.text[0], compare);
	all.complete = true;
}

/* --- comparison ------------------------------------------------------------------------------- */

static bool agree(unsigned seed, const char *model)
{
	static struct results found;

	results_explore(&found, explored, model, "graph", "", 0);
	if (results_equal(&all, &found))
		return true;
	printf("# seed %u, %s\n", seed, model);
	program_print();
	results_print(&all, &found);
	return false;
}

int main(int argc, char **argv)
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 60, wrong = 0;

	for (unsigned seed = first; seed < first + n; seed++) {
		program_random(seed, seed % 2 ? 3 : 2, seed % 2 ? 2 : 4);
		interleave();
		wrong += !agree(seed, "sc");
		wrong += !agree(seed, "tso");
		wrong += !agree(seed, "rc11");
	}
	printf("%sok - agree: %u programs of signals, against all interleavings\n",
		wrong ? "not " : "", n);
	return wrong != 0;
}
