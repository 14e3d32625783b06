/* SPDX-License-Identifier: ISC */
/*
 * ending.c - the result of an operation, printed after it in a report.
 *
 * Results of semaphores, barriers and once are words; others are the name of the error.
 */
#include "report/report.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "die.h"

static const char *error_suffix(const struct event *e)
{
	u64 error = e->value[0];
	const char *name = error < 4096 ? strerrorname_np((int)error) : NULL;

	if (!error)
		return "";
	if (error == ETIMEDOUT && e->value[1])
		return xprintf(" -> %s after %s", name, time_words(e->value[1]));
	return name ? xprintf(" -> %s", name) : xprintf(" -> %llu", (unsigned long long)error);
}

static const char *once_suffix(const struct event *e)
{
	switch (e->value[0]) {
	case ONCE_RUNS: return ": runs the function";
	case ONCE_DONE: return ": already done";
	case ONCE_RETURNED: return ": the function has returned";
	case ONCE_FAILED: return ": an exception has left the function";
	}
	return "";
}

static const char *arrival_suffix(const struct event *e)
{
	return xprintf("  (%llu of %llu%s)", (unsigned long long)e->value[0],
		(unsigned long long)e->old[0], e->value[0] == e->old[0] ? ": the last" : "");
}

static const char *semaphore_suffix(const struct event *e)
{
	switch (e->value[0]) {
	case 0: return xprintf(": %llu left", (unsigned long long)e->old[0]);
	case EAGAIN: return ": 0, takes none";
	case ETIMEDOUT:
		return e->value[1] ? xprintf(": 0, timed out after %s", time_words(e->value[1]))
				   : ": 0, timed out";
	}
	return error_suffix(e);
}

/* EOWNERDEAD as the argument: it has been taken from, or is left by, an owner that exits. */
static const char *mutex_suffix(const struct event *e)
{
	bool unlocks = e->kind == EV_UNLOCK;

	switch (e->old[0]) {
	case EOWNERDEAD: return unlocks ? "  (its owner exits)" : "  (its owner has exited)";
	case ENOTRECOVERABLE: return unlocks ? "  (never made consistent)" : "";
	}
	return error_suffix(e);
}

/* Bytes, or the value of an eventfd (event.h). */
static const char *transfer_suffix(const struct event *e)
{
	u64 n = e->old[0] & ~FILE_VALUE;

	if (e->value[0] == EAGAIN)
		return "  (it would have to wait)";
	if (e->value[0])
		return error_suffix(e);
	if (e->old[0] & FILE_VALUE)
		return xprintf(": value %llu", (unsigned long long)n);
	if (!n)
		return e->kind == EV_FD_READ ? ": end of file" : ": 0 bytes";
	return xprintf(": %llu byte%s", (unsigned long long)n, n == 1 ? "" : "s");
}

const char *result_suffix(const struct event *e)
{
	switch (e->kind) {
	case EV_LOCK:
	case EV_TRYLOCK:
	case EV_UNLOCK: return mutex_suffix(e);
	case EV_ONCE: return once_suffix(e);
	case EV_BARRIER: return arrival_suffix(e);
	case EV_BARRIER_LEAVE: return e->value[0] ? ": is the serial thread" : "";
	case EV_SEM_WAIT: return semaphore_suffix(e);
	case EV_FD_READ:
	case EV_FD_WRITE: return transfer_suffix(e);
	case EV_SEM_POST: return xprintf(": now %llu", (unsigned long long)e->value[0]);
	}
	return error_suffix(e);
}
