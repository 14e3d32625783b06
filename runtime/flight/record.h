/* SPDX-License-Identifier: ISC */
/* record.h - shared by the files of the flight recorder and the calls that the pass inserts. */
#ifndef FLIGHT_RECORD_H
#define FLIGHT_RECORD_H

#include <stdbool.h>

#include "flight/flight.h"

#define FLIGHT_SHOWN __attribute__((visibility("default")))

/* In pages of its own. */
extern struct flight_box heddle_flight;

/* Where the thread's next event goes. At a multiple of FLIGHT_CHUNK, NULL included, the chunk is
 * full: __heddle_flight_chunk() is called. */
extern FLIGHT_SHOWN __thread char *__heddle_flight_at;

/* Begin a chunk: where the next event goes. NULL: the thread has no ring yet. */
FLIGHT_SHOWN char *__heddle_flight_chunk(char *at);

/* A fatal signal at the instruction `code'; for its handler. */
void flight_note_fault(uint64_t code, uint64_t address, int signal);

/* file.c: read the environment, and handle the signal that writes the file. */
void flight_begin_file(void);

/* Keep the box in the file from now on, if the environment names a folder. */
void flight_map_file(void);

/* In the child of fork(): the file is its parent's, whose other threads it does not have. */
void flight_leave_file(struct flight_owner *own);

/* Libraries may have been loaded: tell the file where, if so. */
void flight_note_libraries(void);

#endif
