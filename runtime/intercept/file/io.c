/* SPDX-License-Identifier: ISC */
/* io.c - see io.h. The interceptors are in io_open.c and io_use.c. */
#include "intercept/file/io.h"
#include "intercept/intercept.h"
#include "intercept/file/layer.h"
#include "intercept/file/pipe_stream.h"
#include "kernel/descriptor.h"
#include "machine/wait/interrupt.h"
#include "machine/core.h"
#include "process/input.h"
#include "process/snapshot.h"
#include "heap/uninit.h"
#include "sync/rwlock.h"
#include "sync/shadow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/file.h>
#include <sys/uio.h>

#define FDS	1024
#define STREAMS 256

/* The descriptors that an execution has opened; emptied at its end. */
static struct opened {
	u64 object; /* of a file: io_step_at()'s; else 0 */
	u32 node;   /* of the layer, plus 1; else 0 */
	u8 what;    /* 0: was open before, or is not open */
	u8 lock;    /* of flock(), by this descriptor: LOCK_SH, LOCK_EX or 0 */
	u16 locker; /* the thread */
} own[FDS];
static FILE *streams[STREAMS];
static unsigned nstreams;
static int fd_limit; /* above the highest entry of own */

#define OWN	1
#define CHANNEL 2

static int note_io(int fd, struct opened o)
{
	if (fd < 0)
		return fd;
	if (fd >= FDS) {
		real(close)(fd);
		machine_refuse("more than %d open files in one execution", FDS);
	}
	own[fd] = o;
	if (o.node)
		layer_hold(o.node - 1);
	if (fd >= fd_limit)
		fd_limit = fd + 1;
	clean_up_at_end();
	return fd;
}

int io_opened(int fd)
{
	return note_io(fd, (struct opened){.what = OWN});
}

int io_opened_channel(int fd)
{
	return note_io(fd, (struct opened){.what = OWN | CHANNEL});
}

int io_copied(int fd, int from)
{
	struct opened o = io_is_own(from) ? own[from] : (struct opened){.what = OWN};

	o.lock = 0;
	return note_io(fd, o);
}

/* --- numbers of files ------------------------------------------------------------------------ */

/*
 * The kernel gives a new descriptor the lowest free number, which depends on files opened by other
 * threads. To keep threads with their own files independent, each has its own numbers; one that
 * another thread has closed is not used again. The main thread's begin at 3.
 */
#define MAIN_NUMBERS   64
#define THREAD_NUMBERS 16
#define LAST_NUMBERS   464 /* for all threads: when their own numbers are used up */

static u64 slots[LAST_NUMBERS / THREAD_NUMBERS]; /* by thread: numbers in use */
static PER_EXECUTION bool slots_begun;

static u32 first_number(u32 id)
{
	return id ? MAIN_NUMBERS + (id - 1) * THREAD_NUMBERS : 0;
}

/* A free number, or -1. fd is open. */
static int take_number(int fd)
{
	u32 id = thread_id(thread_self()), first = first_number(id);
	u32 n = id ? THREAD_NUMBERS : MAIN_NUMBERS;

	if (!slots_begun)
		memset(slots, 0, sizeof slots);
	slots_begun = true;
	for (u32 i = id ? 0 : 3; i < n && first + n <= LAST_NUMBERS; i++) {
		int number = (int)(first + i);

		if (slots[id] >> i & 1 || (number != fd && fcntl(number, F_GETFD) >= 0))
			continue;
		slots[id] |= (u64)1 << i;
		return number;
	}
	return -1;
}

static void free_number(int fd)
{
	u32 id = thread_id(thread_self()), first = first_number(id);
	u32 n = id ? THREAD_NUMBERS : MAIN_NUMBERS;

	if (slots_begun && first + n <= LAST_NUMBERS && (u32)fd - first < n)
		slots[id] &= ~((u64)1 << ((u32)fd - first));
}

