/* SPDX-License-Identifier: ISC */
/*
 * file.c - the flight recorder's file, and the signals that write it.
 *
 * If HEDDLE_FLIGHT names a folder, the recorder's memory is that of a file there, which survives
 * the process however it ends; fatal signals only write anew where its libraries are. If not,
 * SIGRTMAX-1 or heddle_flight_dump() write a file, and the program goes on. A program's own
 * handlers of these signals stay in place. Handlers call only functions that they may call.
 */
#include <errno.h>
#include <fcntl.h>
#include <heddle/flight.h>
#include <link.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "flight/record.h"

static char folder[PATH_MAX] = "."; /* read once: getenv() is not for handlers */
static bool wanted; /* to be in a file of the folder */
static bool mapped; /* it is */

/* --- names ----------------------------------------------------------------------------------- */

struct flight_name {
	size_t length;
	char text[PATH_MAX + 300];
};

static void add_text(struct flight_name *n, const char *text)
{
	while (*text && n->length < sizeof(n->text) - 1)
		n->text[n->length++] = *text++;
	n->text[n->length] = 0;
}

static void add_number(struct flight_name *n, unsigned long number)
{
	char digits[24], *at = digits + sizeof(digits) - 1;

	*at = 0;
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	add_text(n, at);
}

static int open_flight_file(int how)
{
	struct flight_name n;

	n.length = 0;
	add_text(&n, folder);
	add_text(&n, "/");
	add_text(&n, program_invocation_short_name);
	add_text(&n, ".");
	add_number(&n, heddle_flight.pid);
	add_text(&n, ".flight");
	return open(n.text, O_RDWR | O_CLOEXEC | how, 0600);
}

/* --- contents -------------------------------------------------------------------------------- */

