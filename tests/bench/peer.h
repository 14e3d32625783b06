/* SPDX-License-Identifier: ISC */
/*
 * peer.h - the counted programs in the form that suits other checkers best: included before the
 * program by bench/exact.sh (-include).
 *
 * counts.h keeps the threads it started in static variables. Heddle keeps such accesses of one
 * thread out of its graphs, but for a checker that makes an event of every access to memory they
 * cost more than the program itself (up to four times the time). To measure only the program, here
 * they are locals of main that a compiler puts into registers, all but the thread identifiers,
 * which pthread_create has to write.
 *
 * -DNO_JOIN: main starts threads, and ends. -DHEDDLE: for Heddle, with the same program.
 */
#ifndef HEDDLE
#define PEER
#endif
#include "counts.h"

static int peer_main(pthread_t id[], int n);

int main(void)
{
	pthread_t id[MAX_THREADS];

	return peer_main(id, 0);
}

#define main(none) peer_main(pthread_t peer_id[], int peer_n)
#ifdef ALIKE
#define PEER_INDEX(i) 0
#else
#define PEER_INDEX(i) (i)
#endif
#define start(body, i) pthread_create(&peer_id[peer_n++], NULL, body, (void *)(long)PEER_INDEX(i))
#define start_many(body, many)                                                                     \
	do {                                                                                       \
		for (int peer_i = 0; peer_i < (many); peer_i++)                                    \
			start(body, peer_i);                                                       \
	} while (0)
#ifdef NO_JOIN
#define join_all(results) pthread_exit(NULL)
#else
#define join_all(results) \
	do { \
		void **peer_results = (results); \
		for (int peer_i = 0; peer_i < peer_n; peer_i++) \
			pthread_join( \
				peer_id[peer_i], peer_results ? &peer_results[peer_i] : NULL); \
	} while (0)
#endif
