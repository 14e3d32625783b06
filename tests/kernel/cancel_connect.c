/* SPDX-License-Identifier: ISC */
/* A thread that is cancelled when it is about to connect closes its socket. WRONG: it does not.
 * -DOPEN: close() in its handler is such a point, too, after a connect() that came before the request.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion -- --strategy dfs
 * verdict -DOPEN rc11 assertion -- --strategy graph
 * verdict -DOPEN sc assertion -- --strategy dfs
 */
#include "kernel.h"

static int client;

static void close_it(void *arg)
{
	int state;

#ifdef OPEN
	state = PTHREAD_CANCEL_ENABLE;
#else
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
#endif
	close(client);
	pthread_setcancelstate(state, NULL);
}

static void *connects(void *arg)
{
	struct sockaddr_un server = {.sun_family = AF_UNIX, .sun_path = "/tmp/heddle-kernel-server"};

#ifdef WRONG
	connect(client, (struct sockaddr *)&server, sizeof server);
	close_it(NULL);
#else
	pthread_cleanup_push(close_it, NULL);
	connect(client, (struct sockaddr *)&server, sizeof server);
	pthread_cleanup_pop(1);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t;

	client = socket(AF_UNIX, SOCK_DGRAM, 0);
	t = start(connects, NULL);
	pthread_cancel(t);
	join(t);
	assert(fcntl(client, F_GETFL) == -1 && errno == EBADF);
	return 0;
}
