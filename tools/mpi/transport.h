/* SPDX-License-Identifier: ISC */
/*
 * transport.h - messages between ranks.
 *
 * MPI implementations have different ABIs, so each that is found when heddle is built gets a plugin
 * (plugin/mpi.c), and the launcher that has started this process decides which one is opened.
 * heddle itself is not linked with any of them.
 */
#ifndef MPI_TRANSPORT_H
#define MPI_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

struct transport {
	/* Join the other ranks. False: impossible, after a message of the library. */
	bool (*begin)(int *rank, int *size);
	/* Send a copy of n bytes; never waits. Messages to the same rank arrive in their order. */
	void (*send)(int to, const void *data, size_t n);
	/* The next message, of malloc(), *n bytes; NULL: none has arrived. */
	void *(*receive)(int *from, size_t *n);
	/* Have all messages left? */
	bool (*sent)(void);
	/* Leave: waits for the other ranks to do so, too. */
	void (*end)(void);
	/* End all ranks, with this exit code. */
	void (*abort)(int code);
};

/* The only symbol of a plugin. */
#define TRANSPORT_SYMBOL "heddle_transport"

/*
 * Join, by the plugin for the launcher; dies in one line if there is none, on one rank only. The
 * variables and descriptors of the launcher are hidden from programs that this process starts.
 */
const struct transport *transport_open(int *rank, int *size);

#endif
