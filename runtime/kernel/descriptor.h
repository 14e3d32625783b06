/* SPDX-License-Identifier: ISC */
/*
 * descriptor.h - descriptors of kernel objects that the program's threads share: pipes, pairs
 * of sockets, eventfds, epoll instances.
 *
 * They are synchronisation objects (object/channel.h, object/counter.h), so that threads may wait
 * for each other there. They have their own range of numbers, from DESCRIPTOR_FIRST on; files and
 * other descriptors are the kernel's. An error is a negative errno.
 */
#ifndef KERNEL_DESCRIPTOR_H
#define KERNEL_DESCRIPTOR_H

#include "machine/machine.h"
#include "object/descriptor.h"

#define DESCRIPTOR_FIRST 512

/* In the range of their numbers? */
static inline bool descriptor_is_numbered(int fd)
{
	return (u32)fd - DESCRIPTOR_FIRST < DESCRIPTORS_OPEN;
}

/* Standard input, output or error. */
static inline bool descriptor_is_standard(int fd)
{
	return (u32)fd < 3;
}

/* Has the program put one of ours in the place of this standard descriptor? A step, in programs
 * that do so (LEARNT_STANDARD). */
bool descriptor_stands_in(int fd);

static inline bool descriptor_is_ours(int fd)
{
	return descriptor_is_numbered(fd) ||
	       (descriptor_is_standard(fd) && descriptor_stands_in(fd));
}

enum file_kind {
	FILE_NONE,
	FILE_PIPE,
	FILE_EVENT,
	FILE_SOCKET,
	FILE_EPOLL,
	FILE_ENDPOINT,
	FILE_TIMER,
	FILE_SIGNAL
};

/* The state of a descriptor: the open file; all members 0: closed. */
struct file {
	u64 kind : 4; /* enum file_kind */
	u64 nonblocking : 1;
	u64 semaphore : 1;     /* EFD_SEMAPHORE; of a timer: its clock is CLOCK_REALTIME */
	u64 messages : 1;      /* SOCK_DGRAM, SOCK_SEQPACKET */
	u64 copied : 1;	       /* by dup() */
	u64 watched : 1;       /* it has been an item of an epoll instance */
	u64 lent : 1;	       /* a child process has a copy (intercept/file/lent.h) */
	u64 timed : 2;	       /* enum descriptor_limit, bits: those that a socket has had */
	u64 in : 24, out : 24; /* numbers of objects; 0: cannot be read, or written */
};

/* A number for a new object, from the thread's own sequence. */
u32 descriptor_new_object(void);
u32 descriptor_maker(u32 number); /* the id of the thread that has made it */
/* The object of this number, and the reverse. */
const void *descriptor_object(u32 number);
u32 descriptor_object_number(const void *obj);
bool descriptor_is_object(u64 obj);

/* Open f at the lowest free number. */
int descriptor_open(struct file f);
/* At the lowest number from `from` on. / Exactly there; a descriptor open there is closed. */
int descriptor_open_from(struct file f, int from);
struct file descriptor_open_at(struct file f, int fd);
bool descriptor_any(void);	     /* has this execution opened any? */
struct file descriptor_file(int fd); /* FILE_NONE: closed */
/* The same, not as a use of its number. / The next open one from fd on; -1: none. */
struct file descriptor_at(int fd);
int descriptor_next(int fd, struct file *f);
void descriptor_change(int fd, struct file f);
u64 descriptor_state(struct file f); /* of a descriptor at which it is open */
struct file descriptor_of_state(u64 state);
/* Descriptors of epoll instances that watch fd, a bit each, from DESCRIPTOR_FIRST on: add one; get
 * all. */
void descriptor_watch(int fd, int epoll_fd);
u64 descriptor_watched(int fd);
/* The nanoseconds after which receiving from the socket with this object fails, or sending to it;
 * 0: never. */
enum descriptor_limit { LIMIT_RECEIVE = 1, LIMIT_SEND = 2 };
u64 descriptor_limit(u32 number, enum descriptor_limit which);
void descriptor_set_limit(u32 number, enum descriptor_limit which, u64 ns);
/* Tell the race detector that the number of any descriptor is used; opened (value 1) or closed
 * (0). */
void descriptor_note_use(int fd);
void descriptor_note_change(int fd, u64 value);
/* Close it; returns the file that was open. */
struct file descriptor_close(int fd);

#endif
