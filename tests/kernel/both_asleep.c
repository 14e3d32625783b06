/* SPDX-License-Identifier: ISC */
/* Two threads announce themselves; one that does not see the other waits for a message, the other
 * sends it. WRONG: the announcements may still be in both store buffers, and both wait: by
 * recvmsg(), which reads its arguments from memory, or, POLL, by poll(), or, SELECT, by select(),
 * whose set is too large for a store buffer; SIGNAL: sigwait() waits for a signal instead, and a
 * function that is not instrumented makes its set.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -DPOLL tso ok complete -- --strategy graph
 * verdict -DWRONG tso deadlock reorder -- --strategy graph
 * verdict -DWRONG pso deadlock reorder -- --strategy graph
 * verdict -DWRONG -DPOLL tso deadlock reorder -- --strategy graph
 * verdict -DWRONG -DPOLL pso deadlock reorder -- --strategy graph
 * verdict -DSELECT tso ok complete -- --strategy graph
 * verdict -DSIGNAL tso ok complete -- --strategy graph
 * verdict -DWRONG -DSELECT tso deadlock reorder -- --strategy graph
 * verdict -DWRONG -DSELECT pso deadlock reorder -- --strategy graph
 * verdict -DWRONG -DSIGNAL tso deadlock reorder -- --strategy graph
 * verdict -DWRONG sc ok -- --strategy dfs
 */
#include "kernel.h"

#include <signal.h>
#include <sys/select.h>

#ifdef WRONG
#define ORDER_STORE memory_order_release
#define ORDER_LOAD  memory_order_acquire
#else
#define ORDER_STORE memory_order_seq_cst
#define ORDER_LOAD  memory_order_seq_cst
#endif

static int fd[2];
static atomic_int here[2];
static pthread_t thread[2];

static void wait_for_other(void)
{
#ifdef POLL
	struct pollfd p = {.fd = fd[0], .events = POLLIN};

	assert(poll(&p, 1, -1) == 1);
#elif defined SELECT
	fd_set in;

	FD_ZERO(&in);
	FD_SET(fd[0], &in);
	assert(select(fd[0] + 1, &in, NULL, NULL, NULL) == 1);
#elif defined SIGNAL
	sigset_t set;
	int got;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	assert(!sigwait(&set, &got) && got == SIGUSR1);
#else
	char c;
	struct iovec v = {&c, 1};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};

	assert(recvmsg(fd[0], &m, 0) == 1);
#endif
}

static void wake_other(int other)
{
#ifdef SIGNAL
	assert(!pthread_kill(thread[other], SIGUSR1));
#else
	(void)other;
	assert(send(fd[1], "x", 1, 0) == 1);
#endif
}

static void *run(void *arg)
{
	int self = arg != NULL;

	atomic_store_explicit(&here[self], 1, ORDER_STORE);
	if (atomic_load_explicit(&here[!self], ORDER_LOAD))
		wake_other(!self);
	else
		wait_for_other();
	return NULL;
}

int main(void)
{
	sigset_t set;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	thread[0] = pthread_self();
	assert(!pthread_create(&thread[1], NULL, run, &fd));
	run(NULL);
	join(thread[1]);
	return 0;
}
