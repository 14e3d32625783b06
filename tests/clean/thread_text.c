/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* thread_text.c - texts, and errors, that libc keeps for each thread. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <resolv.h>

#include "two.h"

static atomic_int turn;

static void meet(void)
{
	atomic_fetch_add(&turn, 1);
}

static void *work(void *arg)
{
	int n = (int)(intptr_t)arg;
	char error[32], host[32], *texts[3];

	snprintf(error, sizeof error, "Unknown error %d", 9000 + n);
	snprintf(host, sizeof host, "127.0.0.%d", n);
	assert(!h_errno && !dlerror() && !(_res.options & RES_DEBUG));
	texts[0] = strerror(9000 + n);
	texts[1] = inet_ntoa((struct in_addr){htonl((uint32_t)(0x7f000000 + n))});
	texts[2] = strsignal(100 + n);
	h_errno = n;
	if (n == 2)
		assert(!dlopen("/none.so", RTLD_NOW));
	_res.options |= RES_DEBUG;
	meet();
	assert(!strcmp(texts[0], error) && !strcmp(texts[1], host));
	assert(strtol(strpbrk(texts[2], "0123456789"), NULL, 10) == 100 + n);
	assert(h_errno == n && !dlerror() == (n == 1) && _res.options & RES_DEBUG);
	return arg;
}

int main(void)
{
	two(work, (void *)1, work, (void *)2);
	assert(!h_errno && !dlerror() && !(_res.options & RES_DEBUG));
	h_errno = 5;
	_res.options |= RES_DEBUG;
	assert(!dlopen("/none.so", RTLD_NOW));
	return 0;
}
