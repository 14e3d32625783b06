/* SPDX-License-Identifier: ISC */
/* Two threads wait for one connection by poll(), then accept it. WRONG: the socket blocks, and one of them
 * stays in accept().
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock
 */
#include "kernel.h"

static int listener;
static atomic_int accepted;

static void *serve(void *arg)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};
	int fd;

	poll(&p, 1, 0);
	if (!p.revents)
		return NULL;
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		assert(errno == EAGAIN);
	else
		accepted++;
	return NULL;
}

int main(void)
{
	in_port_t port;
	pthread_t t[2];

#ifdef WRONG
	listener = serve_at(SOCK_STREAM, &port);
#else
	listener = serve_at(SOCK_STREAM | SOCK_NONBLOCK, &port);
#endif
	for (int i = 0; i < 2; i++)
		t[i] = start(serve, NULL);
	assert(connect_to(port) >= 0);
	for (int i = 0; i < 2; i++)
		join(t[i]);
	assert(accepted <= 1);
	return 0;
}
