/* SPDX-License-Identifier: ISC */
/* io.c - see io.h. The interceptors are in io_open.c and io_use.c. */
#include "intercept/file/io.h"
#include "intercept/intercept.h"
#include "intercept/file/layer.h"
#include "intercept/file/pipe_stream.h"
#include "intercept/file/standard.h"
#include "kernel/descriptor.h"
#include "kernel/op.h"
#include "machine/wait/foreign.h"
#include "machine/wait/interrupt.h"
#include "machine/core.h"
#include "process/input.h"
#include "process/snapshot.h"
#include "heap/heap.h"
#include "heap/uninit.h"
#include "object/flock.h"
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
	u32 description; /* the number of the open file, which copies of the descriptor share;
			    0: not copied, nor locked */
	u8 what; /* 0: was open before, or is not open */
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
	if (number < 0 || descriptor_is_numbered(number))
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

FILE_WAITS(op_flock_take, EV_WRLOCK, OBJECT_FLOCK_TAKE, flock);
FILE_OP(op_flock_try, EV_WRLOCK, OBJECT_FLOCK_TRY, flock);
FILE_OP(op_flock_drop, EV_RWUNLOCK, OBJECT_FLOCK_DROP, flock);
FILE_OP(op_flock_copy, EV_FD_OPEN, OBJECT_FLOCK_COPY, flock);
FILE_OP(op_flock_close, EV_RWUNLOCK, OBJECT_FLOCK_CLOSE, flock);

/* An operation of the open file behind fd on the locks of its file. */
static u64 flock_step(const struct sync_op *op, int fd, enum flock_kind kind)
{
	const void *locks = shadow_rwlock((const void *)(uintptr_t)own[fd].object);
	u64 result;

	waiting_check();
	result = sync_step(op, locks, flock_argument(own[fd].description, kind));
	if (result == FLOCK_FULL)
		machine_refuse("limit: more than %d open files lock one file", FLOCK_MAX);
	return result;
}

/* Its locks, and its descriptors, are of interest from now on. */
static void describe_file(int fd)
{
	if (!own[fd].description)
		own[fd].description = descriptor_new_object();
}

int io_lock(int fd, int operation)
{
	const void *file;
	enum flock_kind kind;
	bool taken;

	if (!io_is_own(fd) || !own[fd].object)
		return -ENOTSUP;
	descriptor_note_use(fd);
	switch (operation & ~LOCK_NB) {
	case LOCK_UN: kind = FLOCK_NONE; break;
	case LOCK_SH: kind = FLOCK_SHARED; break;
	case LOCK_EX: kind = FLOCK_EXCLUSIVE; break;
	default: return -EINVAL;
	}
	describe_file(fd);
	file = (const void *)(uintptr_t)own[fd].object;
	if (flock_step(&op_flock_drop, fd, kind))
		return 0;
	if (!kind) {
		sync_event(EV_RWUNLOCK, file, 0, 0);
		return 0;
	}
	taken = flock_step(operation & LOCK_NB ? &op_flock_try : &op_flock_take, fd, kind);
	sync_event(kind == FLOCK_SHARED ? EV_RDLOCK : EV_WRLOCK, file, 0, taken ? 0 : EWOULDBLOCK);
	return taken ? 0 : -EWOULDBLOCK;
}

int io_copied(int fd, int from)
{
	struct opened o = {.what = OWN};

	if (fd >= 0 && io_is_own(from)) {
		if (own[from].object) {
			describe_file(from);
			flock_step(&op_flock_copy, from, FLOCK_NONE);
		}
		o = own[from];
	}
	return note_io(fd, o);
}

void io_stands_in(int fd, int from)
{
	io_closed(fd);
	if (io_is_own(from) && own[from].object)
		io_copied(fd, from);
}

/* Only threads that wait for its locks can observe that a file is closed. */
void io_step_to_close(int fd)
{
	if (!io_is_own(fd) || !own[fd].object) {
		io_step();
		return;
	}
	machine_drain();
	if (own[fd].description)
		flock_step(&op_flock_close, fd, FLOCK_NONE);
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
	for (int fd = 3; fd < fd_limit; fd++)
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
	if (descriptor_is_standard(fd))
		standard_step(fd);
	if ((fd == 1 || fd == 2) && !io_is_own(fd))
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

void io_receive_for(const void *caller, u64 sp, void *to, size_t n)
{
	const struct foreign_range range = {(u64)(uintptr_t)to, n};

	io_fill(to, n);
	if (to && n && foreign_is_caller(caller))
		foreign_writes((const void *)real(read), &range, (u64)(uintptr_t)caller, sp);
}

void io_fill_vector(const struct iovec *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		io_fill(v[i].iov_base, v[i].iov_len);
}

/* Variables and the heap: others may write to it. The results of the call do not depend on it: to
 * schedules it would be a further step only. */
static bool takes(const void *caller, const void *from)
{
	u64 addr = (u64)(uintptr_t)from;

	return M.engine->own_history && foreign_is_caller(caller) &&
	       (addr - ARENA_BASE < ARENA_SPAN || module_has_variable(addr));
}

void io_take_for(const void *caller, const void *from, size_t n)
{
	if (takes(caller, from))
		read_bytes(from, n);
}

void io_take_vector_for(const void *caller, const struct iovec *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		io_take_for(caller, v[i].iov_base, v[i].iov_len);
}

void io_take_text_for(const void *caller, const char *s)
{
	if (takes(caller, s))
		read_text(s);
}
