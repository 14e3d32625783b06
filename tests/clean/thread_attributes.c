/* SPDX-License-Identifier: ISC */
/* Attributes, names, stack bounds, scheduling calls: accepted, and the answers make sense. */
#define _GNU_SOURCE
#include <sched.h>
#include "two.h"

static void *worker(void *arg)
{
	pthread_attr_t attr;
	char name[16], *stack;
	size_t size;
	int state;

	assert(!pthread_setname_np(pthread_self(), "worker"));
	assert(!pthread_getname_np(pthread_self(), name, sizeof name) && !strcmp(name, "worker"));
	assert(!pthread_getattr_np(pthread_self(), &attr));
	assert(!pthread_attr_getstack(&attr, (void **)&stack, &size));
	assert(name > stack && name < stack + size);
	assert(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state));
	assert(state == PTHREAD_CANCEL_ENABLE);
	assert(!pthread_setcancelstate(state, &state) && state == PTHREAD_CANCEL_DISABLE);
	pthread_attr_destroy(&attr);
	return arg;
}

int main(void)
{
	struct sched_param param = {0};
	pthread_attr_t attr;
	pthread_t t;
	int policy;

	pthread_attr_init(&attr);
	assert(!pthread_attr_setstacksize(&attr, 1 << 20));
	pthread_create(&t, &attr, worker, NULL);
	assert(!pthread_getschedparam(pthread_self(), &policy, &param) && policy == SCHED_OTHER);
	assert(!pthread_setschedparam(pthread_self(), policy, &param));
	pthread_join(t, NULL);
	pthread_attr_destroy(&attr);
	puts("ok");
	return 0;
}
