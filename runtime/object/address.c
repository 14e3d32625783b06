/* SPDX-License-Identifier: ISC */
/* address.c - see address.h. A state is the number of the entries, in the order in which they were
 * bound (state_table.h); 0 = none yet. */
#include "object/address.h"
#include "object/state_table.h"

#include <errno.h>
#include <netinet/in.h>

/* --- addresses ------------------------------------------------------------------------------- */

const struct address *address_of(u64 number)
{
	u32 size;
	const struct address *a = state_of(number, &size);

	return a && size == sizeof *a && a->length <= ADDRESS_BYTES ? a : NULL;
}

u64 address_intern(const struct address *a)
{
	return state_intern(a, sizeof *a);
}

/* sin_port and sin6_port are at the same place. */
static u16 *port_of(const struct address *a)
{
	return &((struct sockaddr_in *)(void *)(uintptr_t)a->bytes)->sin_port;
}

u32 address_port(const struct address *a)
{
	return __builtin_bswap16(*port_of(a));
}

void address_set_port(struct address *a, u32 port)
{
	*port_of(a) = __builtin_bswap16((u16)port);
}

/* The IPv6 address, or the IPv4 address mapped to it; unspecified: 0. */
static void host_of(const struct address *a, u8 host[16])
{
	const struct sockaddr_in6 *six = (const void *)a->bytes;
	const struct sockaddr_in *four = (const void *)a->bytes;

	__builtin_memset(host, 0, 16);
	if (address_domain(a) == AF_INET6) {
		__builtin_memcpy(host, &six->sin6_addr, 16);
	} else if (four->sin_addr.s_addr) {
		host[10] = host[11] = 0xff;
		__builtin_memcpy(host + 12, &four->sin_addr, 4);
	}
}

static bool all_zero(const u8 *bytes, u32 n)
{
	while (n && !bytes[n - 1])
		n--;
	return !n;
}

bool address_is_any(const struct address *a)
{
	u8 host[16];

	host_of(a, host);
	return all_zero(host, 16);
}

bool address_is_local(const struct address *a)
{
	u8 host[16];

	if (address_domain(a) == AF_UNIX)
		return true;
	host_of(a, host);
	return all_zero(host, 15) ? host[15] <= 1
				  : all_zero(host, 10) && host[10] == 0xff && host[11] == 0xff &&
					    host[12] == 127;
}

/* Does b name the endpoint bound to a? */
static bool address_same(const struct address *a, const struct address *b)
{
	u8 host[2][16];

	if (a->type != b->type || (address_domain(a) == AF_UNIX) != (address_domain(b) == AF_UNIX))
		return false;
	if (address_domain(a) == AF_UNIX)
		return a->length == b->length && !__builtin_memcmp(a->bytes, b->bytes, a->length);
	host_of(a, host[0]);
	host_of(b, host[1]);
	return *port_of(a) == *port_of(b) && (all_zero(host[0], 16) || all_zero(host[1], 16) ||
						     !__builtin_memcmp(host[0], host[1], 16));
}

/* --- bound addresses -------------------------------------------------------------------- */

static struct address_entry bound[ADDRESS_SOCKETS];
static u32 nbound;

static void load_bound(u64 state)
{
	u32 size = 0;
	const void *entries = state ? state_of(state, &size) : NULL;

	nbound = 0;
	if (!entries || size > sizeof bound)
		return;
	__builtin_memcpy(bound, entries, size);
	nbound = size / sizeof *bound;
}

static u64 intern_bound(void)
{
	return nbound ? state_intern(bound, nbound * (u32)sizeof *bound) : 0;
}

static struct address_entry *find_address(u64 number)
{
	const struct address *wanted = address_of(number), *a;

	for (u32 i = 0; wanted && i < nbound; i++) {
		a = address_of(bound[i].address);
		if (a && address_same(a, wanted))
			return &bound[i];
	}
	return NULL;
}

static void remove_entry(struct address_entry *e)
{
	nbound--;
	__builtin_memmove(e, e + 1, (size_t)((char *)&bound[nbound] - (char *)e));
}

static struct object_step bind_step(u64 argument)
{
	u32 size;
	const struct address_entry *new = state_of(argument, &size);

	if (!new || size != sizeof *new)
		return step_reads(EINVAL);
	if (find_address(new->address))
		return step_reads(EADDRINUSE);
	if (nbound == ADDRESS_SOCKETS)
		return step_reads(ENOSPC);
	bound[nbound++] = *new;
	return step_writes(intern_bound(), 0);
}

/* A path stays in the file system. */
static struct object_step release_step(u32 socket)
{
	for (u32 i = 0; i < nbound; i++) {
		const struct address *a = address_of(bound[i].address);

		if (bound[i].socket != socket || !a)
			continue;
		if (address_is_path(a))
			bound[i].socket = bound[i].channel = 0;
		else
			remove_entry(&bound[i]);
		break;
	}
	return step_writes(intern_bound(), 0);
}

OBJECT_STEP(address)
{
	struct address_entry *e;
	struct object_step s;

	load_bound(state);
	switch (op) {
	case OBJECT_ADDRESS_BIND: s = bind_step(argument); break;
	case OBJECT_ADDRESS_RELEASE: s = release_step((u32)argument); break;
	default:
		e = find_address(argument);
		s = step_reads(e ? address_found(e->socket, e->channel) : ADDRESS_NONE);
		if (op != OBJECT_ADDRESS_UNLINK || !e)
			break;
		remove_entry(e);
		s = step_writes(intern_bound(), 1);
	}
	s.acquire = s.ready;
	s.release = s.writes;
	return s;
}
