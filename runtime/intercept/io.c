/* SPDX-License-Identifier: ISC */
/* io.c - see io.h. The interceptors are in io_open.c and io_use.c. */
#include "intercept/io.h"
#include "intercept/intercept.h"
#include "machine/interrupt.h"
#include "machine/core.h"
#include "process/input.h"
#include "process/snapshot.h"
#include "heap/uninit.h"

#include <fcntl.h>
#include <sys/uio.h>

#define FDS	1024
#define STREAMS 256

/* Of this execution; emptied at its end. */
static u8 own[FDS]; /* 0: was open before, or is not open */
static FILE *streams[STREAMS];
static unsigned nstreams;
static int fd_limit; /* above the highest entry of own */

#define OWN	1
#define CHANNEL 2

static int note_io(int fd, u8 what)
{
	if (fd < 0)
		return fd;
	if (fd >= FDS) {
		real(close)(fd);
		machine_refuse("more than %d open files in one execution", FDS);
	}
	own[fd] = what;
	if (fd >= fd_limit)
		fd_limit = fd + 1;
	clean_up_at_end();
	return fd;
}

int io_opened(int fd)
{
	return note_io(fd, OWN);
}

int io_opened_channel(int fd)
{
	return note_io(fd, OWN | CHANNEL);
}

bool io_is_own(int fd)
{
	return fd >= 0 && fd < FDS && own[fd];
}

bool io_is_channel(int fd)
{
	return io_is_own(fd) && (own[fd] & CHANNEL);
}

void io_closed(int fd)
{
	if (io_is_own(fd))
		own[fd] = 0;
}

FILE *io_stream_opened(FILE *f)
{
	if (!f)
		return NULL;
	if (nstreams == STREAMS) {
		real(fclose)(f);
		machine_refuse("more than %d open streams in one execution", STREAMS);
	}
	streams[nstreams++] = f;
	clean_up_at_end();
	return f;
}

bool io_stream_closed(FILE *f)
{
	for (unsigned i = 0; i < nstreams; i++)
		if (streams[i] == f) {
			streams[i] = streams[--nstreams];
			if (fileno(f) >= 0)
				io_closed(fileno(f));
			return true;
		}
	return false;
}

void io_execution_ends(void)
{
	while (nstreams) {
		FILE *f = streams[nstreams - 1];

		io_stream_closed(f);
		real(fclose)(f);
	}
	for (int fd = 0; fd < fd_limit; fd++)
		if (own[fd])
			real(close)(fd);
	io_remove_shared();
	memset(own, 0, (size_t)fd_limit);
	fd_limit = 0;
}

static const struct sync_op op_io = {EV_DRAIN, NULL, NULL};

void io_step(void)
{
	sync_arrive(&op_io, NULL);
}

void io_before(int fd, short events, const char *call)
{
	struct pollfd p = {.fd = fd, .events = events};

	interrupt_point();
	if (fd == 1 || fd == 2)
		machine_drain(); /* discarded */
	else
		io_step();
	if (!io_is_channel(fd)) {
		if (!io_is_own(fd) && (events & POLLIN) && !(fd == 0 && input_is_read()))
			coverage_note("input from descriptor %d cannot be read again by the next "
				      "execution",
				fd);
		return;
	}
	if (real(poll)(&p, 1, 0) != 0 || (fcntl(fd, F_GETFL) & O_NONBLOCK))
		return;
	machine_refuse(
		"a thread blocks in %s() on a descriptor that only the program's own threads "
		"can serve: I/O between threads is not simulated",
		call);
}

void io_written(int fd)
{
	if (M.engine->begun() && mapping_is_of(fd))
		machine_unsupported(
			"a file that the program has mapped is written by a system call");
}

void io_changes(int fd)
{
	io_step();
	io_written(fd);
}

void io_fill(void *to, size_t n)
{
	if (n)
		snapshot_touch(to, n);
	if (n)
		uninit_wrote((u64)(uintptr_t)to, n);
}

void io_fill_vector(const struct iovec *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		io_fill(v[i].iov_base, v[i].iov_len);
}