int io_numbered(int fd)
{
	int flags = fd < 0 ? 0 : real(fcntl)(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0;
	int number = fd < 0 ? fd : take_number(fd);

	if (number == fd)
		return fd;
	if (number < 0) {
		io_step();
		number = real(fcntl)(fd, flags ? F_DUPFD_CLOEXEC : F_DUPFD, LAST_NUMBERS);
	} else {
		number = real(dup3)(fd, number, flags);
	}
	real(close)(fd);
	if (number < 0 || descriptor_is_ours(number))
		machine_refuse("limit: more than %d files are open", LAST_NUMBERS);
	return number;
}

int io_opened_file(int fd, u32 node, u64 object)
{
	if (fd < 0)
		return (int)errno_return(fd);
	fd = io_numbered(fd);
	descriptor_note_change(fd, 1);
	return note_io(fd,
		(struct opened){.what = OWN,
			.object = object,
			.node = node == IO_OUTSIDE ? 0 : node + 1});
}

ssize_t io_moved(enum event_kind kind, int fd, ssize_t n)
{
	if (io_is_own(fd) && own[fd].object)
		sync_event(kind, (const void *)(uintptr_t)own[fd].object, n < 0 ? 0 : (u64)n,
			n < 0 ? (u64)errno : 0);
	return n;
}

/* --- locks ----------------------------------------------------------------------------------- */

static pthread_rwlock_t *lock_of(int fd)
{
	return shadow_rwlock((const void *)(uintptr_t)own[fd].object);
}

static void unlock_file(int fd)
{
	if (own[fd].lock && own[fd].locker != thread_id(thread_self()))
		machine_refuse("a thread unlocks a file that another thread has locked by flock(): "
			       "not simulated");
	if (own[fd].lock)
		rwlock_unlock(lock_of(fd));
	own[fd].lock = 0;
}

int io_lock(int fd, int operation)
{
	pthread_rwlock_t *lock;
	int how = operation & ~LOCK_NB, error;

	if (!io_is_own(fd) || !own[fd].object)
		return -ENOTSUP;
	descriptor_note_use(fd);
	lock = lock_of(fd);
	unlock_file(fd);
	switch (how) {
	case LOCK_UN: return 0;
	case LOCK_SH:
		error = operation & LOCK_NB ? rwlock_tryrdlock(lock) : rwlock_rdlock(lock);
		break;
	case LOCK_EX:
		error = operation & LOCK_NB ? rwlock_trywrlock(lock) : rwlock_wrlock(lock);
		break;
	default: return -EINVAL;
	}
	if (error == EBUSY)
		return -EWOULDBLOCK;
	if (error)
		machine_refuse(
			"a thread locks a file by flock() at two descriptors: not simulated");
	own[fd].lock = (u8)how;
	own[fd].locker = (u16)thread_id(thread_self());
	return 0;
}

/* Only threads that wait for its locks can observe that a file is closed. */
void io_step_to_close(int fd)
{
	if (!io_is_own(fd) || !own[fd].object) {
		io_step();
		return;
	}
	machine_drain();
	unlock_file(fd);
	io_moved(EV_FD_CLOSE, fd, 0);
	descriptor_note_change(fd, 0);
}

/* --- files ----------------------------------------------------------------------------------- */

u32 io_node(int fd)
{
	return io_is_own(fd) && own[fd].node ? own[fd].node - 1 : IO_OUTSIDE;
}

void io_upgrade(u64 object, u32 node)
{
	for (int fd = 0; fd < fd_limit; fd++) {
		int new;

		if (!own[fd].what || own[fd].object != object || own[fd].node)
			continue;
		new = layer_open_file(node, real(fcntl)(fd, F_GETFL));
		if (new < 0)
			continue;
		real(lseek)(new, real(lseek)(fd, 0, SEEK_CUR), SEEK_SET);
		real(dup3)(new, fd, real(fcntl)(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
		real(close)(new);
		own[fd].node = node + 1;
		layer_hold(node);
	}
}

/* --- what is open ---------------------------------------------------------------------------- */

bool io_is_own(int fd)
{
	return fd >= 0 && fd < FDS && own[fd].what;
}

bool io_is_channel(int fd)
{
	return io_is_own(fd) && (own[fd].what & CHANNEL);
}

void io_closed(int fd)
{
	u32 node = io_node(fd);

	if (!io_is_own(fd))
		return;
	free_number(fd);
	own[fd] = (struct opened){0};
	if (node != IO_OUTSIDE)
		layer_drop(node);
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

/* The execution has ended, perhaps within a call that holds the stream's lock: libc's has a count,
 * and an owner. */
static void free_stream_lock(FILE *f)
{
	struct stream_lock {
		int lock, count;
		void *owner;
	};

	if (f->_lock)
		memset(f->_lock, 0, sizeof(struct stream_lock));
}

void io_execution_ends(void)
{
	while (nstreams) { /* no thread runs: io_stream_closed() cannot be called */
		FILE *f = streams[--nstreams];

		if (io_is_own(fileno(f)))
			own[fileno(f)].what = 0;
		if (pipe_stream_is(f))
			__fpurge(f); /* nothing is written */
		free_stream_lock(f);
		real(fclose)(f);
	}
	for (int fd = 0; fd < fd_limit; fd++)
		if (own[fd].what)
			real(close)(fd);
	memset(own, 0, (size_t)fd_limit * sizeof *own);
	fd_limit = 0;
	layer_clear();
}

static const struct sync_op op_io = {EV_DRAIN, NULL, NULL};

void io_step(void)
{
	sync_arrive(&op_io, NULL);
}

void io_step_at(u64 object)
{
	sync_arrive(&op_io, (const void *)(uintptr_t)object);
}

void io_step_of(int fd)
{
	u64 object = io_is_own(fd) ? own[fd].object : 0;

	if (object)
		descriptor_note_use(fd);
	io_step_at(object);
}

void io_before(int fd, short events, const char *call)
{
	struct pollfd p = {.fd = fd, .events = events};

	interrupt_point();
	if (fd == 1 || fd == 2)
		machine_drain(); /* discarded */
	else
		io_step_of(fd);
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
	io_step_of(fd);
	io_written(fd);
}

void io_fill(void *to, size_t n)
{
	if (!to || !n)
		return;
	snapshot_touch(to, n);
	uninit_wrote((u64)(uintptr_t)to, n);
}

void io_fill_vector(const struct iovec *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		io_fill(v[i].iov_base, v[i].iov_len);
}
