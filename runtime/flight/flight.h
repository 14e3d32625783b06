/* SPDX-License-Identifier: ISC */
/*
 * flight.h - the flight recorder of a production build (heddle-cc --recorder): its memory and file.
 *
 * Each thread has a ring of its last synchronisation events, a page of chunks. The first event of
 * a chunk reads the clock; all others are a few stores, which the compiler pass inserts.
 * All rings are in one variable, heddle_flight, which core files contain; it is found there by its
 * magic number and its own address. NAME.PID.flight is that variable, as far as it is used,
 * followed by the text of /proc/PID/maps.
 */
#ifndef FLIGHT_FLIGHT_H
#define FLIGHT_FLIGHT_H

#include <stdint.h>

#define FLIGHT_MAGIC   0x7468676c66656c64ull /* "dleflght", never in code as a whole */
#define FLIGHT_MAGIC_2 0x21726564726f6365ull /* "ecorder!" */
#define FLIGHT_VERSION 5
#define FLIGHT_CHUNK   512  /* bytes; a chunk begins at a multiple of them */
#define FLIGHT_CHUNKS  8    /* of a ring */
#define FLIGHT_EVENTS  20   /* of a chunk */
#define FLIGHT_THREADS 1024 /* that have a ring */
#define FLIGHT_PAGE    4096
#define FLIGHT_BUILD_ID 20 /* bytes, at most */

enum flight_kind {
	FLIGHT_NONE, /* no event yet */
	FLIGHT_LOAD,
	FLIGHT_STORE,
	FLIGHT_RMW,
	FLIGHT_CAS,
	FLIGHT_FENCE,
	FLIGHT_FAULT, /* the object is the address, the value the signal, with the time */
#define CALL(how, ret, name, params, args, object) FLIGHT_##name,
#define SYSTEM_CALL(how, name) FLIGHT_##name,
#include "flight/calls.def"
#undef CALL
	FLIGHT_KINDS
};

/* The value of a call that waits: its result in the lower 8 bits, and the time of its return. */
#define FLIGHT_PENDING	   UINT64_MAX /* it has not returned */
#define FLIGHT_RESULT_BITS 8
#define FLIGHT_TIME(t)	   ((t) >> 3) /* of the cycle counter: years fit */

/* In place and object the upper 16 bits are something else. */
#define FLIGHT_ADDRESS_BITS 48
struct flight_event {
	uint64_t place;	 /* return address; enum flight_kind */
	uint64_t object; /* address; how often the event was repeated at once */
	uint64_t value;	 /* read, written by a store, or of a call */
};

struct flight_chunk {
	uint64_t time;	 /* of its beginning, FLIGHT_TIME() */
	uint64_t number; /* of the thread's chunks, from 1; 0: unused */
	uint64_t unused[2];
	struct flight_event event[FLIGHT_EVENTS]; /* those that are not NONE */
};

struct flight_ring {
	struct flight_chunk chunk[FLIGHT_CHUNKS]; /* number n is at n % FLIGHT_CHUNKS */
};

enum flight_state { FLIGHT_FREE, FLIGHT_RUNS, FLIGHT_ENDED };

/* Of the ring of the same index. */
struct flight_owner {
	uint32_t state, tid;
	uint64_t thread;	   /* its pthread_t */
	char *at;		   /* where it goes on after fork() */
	struct flight_owner *next; /* of those that have ended */
	uint64_t unused[4];
};

struct flight_box {
	uint64_t magic[2];
	uint64_t self; /* its address */
	uint32_t version, pid;
	uint32_t size, threads; /* of the box; rings that were ever used */
	uint64_t lost;		/* threads that had no ring */
	uint64_t maps;		/* where the text is in the file */
	uint64_t program;	/* where the program is loaded, and its build-id */
	uint32_t build_id_bytes;
	uint8_t build_id[FLIGHT_BUILD_ID];
	uint64_t unused[4];
	struct flight_owner owner[FLIGHT_THREADS];
	struct flight_ring ring[FLIGHT_THREADS] __attribute__((aligned(FLIGHT_PAGE)));
};

#endif
