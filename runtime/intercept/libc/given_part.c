/* SPDX-License-Identifier: ISC */
/*
 * given_part.c - functions of libc that allocate blocks for the program, and others that libc keeps
 * or allocates under a lock.
 *
 * The objects that libc keeps are made outside of the execution, by a call before the program's:
 * the first conversion between two character sets stays open, so that libc has its module, and a
 * later one only needs blocks of its own; the addresses of a host are copied.
 */
#include "heap/heap.h"
#include "intercept/intercept.h"

#include <iconv.h>
#include <netdb.h>
#include <string.h>

/* From here on, calls are those of libc outside of the exploration; returns the former state. */
static u8 leave_exploration(void)
{
	u8 was = machine_exploring;

	machine_exploring = 0;
	return was;
}

/* --- conversions between character sets ------------------------------------------------------ */

#define CONVERSIONS 64
#define NAME	    64

static struct {
	char to[NAME], from[NAME];
} kept[CONVERSIONS];
static u32 nkept;

static bool is_part_kept(const char *to, const char *from)
{
	for (u32 i = 0; i < nkept; i++)
		if (!strcmp(kept[i].to, to) && !strcmp(kept[i].from, from))
			return true;
	return false;
}

/* Keep one open. False: there is no such conversion, or no room. */
static bool keep_conversion(const char *to, const char *from)
{
	u8 exploring;
	iconv_t c;

	if (is_part_kept(to, from))
		return true;
	if (nkept == CONVERSIONS || strlen(to) >= NAME || strlen(from) >= NAME)
		return false;
	exploring = leave_exploration();
	c = real(iconv_open)(to, from);
	modules_add();
	machine_exploring = exploring;
	if (c == (iconv_t)-1)
		return false;
	strcpy(kept[nkept].to, to);
	strcpy(kept[nkept++].from, from);
	return true;
}

INTERCEPT iconv_t iconv_open(const char *to, const char *from)
{
	bool gives;
	iconv_t c;

	NATIVELY(iconv_open, to, from);
	gives = keep_conversion(to, from);
	if (gives)
		heap_gives(true);
	c = real(iconv_open)(to, from);
	if (gives)
		heap_gives(false);
	return c;
}

/* --- addresses of hosts ---------------------------------------------------------------------- */

/* A block that libc would give to the program. */
static void *give_block(size_t size)
{
	return heap_alloc(size, HEAP_ALIGNMENT, true, (const void *)real(getaddrinfo));
}

/* One block with the address behind it, and one with the name, as freeaddrinfo() expects them. */
static struct addrinfo *copy_address(const struct addrinfo *a)
{
	struct addrinfo *copy = give_block(sizeof *copy + a->ai_addrlen);

	*copy = *a;
	copy->ai_next = NULL;
	if (a->ai_addr) {
		copy->ai_addr = (struct sockaddr *)(copy + 1);
		memcpy(copy->ai_addr, a->ai_addr, a->ai_addrlen);
	}
	if (a->ai_canonname) {
		copy->ai_canonname = give_block(strlen(a->ai_canonname) + 1);
		strcpy(copy->ai_canonname, a->ai_canonname);
	}
	return copy;
}

INTERCEPT int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
	struct addrinfo **to)
{
	struct addrinfo *found = NULL, **end = to;
	u8 exploring;
	int error;

	NATIVELY(getaddrinfo, node, service, hints, to);
	exploring = leave_exploration();
	error = real(getaddrinfo)(node, service, hints, &found);
	machine_exploring = exploring;
	if (error)
		return error;
	heap_gives(true);
	for (const struct addrinfo *a = found; a; a = a->ai_next) {
		*end = copy_address(a);
		end = &(*end)->ai_next;
	}
	heap_gives(false);
	leave_exploration();
	freeaddrinfo(found);
	machine_exploring = exploring;
	return 0;
}
