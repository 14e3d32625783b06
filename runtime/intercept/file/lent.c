/* SPDX-License-Identifier: ISC */
/* lent.c - see lent.h. */
#include "intercept/file/lent.h"
#include "intercept/intercept.h"
#include "kernel/file.h"
#include "process/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELD_MAX 16 /* children at once */

/* A pipe of a child: files in memory with the bytes that it reads, and that it writes. */
struct lent {
	struct file in, out; /* its ends; kind 0: it has none */
	u32 number;	     /* of the channel */
	int input, output;
	u64 inode; /* of the input */
	bool late; /* its end has been read, but more may be written */
};

struct held_child {
	pid_t pid;  /* 0: not started yet */
	u32 thread; /* that starts it */
	bool ran;
	int go[2]; /* a pipe of the kernel: it runs when a byte arrives */
	u32 npipes, nends;
	struct lent pipe[DESCRIPTORS_OPEN];
	struct {
		int fd;
		u32 pipe;
		bool writes;
	} end[DESCRIPTORS_OPEN];
};

static struct held_child held[HELD_MAX];
static PER_EXECUTION u32 nheld;
static PER_EXECUTION u64 spawned_with; /* ends that are arguments of posix_spawn(), a bit each */
static struct held_child *running;	       /* its child is about to run */
static void (*run_to_end)(pid_t pid, void (*go)(void));

/* From the children: has it become another program, and which pipes does that read? Shared. */
static struct report {
	bool execs, reads[DESCRIPTORS_OPEN];
} *reports;

static struct report *report_of(const struct held_child *h)
{
	return &reports[h - held];
}

static bool is_of_caller(const struct held_child *h)
{
	return h->thread == thread_id(thread_self());
}

/* A descriptor of our own for fd, which is closed. */
static int move_up(int fd)
{
	int high = fd < 0 ? -1 : real(fcntl)(fd, F_DUPFD_CLOEXEC, DESCRIPTORS_OWN);

	if (fd >= 0)
		real(close)(fd);
	if (high < 0)
		machine_refuse("a child process needs more descriptors than the process may have");
	return high;
}

static u64 inode_of(int fd)
{
	struct stat s;

	return real(fstat)(fd, &s) ? 0 : s.st_ino;
}

static void close_all(struct held_child *h)
{
	for (u32 i = 0; i < h->npipes; i++) {
		real(close)(h->pipe[i].input);
		real(close)(h->pipe[i].output);
	}
	if (h->npipes) {
		real(close)(h->go[0]);
		real(close)(h->go[1]);
	}
	h->npipes = h->nends = 0;
}

/* --- starting one ---------------------------------------------------------------------------- */

static struct lent *pipe_of(struct held_child *h, u32 number)
{
	struct lent *p = h->pipe;

	while (p < h->pipe + h->npipes && p->number != number)
		p++;
	if (p < h->pipe + h->npipes)
		return p;
	h->npipes++;
	*p = (struct lent){.number = number};
	p->input = move_up(real(memfd_create)("pipe", MFD_CLOEXEC));
	p->inode = inode_of(p->input);
	p->output = move_up(real(memfd_create)("pipe", MFD_CLOEXEC));
	real(fcntl)(p->output, F_SETFL, O_APPEND);
	return p;
}

static void lend_end(struct held_child *h, int fd, struct file f)
{
	struct lent *p = pipe_of(h, f.in ? f.in : f.out);

	h->end[h->nends].fd = fd;
	h->end[h->nends].pipe = (u32)(p - h->pipe);
	h->end[h->nends++].writes = f.out;
	if (!f.lent) {
		f.lent = 1;
		descriptor_change(fd, f);
	}
	f.watched = 0;
	if (f.in ? p->in.kind : p->out.kind)
		return;
	*(f.in ? &p->in : &p->out) = f;
	file_copied(f);
}

