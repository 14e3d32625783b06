/* SPDX-License-Identifier: ISC */
/* An event loop runs tasks that another thread has posted, woken by an eventfd where the list was empty.
 * WRONG: it reads the eventfd after it has taken the tasks, and with it a wake-up for a later one.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict ra ok complete -- --strategy graph
 * verdict sra ok complete -- --strategy graph --equivalence rf
 * verdict ra ok -- --strategy random --executions 2000
 * verdict -DWRONG rc11 deadlock -- --strategy pctwm --executions 2000
 * verdict -DWRONG ra deadlock -- --strategy pctwm --executions 2000
 * verdict -DWRONG tso deadlock -- --strategy graph
 */
#include "kernel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int wake, posted, ran;

static void post(int n)
{
	uint64_t one = 1;
	int first;

	pthread_mutex_lock(&lock);
	first = !posted;
	posted += n;
	pthread_mutex_unlock(&lock);
	if (first)
		assert(write(wake, &one, sizeof one) == sizeof one);
}

static void run(void)
{
	pthread_mutex_lock(&lock);
	ran += posted;
	posted = 0;
	pthread_mutex_unlock(&lock);
}

static void *loop(void *arg)
{
	struct epoll_event e = {.events = EPOLLIN};
	int epoll = epoll_create1(0);
	uint64_t n;

	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &e));
	while (ran < 2) {
		assert(epoll_wait(epoll, &e, 1, -1) == 1);
#ifdef WRONG
		run();
		assert(read(wake, &n, sizeof n) == sizeof n);
#else
		assert(read(wake, &n, sizeof n) == sizeof n);
		run();
#endif
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	wake = eventfd(0, EFD_NONBLOCK);
	t = start(loop, NULL);
	post(1);
	post(1);
	join(t);
	return 0;
}