static bool write_flight_bytes(int fd, const void *from, size_t n)
{
	const char *at = from;
	ssize_t done;

	while (n) {
		done = write(fd, at, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		n -= (size_t)done;
	}
	return true;
}

static bool write_maps(int fd)
{
	char part[4096];
	int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;
	bool good = from >= 0;

	while (good && (n = read(from, part, sizeof(part))) > 0)
		good = write_flight_bytes(fd, part, (size_t)n);
	if (from >= 0)
		close(from);
	return good && !n;
}

/* Into the file whose memory is the recorder's. */
static bool renew_maps(int fd)
{
	return lseek(fd, sizeof(heddle_flight), SEEK_SET) > 0 && write_maps(fd) &&
	       !ftruncate(fd, lseek(fd, 0, SEEK_CUR));
}

static bool write_box(int fd)
{
	uint32_t n = __atomic_load_n(&heddle_flight.threads, __ATOMIC_ACQUIRE);

	return write_flight_bytes(fd, &heddle_flight, offsetof(struct flight_box, ring[n])) &&
	       write_maps(fd);
}

FLIGHT_SHOWN int heddle_flight_dump(void)
{
	int fd = open_flight_file(mapped ? 0 : O_CREAT | O_TRUNC), error = 0;

	if (fd < 0)
		return errno;
	if (!(mapped ? renew_maps(fd) : write_box(fd)))
		error = errno ? errno : EIO;
	if (close(fd) && !error)
		error = errno;
	return error;
}

/* --- the recorder's memory ------------------------------------------------------------------- */

/* All of the file has its space: a full disk must not stop the program later. */
static bool map_box(int fd)
{
	size_t used = offsetof(struct flight_box, ring[heddle_flight.threads]);

	heddle_flight.maps = sizeof(heddle_flight);
	if ((errno = posix_fallocate(fd, 0, sizeof(heddle_flight))) ||
		!write_flight_bytes(fd, &heddle_flight, used) || !renew_maps(fd))
		return false;
	return mmap(&heddle_flight, sizeof(heddle_flight), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
}

static void warn(const char *path)
{
	fprintf(stderr, "heddle: flight recorder: %s: %s; it is kept in memory only\n", path,
		strerror(errno));
}

void flight_map_file(void)
{
	int fd;

	if (!__atomic_exchange_n(&wanted, false, __ATOMIC_ACQUIRE))
		return;
	fd = open_flight_file(O_CREAT | O_TRUNC);
	mapped = fd >= 0 && map_box(fd);
	if (!mapped) {
		heddle_flight.maps = 0;
		warn(folder);
	}
	if (fd >= 0)
		close(fd);
}

void flight_leave_file(struct flight_owner *own)
{
	struct flight_box *b = &heddle_flight;
	char head[offsetof(struct flight_box, owner)];
	struct flight_owner of;
	struct flight_ring ring;
	size_t i = own ? (size_t)(own - b->owner) : 0;

	if (!mapped)
		return;
	memcpy(head, b, sizeof(head));
	of = b->owner[i];
	ring = b->ring[i];
	mmap(b, sizeof(*b), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
	memcpy(b, head, sizeof(head));
	b->threads = 0;
	b->maps = 0;
	if (own) {
		b->owner[i] = of;
		b->ring[i] = ring;
		b->threads = (uint32_t)i + 1;
	}
	mapped = false;
	wanted = true;
}

static void note_build_id(const char *at, const char *end)
{
	const ElfW(Nhdr) * n;
	size_t name, size;

	for (; at + sizeof(*n) <= end; at += sizeof(*n) + name + size) {
		n = (const void *)at;
		name = (n->n_namesz + 3u) & ~3u;
		size = (n->n_descsz + 3u) & ~3u;
		if (n->n_type != NT_GNU_BUILD_ID || n->n_descsz > FLIGHT_BUILD_ID)
			continue;
		memcpy(heddle_flight.build_id, at + sizeof(*n) + name, n->n_descsz);
		heddle_flight.build_id_bytes = n->n_descsz;
		return;
	}
}

/* The first is the program. */
static int note_program(struct dl_phdr_info *info, size_t size, void *of)
{
	(void)size;
	(void)of;
	heddle_flight.program = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_NOTE && !heddle_flight.build_id_bytes)
			note_build_id(at, at + p->p_memsz);
	}
	return 1;
}

static int count_libraries(struct dl_phdr_info *info, size_t size, void *of)
{
	(void)size;
	*(unsigned long long *)of = info->dlpi_adds;
	return 1;
}

void flight_note_libraries(void)
{
	static unsigned long long noted;
	static char busy;
	unsigned long long now = 0;

	if (!mapped || __atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
		return;
	dl_iterate_phdr(count_libraries, &now);
	if (now != noted)
		heddle_flight_dump();
	noted = now;
	__atomic_clear(&busy, __ATOMIC_RELEASE);
}

/* --- signals --------------------------------------------------------------------------------- */

static void dump_at_signal(int signal)
{
	int saved = errno;

	(void)signal;
	heddle_flight_dump();
	errno = saved;
}

/* The default action is in force again: a fault repeats itself when the handler returns, and a
 * signal that was sent is sent again. */
static void dump_at_end(int signal, siginfo_t *info, void *context)
{
	if (info->si_code > 0 && signal != SIGSYS)
		flight_note_fault(arch_signal_code(context), (uint64_t)info->si_addr, signal);
	if (mapped)
		heddle_flight_dump();
	if (info->si_code <= 0)
		raise(signal);
}

static void handle_signal(int signal, const struct sigaction *how)
{
	struct sigaction now;

	if (sigaction(signal, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
		now.sa_handler == SIG_DFL)
		sigaction(signal, how, NULL);
}

void flight_begin_file(void)
{
	static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSYS};
	const char *set = getenv("HEDDLE_FLIGHT");
	struct sigaction asked = {.sa_handler = dump_at_signal, .sa_flags = SA_RESTART};
	struct sigaction dies = {
		.sa_sigaction = dump_at_end, .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};

	dl_iterate_phdr(note_program, NULL);
	handle_signal(SIGRTMAX - 1, &asked);
	wanted = set && *set && realpath(set, folder);
	if (set && *set && !wanted)
		warn(set);
	flight_map_file();
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		handle_signal(fatal[i], &dies);
}
