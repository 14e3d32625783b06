/* SPDX-License-Identifier: ISC */
/* journal.c - see journal.h. */
#include "mpi/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "child/child.h"
#include "clock.h"
#include "die.h"

#define SYNC_NS 1000000000ull

static const char magic[16] = "heddle-journal1";

/* Before each message. */
struct record {
	u64 packed, size; /* bytes in the file, and of the message */
	u64 sum;	  /* of those in the file */
};

static struct {
	int fd;
	bool open, dirty;
	u64 synced;
	const char *path;
} to;

static _Noreturn void die_of_writing(void)
{
	die("%s: cannot be written: %s", to.path, strerror(errno));
}

static void write_all(const void *data, size_t n)
{
	const u8 *at = data;

	while (n) {
		ssize_t done = write(to.fd, at, n);

		if (done <= 0)
			die_of_writing();
		at += done;
		n -= (size_t)done;
	}
}

void journal_add(const struct message *m)
{
	struct bytes all;
	struct record r;
	uLongf n;
	u8 *packed;

	if (!to.open)
		return;
	all = message_write(m);
	n = compressBound(all.n);
	packed = xmalloc(n);
	BUG_ON(compress2(packed, &n, all.at, all.n, 1) != Z_OK);
	r = (struct record){n, all.n, crc32(0, packed, (uInt)n)};
	write_all(&r, sizeof(r));
	write_all(packed, n);
	to.dirty = true;
	free(packed);
	bytes_free(&all);
}

void journal_sync(bool now)
{
	if (!to.open || !to.dirty || (!now && clock_now() < to.synced + SYNC_NS))
		return;
	fdatasync(to.fd);
	to.dirty = false;
	to.synced = clock_now();
}

static void open_journal(const char *path, int flags)
{
	to.path = path;
	to.fd = open(path, flags | O_CLOEXEC, 0644);
	if (to.fd < 0 && errno == EEXIST)
		die("%s: exists: --resume %s continues it", path, path);
	if (to.fd < 0)
		die("%s: %s", path, strerror(errno));
	to.open = true;
}

void journal_begin(const char *path, const struct message *search)
{
	open_journal(path, O_WRONLY | O_CREAT | O_EXCL);
	write_all(magic, sizeof(magic));
	journal_add(search);
	journal_sync(true);
}

/* The message at *at, which moves to the next one; false: there is no other whole one. */
static bool read_record(struct bytes file, size_t *at, struct message *m)
{
	struct record r;
	struct bytes all;
	uLongf n;

	if (file.n - *at < sizeof(r))
		return false;
	memcpy(&r, file.at + *at, sizeof(r));
	if (r.packed > file.n - *at - sizeof(r) || r.size > UINT32_MAX ||
		crc32(0, file.at + *at + sizeof(r), (uInt)r.packed) != r.sum)
		return false;
	n = r.size;
	all = (struct bytes){xmalloc(r.size + 1), r.size};
	if (uncompress(all.at, &n, file.at + *at + sizeof(r), r.packed) != Z_OK || n != r.size ||
		!message_read(m, all))
		return false;
	*at += sizeof(r) + r.packed;
	return true;
}

void journal_resume(
	const char *path, const struct message *search, void (*take)(const struct message *m))
{
	struct bytes file = bytes_of_file(path);
	size_t at = sizeof(magic);
	struct message m;

	if (!file.at)
		die("%s: %s", path, strerror(errno));
	if (file.n < sizeof(magic) || memcmp(file.at, magic, sizeof(magic)) != 0 ||
		!read_record(file, &at, &m) || m.kind != MESSAGE_SEARCH)
		die("%s: not a journal of heddle run --mpi", path);
	if (m.number[0] != search->number[0])
		die("%s: of another search: program, arguments, options and version of heddle "
		    "have to be the same",
			path);
	while (read_record(file, &at, &m))
		take(&m);
	open_journal(path, O_WRONLY);
	if (ftruncate(to.fd, (off_t)at) != 0 || lseek(to.fd, 0, SEEK_END) < 0)
		die_of_writing();
}
