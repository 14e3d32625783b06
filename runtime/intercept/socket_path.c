/* SPDX-License-Identifier: ISC */
/* socket_path.c - interceptors that remove the path of a socket, which is only simulated to be
 * there; other files are the kernel's. */
#include "intercept/intercept.h"
#include "intercept/io.h"
#include "kernel/socket.h"

#include <fcntl.h>
#include <sys/un.h>

/* Has a socket been bound to this path? It is no longer. */
static bool remove_socket(const char *path)
{
	struct address a = {.length = (u32)(offsetof(struct sockaddr_un, sun_path) + 1)};
	struct sockaddr_un *to = (void *)a.bytes;
	size_t n;

	machine_drain();
	n = path ? strlen(path) : 0;
	if (!n || n >= sizeof to->sun_path)
		return false;
	to->sun_family = AF_UNIX;
	memcpy(to->sun_path, path, n);
	a.length += (u32)n;
	return socket_unlink(&a);
}

INTERCEPT int unlink(const char *path)
{
	NATIVELY_OR_OURS(unlink, path);
	if (remove_socket(path))
		return 0;
	io_step();
	return real(unlink)(path);
}

INTERCEPT int unlinkat(int directory, const char *path, int flags)
{
	NATIVELY_OR_OURS(unlinkat, directory, path, flags);
	if (directory == AT_FDCWD && !flags && remove_socket(path))
		return 0;
	io_step();
	return real(unlinkat)(directory, path, flags);
}

INTERCEPT int remove(const char *path)
{
	NATIVELY_OR_OURS(remove, path);
	if (remove_socket(path))
		return 0;
	io_step();
	return real(remove)(path);
}
