/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's barriers: writes before a barrier are visible after it. */
#include <assert.h>
#include <ck_barrier.h>
#include <ck_pr.h>
#include <pthread.h>

#define THREADS 2
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int arrived[THREADS];

#if defined(CENTRALIZED)
static ck_barrier_centralized_t barrier = CK_BARRIER_CENTRALIZED_INITIALIZER;
#define STATE	  ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER
#define WAIT	  ck_barrier_centralized(&barrier, &state, THREADS)
#define INIT
#elif defined(MCS)
static ck_barrier_mcs_t barrier[THREADS];
#define STATE	  ck_barrier_mcs_state_t state
#define SUBSCRIBE ck_barrier_mcs_subscribe(barrier, &state)
#define WAIT	  ck_barrier_mcs(barrier, &state)
#define INIT	  ck_barrier_mcs_init(barrier, THREADS)
#elif defined(DISSEMINATION)
static ck_barrier_dissemination_t barrier[THREADS];
static ck_barrier_dissemination_flag_t flags[THREADS][4];
#define STATE	  ck_barrier_dissemination_state_t state
#define SUBSCRIBE ck_barrier_dissemination_subscribe(barrier, &state)
#define WAIT	  ck_barrier_dissemination(barrier, &state)
#define INIT                                                                                       \
	do {                                                                                       \
		ck_barrier_dissemination_flag_t *f[THREADS] = {flags[0], flags[1]};                \
		ck_barrier_dissemination_init(barrier, f, THREADS);                                \
	} while (0)
#endif

static void *worker(void *arg)
{
	int me = (int)(long)arg;
	STATE;

#ifdef SUBSCRIBE
	SUBSCRIBE;
#endif
	for (int round = 1; round <= ROUNDS; round++) {
		ck_pr_store_int(&arrived[me], round);
#ifndef NO_BARRIER
		WAIT;
#endif
		assert(ck_pr_load_int(&arrived[1 - me]) >= round);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	INIT;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
