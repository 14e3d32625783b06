/* SPDX-License-Identifier: ISC */
/* descriptor.c - see descriptor.h. A new descriptor gets the lowest free number: so all low ones
 * are occupied meanwhile. */
#include "process/descriptor.h"
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

static u16 held[DESCRIPTORS_OWN];
static u32 n;

void descriptors_hold(void)
{
	int first = open("/dev/null", O_RDONLY | O_CLOEXEC), fd = first;

	for (n = 0; fd >= 0 && fd < DESCRIPTORS_OWN; fd = fcntl(first, F_DUPFD_CLOEXEC, 0))
		held[n++] = (u16)fd;
	if (fd >= 0)
		close(fd);
	for (u32 i = 0; fd < 0 && i < 2 && n; i++) /* no more are allowed */
		close(held[--n]);
}

void descriptors_release(void)
{
	while (n)
		close(held[--n]);
}
