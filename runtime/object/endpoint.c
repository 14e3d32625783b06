/* SPDX-License-Identifier: ISC */
/* endpoint.c - see endpoint.h. A state is the number of a struct endpoint (state_table.h), without
 * the unused part of its queue. */
#include "object/endpoint.h"
#include "object/state_table.h"

#include <errno.h>
#include <sys/socket.h>

#define HEAD offsetof(struct endpoint, queue)

/* The endpoint of a state, and the next state. */
static struct endpoint now;

static u64 intern_endpoint(void)
{
	return state_intern(&now, (u32)(HEAD + now.n * sizeof now.queue[0]));
}

u64 endpoint_new(u32 domain, u32 type, u32 in)
{
	__builtin_memset(&now, 0, HEAD);
	now.domain = (u8)domain;
	now.type = (u8)type;
	now.copies = 1;
	now.in = in;
	return intern_endpoint();
}

const struct endpoint *endpoint_of(u64 state)
{
	u32 size;
	const struct endpoint *e = state_of(state, &size);

	return e && size >= HEAD && size == HEAD + e->n * sizeof e->queue[0] ? e : NULL;
}

static bool load_endpoint(u64 state)
{
	const struct endpoint *e = endpoint_of(state);

	if (e && e->n <= ENDPOINT_QUEUE)
		__builtin_memcpy(&now, e, HEAD + e->n * sizeof e->queue[0]);
	return e && e->n <= ENDPOINT_QUEUE;
}

/* --- changes --------------------------------------------------------------------------------- */

static struct object_step changed(u64 result)
{
	struct object_step s;

	now.changes = (now.changes + 1) % 128;
	s = step_acquires(intern_endpoint(), result);
	s.release = true;
	return s;
}

/* The same if its readers or writers may wait for it. */
static struct object_step becomes_ready(void)
{
	return changed(now.options & ENDPOINT_WATCHED ? CHANNEL_NOTIFIES : 0);
}

static struct object_step change_phase(const struct endpoint_change *c)
{
	bool datagrams = now.type == SOCK_DGRAM;

	if (c->what == ENDPOINT_STOP) {
		now.phase = ENDPOINT_SHUT;
	} else if (c->what == ENDPOINT_FAIL) {
		now.error = (u8)c->value;
	} else if (c->what == ENDPOINT_LISTEN) {
		if (now.phase != ENDPOINT_FRESH && now.phase != ENDPOINT_LISTENS)
			return step_reads(EINVAL);
		now.phase = ENDPOINT_LISTENS;
		now.backlog = (u32)c->value;
		return changed(0);
	} else {
		if (now.phase != ENDPOINT_FRESH && !datagrams)
			return step_reads(EISCONN);
		now.phase = c->value || !datagrams ? ENDPOINT_CONNECTED : ENDPOINT_FRESH;
		now.peer = c->value;
		now.pending = c->other != 0;
		now.in = datagrams ? now.in : endpoint_in(c->connection);
		now.out = endpoint_out(c->connection);
	}
	return becomes_ready();
}

static struct object_step change_step(const struct endpoint_change *c)
{
	u64 old = now.error;

	switch (c->what) {
	case ENDPOINT_NAME:
		if (now.name)
			return step_reads(EINVAL);
		now.name = c->value;
		now.options |= c->other ? ENDPOINT_LISTED : 0;
		return changed(0);
	case ENDPOINT_COPY: now.copies++; return changed(0);
	case ENDPOINT_CLOSE:
		now.copies--;
		if (!now.copies)
			now.phase = ENDPOINT_SHUT;
		return changed(!now.copies);
	case ENDPOINT_ERROR: now.error = 0; return old ? changed(old) : step_reads(0);
	case ENDPOINT_COLLECT:
		if (!now.pending)
			return step_reads(EISCONN);
		now.pending = 0;
		return changed(0);
	case ENDPOINT_OPTION:
		now.options = (now.options & ~c->value) | (c->other ? c->value : 0);
		return changed(0);
	default: return change_phase(c);
	}
}

/* --- connections ----------------------------------------------------------------------------- */

static struct object_step offer_step(bool waits, u64 connection)
{
	if (now.phase != ENDPOINT_LISTENS)
		return step_reads(ECONNREFUSED);
	if (now.n > now.backlog || now.n == ENDPOINT_QUEUE)
		return waits ? step_waits() : step_reads(EAGAIN);
	now.queue[now.n++] = connection;
	return becomes_ready();
}

static struct object_step accept_step(bool waits)
{
	u64 first = now.queue[0];

	if (now.phase != ENDPOINT_LISTENS)
		return step_reads(ENDPOINT_ERRORS | EINVAL);
	if (!now.n)
		return waits ? step_waits() : step_reads(ENDPOINT_ERRORS | EAGAIN);
	now.n--;
	__builtin_memmove(now.queue, now.queue + 1, now.n * sizeof now.queue[0]);
	return changed(first);
}

OBJECT_STEP(endpoint)
{
	struct endpoint_change c = {0};
	struct object_step s;
	u32 size;
	const void *bytes;

	if (!load_endpoint(state))
		return step_reads(EBADF);
	switch (op) {
	case OBJECT_ENDPOINT_GET:
		s = step_reads(state);
		s.acquire = true;
		return s;
	case OBJECT_ENDPOINT_CHANGE:
		bytes = state_of(argument, &size);
		if (!bytes || size > sizeof c)
			return step_reads(EINVAL);
		__builtin_memcpy(&c, bytes, size);
		return change_step(&c);
	case OBJECT_ENDPOINT_OFFER:
	case OBJECT_ENDPOINT_TRYOFFER: return offer_step(op == OBJECT_ENDPOINT_OFFER, argument);
	default: return accept_step(op == OBJECT_ENDPOINT_ACCEPT);
	}
}
