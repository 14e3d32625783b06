/* SPDX-License-Identifier: ISC */
/* mpi.c - see transport.h: compiled once by the mpicc of each MPI implementation. */
#include "mpi/transport.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define TAG 1

/* A message on its way. */
struct sent_message {
	struct sent_message *next;
	MPI_Request request;
	char data[];
};

static struct sent_message *letters;

static bool begin(int *rank, int *size)
{
	int level;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &level) != MPI_SUCCESS)
		return false;
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, size);
	return true;
}

/* Free messages that have left. */
static bool sent(void)
{
	struct sent_message **at = &letters;

	while (*at) {
		struct sent_message *l = *at;
		int done = 0;

		MPI_Test(&l->request, &done, MPI_STATUS_IGNORE);
		if (!done) {
			at = &l->next;
			continue;
		}
		*at = l->next;
		free(l);
	}
	return !letters;
}

static void send_copy(int to, const void *data, size_t n)
{
	struct sent_message *l = malloc(sizeof(*l) + n);

	if (!l)
		MPI_Abort(MPI_COMM_WORLD, 2);
	memcpy(l->data, data, n);
	l->next = letters;
	letters = l;
	MPI_Isend(l->data, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &l->request);
}

static void *receive(int *from, size_t *n)
{
	MPI_Status status;
	int there = 0, size;
	void *data;

	sent();
	MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
	if (!there)
		return NULL;
	MPI_Get_count(&status, MPI_BYTE, &size);
	data = malloc((size_t)size + 1);
	if (!data)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Recv(data, size, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	*from = status.MPI_SOURCE;
	*n = (size_t)size;
	return data;
}

static void end(void)
{
	MPI_Finalize();
}

static void end_all(int code)
{
	MPI_Abort(MPI_COMM_WORLD, code);
}

extern const struct transport heddle_transport;
const struct transport heddle_transport = {.begin = begin,
	.send = send_copy,
	.receive = receive,
	.sent = sent,
	.end = end,
	.abort = end_all};
