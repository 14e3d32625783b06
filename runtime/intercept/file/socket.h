/* SPDX-License-Identifier: ISC */
/* socket.h - common parts of the interceptors of sockets. */
#ifndef INTERCEPT_FILE_SOCKET_H
#define INTERCEPT_FILE_SOCKET_H

#include "kernel/descriptor.h"

/* The socket that is open there; FILE_NONE: errno is set. */
struct file socket_at(int fd);

#endif
