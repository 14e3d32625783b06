/* SPDX-License-Identifier: ISC */
/* An alarm that rings while the thread waits: the call fails with EINTR, whatever call it is. Time
 * passes only there, so the alarm never comes between the test and the call. WRONG: a thread sends
 * the signal, at any time. ONE: one call, and the alarm may ring at any time.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict tso ok complete -- --strategy graph --sleepers last
 * verdict sc ok complete -- --strategy dfs --sleepers last
 * verdict -DONE rc11 deadlock -- --strategy graph --sleepers any
 * verdict -DONE sc deadlock -- --strategy dfs --sleepers any
 * verdict -DWRONG rc11 deadlock -- --strategy graph --sleepers last
 * verdict -DWRONG sc deadlock -- --strategy dfs --sleepers last
 */
#include "kernel.h"
#include <semaphore.h>

static volatile sig_atomic_t rung;
static pthread_t waiting;

static void ring(int sig)
{
	rung++;
}

#ifdef WRONG
static void *send_alarm(void *arg)
{
	assert(!pthread_kill(waiting, SIGALRM));
	return NULL;
}

#define RING() start(send_alarm, NULL)
#else
#define RING() alarm(1)
#endif

/* The call is interrupted, and has had no effect. */
#define WAIT(call) \
	do { \
		int before = rung; \
		RING(); \
		while (rung == before) \
			assert((call) == -1 && errno == EINTR); \
	} while (0)

int main(void)
{
	struct sigaction a = {.sa_handler = ring};
	struct pollfd p = {.events = POLLIN};
	struct timespec ten = {.tv_sec = 10}, left;
	unsigned long long value;
	sem_t s;

	waiting = pthread_self();
	p.fd = eventfd(0, 0);
	sem_init(&s, 0, 0);
	sigaction(SIGALRM, &a, NULL);
	WAIT(poll(&p, 1, -1));
#if !defined WRONG && !defined ONE
	WAIT(poll(&p, 1, 5000));
	WAIT(read(p.fd, &value, sizeof value));
	WAIT(sem_wait(&s));
	WAIT(nanosleep(&ten, &left));
	assert(left.tv_sec == 9);
#endif
	return 0;
}