static void begin_report(const struct held_child *h)
{
	size_t size = HELD_MAX * sizeof *reports;

	if (!reports)
		reports = real(mmap)(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (reports == MAP_FAILED)
		machine_refuse("there is not enough memory for a child process with pipes");
	*report_of(h) = (struct report){0};
}

static bool is_own_pipe(struct file f)
{
	return f.kind == FILE_PIPE &&
	       descriptor_maker(f.in ? f.in : f.out) == thread_id(thread_self());
}

/* The pipes that the thread has made; all, if it has made none. */
static void lend_all(struct held_child *h)
{
	struct file f;
	u32 own = 0;

	for (int fd = DESCRIPTOR_FIRST; (fd = descriptor_next(fd, &f)) >= 0; fd++)
		own += is_own_pipe(f);
	for (int fd = DESCRIPTOR_FIRST; (fd = descriptor_next(fd, &f)) >= 0; fd++)
		if (f.kind == FILE_PIPE && (!own || is_own_pipe(f)))
			lend_end(h, fd, f);
}

bool lent_begin(const char *call)
{
	struct held_child *h = &held[nheld];
	struct file f;

	if (!descriptor_any())
		return false;
	for (int fd = 0; descriptor_is_standard(fd); fd++)
		if (descriptor_is_ours(fd))
			machine_refuse("the program calls %s() while descriptor %d is a pipe or "
				       "socket between threads: its use by the child is not "
				       "simulated",
				call, fd);
	if (nheld == HELD_MAX)
		machine_refuse("more than %d child processes with pipes in one execution",
			HELD_MAX);
	nheld++;
	*h = (struct held_child){.thread = thread_id(thread_self())};
	for (int fd = DESCRIPTOR_FIRST; (fd = descriptor_next(fd, &f)) >= 0; fd++)
		if (f.kind == FILE_SOCKET || f.kind == FILE_ENDPOINT || f.kind == FILE_EVENT)
			machine_refuse("the program calls %s() while its threads share sockets or "
				       "eventfds: their use by the child is not simulated",
				call);
	lend_all(h);
	h->ran = !h->npipes;
	if (h->ran)
		return false;
	begin_report(h);
	if (real(pipe2)(h->go, O_CLOEXEC))
		machine_refuse("a child process needs more descriptors than the process may have");
	for (u32 i = 0; i < 2; i++)
		h->go[i] = move_up(h->go[i]);
	clean_up_at_end();
	return true;
}

void lent_fork(void)
{
	for (u32 i = 0; i < nheld; i++)
		if (is_of_caller(&held[i]) && !held[i].pid && !held[i].ran)
			running = &held[i];
}

void lent_in_child(void)
{
	struct held_child *h = running;
	char go;

	if (!h)
		return;
	for (u32 i = 0; i < h->nends; i++) {
		const struct lent *p = &h->pipe[h->end[i].pipe];

		real(dup2)(h->end[i].writes ? p->output : p->input, h->end[i].fd);
	}
	real(close)(h->go[1]);
	if (real(read)(h->go[0], &go, 1) != 1)
		real(_exit)(0); /* the execution has ended */
	for (u32 i = 0; i < h->npipes; i++) {
		real(close)(h->pipe[i].input);
		real(close)(h->pipe[i].output);
	}
	real(close)(h->go[0]);
}

void lent_in_exec(void)
{
	struct report *r = running ? report_of(running) : NULL;

	for (int fd = 0; r && fd < DESCRIPTOR_FIRST; fd++) {
		u64 inode = inode_of(fd);

		for (u32 i = 0; inode && i < running->npipes; i++)
			r->reads[i] |= running->pipe[i].inode == inode;
	}
	if (r)
		r->execs = true;
}

void lent_to_spawn(int fd)
{
	spawned_with |= 1ull << (fd - DESCRIPTOR_FIRST);
}

void lent_in_spawn(void)
{
	struct report *r = report_of(running);

	for (u32 i = 0; i < running->nends; i++)
		if (spawned_with >> (running->end[i].fd - DESCRIPTOR_FIRST) & 1)
			r->reads[running->end[i].pipe] |= !running->end[i].writes;
	r->execs = true;
}

void lent_hold(pid_t pid, void (*run)(pid_t pid, void (*go)(void)))
{
	running->pid = pid;
	running = NULL;
	run_to_end = run;
}

void lent_not_started(void)
{
	close_all(running);
	running->ran = true;
	running = NULL;
}

/* --- running it ------------------------------------------------------------------------------ */

/* What it may read. */
static void give_input(const struct lent *p)
{
	const struct channel_message *m;
	i64 n;

	if (!p->in.kind)
		return;
	n = file_read(p->in, CHANNEL_ROOM_MAX, FILE_NONBLOCKING | FILE_PEEK, &m);
	if (n > 0 && real(pwrite)(p->input, m->byte, (size_t)n, 0) != n)
		machine_refuse("the input of a child process cannot be stored");
}

/* It has read so much. reads: it may have been at the end. */
static void take_input(struct lent *p, bool reads)
{
	const struct channel_message *m;
	off_t n = real(lseek)(p->input, 0, SEEK_CUR);

	if (!p->in.kind)
		return;
	p->late = reads || n > 0;
	if (n > 0)
		file_read(p->in, (size_t)n, FILE_NONBLOCKING, &m);
}

static void take_output(const struct lent *p)
{
	static union {
		struct channel_message m;
		u8 bytes[sizeof(struct channel_message) + CHANNEL_MESSAGE_MAX];
	} part;
	off_t size = real(lseek)(p->output, 0, SEEK_END);
	ssize_t n;
	i64 done;

	if (size > CHANNEL_PIPE_ROOM - CHANNEL_WHOLE)
		file_resize(p->out, CHANNEL_ROOM_MAX);
	for (off_t at = 0; at < size; at += n) {
		part.m = (struct channel_message){0};
		n = real(pread)(p->output, part.m.byte, CHANNEL_MESSAGE_MAX, at);
		done = n <= 0 ? 0 : file_write(p->out, &part.m, (u32)n, FILE_NONBLOCKING);
		if (done == -EPIPE)
			return;
		if (n <= 0 || done != n)
			machine_refuse("limit: a child process writes more than %d bytes to a pipe",
				CHANNEL_ROOM_MAX);
	}
}

/* May it have read from pipe i, even if there was nothing? */
static bool may_have_read(const struct held_child *h, u32 i)
{
	const struct report *r = report_of(h);

	return h->pipe[i].in.kind && (!r->execs || r->reads[i]);
}

/* Does an earlier child that has run already read what this one writes? */
static void check_order(const struct held_child *h)
{
	for (u32 i = 0; i < h->npipes; i++) {
		if (real(lseek)(h->pipe[i].output, 0, SEEK_END) <= 0)
			continue;
		for (const struct held_child *other = held; other < h; other++)
			for (u32 k = 0; other->thread == h->thread && k < other->npipes; k++)
				if (other->pipe[k].number == h->pipe[i].number &&
					may_have_read(other, k))
					machine_refuse("a child process writes to a pipe that one "
						       "which was started earlier may read: not "
						       "simulated");
	}
}

static void let_go(void)
{
	if (real(write)(running->go[1], "", 1) != 1)
		machine_refuse("a child process cannot be started");
}

/* Is a descriptor of the program open that writes there? */
static bool is_written(u32 number)
{
	struct file f;

	for (int fd = DESCRIPTOR_FIRST; (fd = descriptor_next(fd, &f)) >= 0; fd++)
		if (f.kind == FILE_PIPE && f.out == number)
			return true;
	return false;
}

/* Is there a reason for its mark? A child of this thread that uses it has not run, or it is an
 * input that should have been complete. What other threads have started is not known here. */
static bool is_lent(struct file f)
{
	for (const struct held_child *h = held; h < held + nheld; h++)
		for (u32 i = 0; is_of_caller(h) && i < h->npipes; i++)
			if (h->pipe[i].number == (f.in ? f.in : f.out) &&
				(!h->ran || (f.out && h->pipe[i].late)))
				return true;
	return false;
}

/* Does it use the channel? */
static bool uses_channel(const struct held_child *h, u32 number)
{
	for (u32 i = 0; i < h->npipes; i++)
		if (h->pipe[i].number == number)
			return true;
	return false;
}

static void take_back_all(const struct held_child *h)
{
	struct file f;

	for (int fd = DESCRIPTOR_FIRST; (fd = descriptor_next(fd, &f)) >= 0; fd++)
		if (f.kind == FILE_PIPE && f.lent && uses_channel(h, f.in ? f.in : f.out) &&
			!is_lent(f)) {
			f.lent = 0;
			descriptor_change(fd, f);
		}
}

static void run_held(struct held_child *h)
{
	h->ran = true;
	for (u32 i = 0; i < h->npipes; i++)
		give_input(&h->pipe[i]);
	running = h;
	run_to_end(h->pid, let_go);
	running = NULL;
	check_order(h);
	for (u32 i = 0; i < h->npipes; i++)
		take_input(&h->pipe[i], may_have_read(h, i));
	for (u32 i = 0; i < h->npipes; i++) {
		if (h->pipe[i].out.kind)
			take_output(&h->pipe[i]);
		if (h->pipe[i].out.kind)
			file_closed(h->pipe[i].out);
	}
	take_back_all(h);
}

/* --- when ------------------------------------------------------------------------------------ */

static bool is_to_run(const struct held_child *h)
{
	return h->pid && !h->ran && is_of_caller(h);
}

bool lent_any(void)
{
	for (u32 i = 0; i < nheld; i++)
		if (is_to_run(&held[i]))
			return true;
	return false;
}

void lent_run_all(void)
{
	for (u32 i = 0; i < nheld; i++)
		if (is_to_run(&held[i]))
			run_held(&held[i]);
}

void lent_before_reading(struct file f)
{
	for (u32 i = 0; i < nheld; i++)
		if (is_to_run(&held[i]) && uses_channel(&held[i], f.in))
			run_held(&held[i]);
}

void lent_before_writing(struct file f)
{
	bool mine = false;

	for (const struct held_child *h = held; h < held + nheld; h++)
		for (u32 i = 0; is_of_caller(h) && i < h->npipes; i++) {
			if (h->pipe[i].number != f.out)
				continue;
			mine = true;
			if (h->ran && h->pipe[i].late)
				machine_refuse("limit: a child process gets more input after it "
					       "has been waited for: its whole input has to be "
					       "written before");
		}
	if (!mine) /* it does not know when it runs */
		machine_refuse("limit: the input of a child process is written by another thread "
			       "than the one that starts it");
}

static bool is_complete(const struct held_child *h)
{
	for (u32 i = 0; i < h->npipes; i++)
		if (h->pipe[i].in.kind && is_written(h->pipe[i].number))
			return false;
	return true;
}

void lent_after_closing(void)
{
	for (u32 i = 0; i < nheld; i++)
		if (is_to_run(&held[i]) && is_complete(&held[i]))
			run_held(&held[i]);
}

void lent_execution_ends(void)
{
	for (struct held_child *h = held; h < held + HELD_MAX; h++) {
		if (h->pid && !h->ran) {
			real(kill)(-h->pid, SIGKILL);
			real(kill)(h->pid, SIGKILL);
			real(waitpid)(h->pid, NULL, 0);
		}
		close_all(h);
		h->pid = 0;
	}
	running = NULL;
}
