/* SPDX-License-Identifier: ISC */
/*
 * descriptors.c - random programs of pipes, eventfds and epoll, by graphs, against all
 * interleavings of a model that has nothing in common with Heddle's (interleave.c); TAP.
 *
 *     descriptors [FIRST SEED [PROGRAMS]]
 */
#include "interleave.h"

#include <heddle/heddle.h>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static struct program program;
static int from, own[THREADS], event, instance, result[THREADS][CALLS_EACH];

static int read_two(void)
{
	unsigned char bytes[2];
	ssize_t n = read(from, bytes, 2);

	return n < 1 ? (int)n : n == 1 ? bytes[0] : bytes[0] * 16 + bytes[1];
}

static int look(void)
{
	struct pollfd p[2] = {{.fd = from, .events = POLLIN}, {.fd = event, .events = POLLIN}};

	poll(p, 2, 0);
	return (p[0].revents & POLLIN ? 1 : 0) | (p[0].revents & POLLHUP ? 2 : 0) |
	       (p[1].revents & POLLIN ? 4 : 0);
}

static void watch_both(void)
{
	instance = epoll_create1(0);
	for (int i = 0; i < 2; i++) {
		struct epoll_event e = {.events = EPOLLIN | (program.edge[i] ? EPOLLET : 0),
			.data.u32 = (unsigned)i};

		if (epoll_ctl(instance, EPOLL_CTL_ADD, i ? event : from, &e))
			abort();
	}
}

static int wait_for_both(void)
{
	struct epoll_event e[2];
	int n = epoll_wait(instance, e, program.room, 0), result = 0;

	for (int i = 0; i < n; i++)
		result = reported(result, (int)e[i].data.u32,
			(e[i].events & EPOLLIN ? 1 : 0) | (e[i].events & EPOLLHUP ? 2 : 0));
	return result;
}

static int call(int t, int i)
{
	unsigned char byte = (unsigned char)byte_of(t, i);
	eventfd_t value;

	switch (program.call[t][i]) {
	case CALL_WRITE: return (int)write(own[t], &byte, 1);
	case CALL_READ: return read_two();
	case CALL_CLOSE: return close(own[t]);
	case CALL_RAISE: return eventfd_write(event, 1);
	case CALL_LOWER: return eventfd_read(event, &value) ? -1 : (int)value;
	case CALL_WAIT: return wait_for_both();
	default: return look();
	}
}

static void *run(void *arg)
{
	int t = (int)(intptr_t)arg;

	for (int i = 0; i < program.calls[t]; i++)
		result[t][i] = call(t, i);
	return NULL;
}

static void explored(void *arg)
{
	pthread_t thread[THREADS];
	int fd[2];

	(void)arg;
	if (pipe2(fd, program.blocks ? 0 : O_NONBLOCK))
		abort();
	from = fd[0];
	event = eventfd(0, program.blocks ? 0 : EFD_NONBLOCK);
	for (int t = 0; t < program.threads; t++)
		own[t] = dup(fd[1]);
	close(fd[1]);
	if (program.watched)
		watch_both();
	for (int t = 0; t < program.threads; t++)
		pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
	for (int t = 0; t < program.threads; t++)
		pthread_join(thread[t], NULL);
	for (int t = 0; t < program.threads; t++)
		for (int i = 0; i < program.calls[t]; i++)
			heddle_observe(result_name(t, i), result[t][i]);
	heddle_observe("z", 0);
}

static bool agree(unsigned seed, const char *model, const struct results *all)
{
	static struct results found;

	results_explore(&found, explored, model, "graph", "", 0);
	results_drop_stuck(&found);
	if (results_equal(all, &found))
		return true;
	printf("# seed %u, %s\n", seed, model);
	program_print(&program);
	results_print(all, &found);
	return false;
}

int main(int argc, char **argv)
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 60, wrong = 0;
	static struct results all;

	for (unsigned seed = first; seed < first + n; seed++) {
		program_random(&program, seed, seed % 2 ? 3 : 2, seed % 2 ? 2 : 3);
		interleave(&program, &all);
		wrong += !agree(seed, "sc", &all);
		wrong += !agree(seed, "tso", &all);
		wrong += !agree(seed, "rc11", &all);
	}
	printf("%sok - agree: %u programs of pipes and eventfds, against all interleavings\n",
		wrong ? "not " : "", n);
	return wrong != 0;
}
