/* SPDX-License-Identifier: ISC */
/*
 * heddle/flight.h - the flight recorder of programs compiled by heddle-cc --recorder.
 */
#ifndef HEDDLE_FLIGHT_H
#define HEDDLE_FLIGHT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Write the last synchronisation events of all threads to NAME.PID.flight, in the current folder; a
 * file of that name is replaced. If the environment variable HEDDLE_FLIGHT named a folder when the
 * program began, the file is there and always has the events: then only the places of libraries in
 * memory are written anew. Returns 0, or an errno value. Any thread may call it, also a signal
 * handler; the other threads go on meanwhile, so their newest events may be incomplete.
 */
int heddle_flight_dump(void);

#ifdef __cplusplus
}
#endif

#endif
