/* SPDX-License-Identifier: ISC */
/* layer.c - the table of names of layer.h, and the files behind them. */
#include "intercept/file/layer.h"
#include "base/prng.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "machine/learnt.h"
#include "machine/record/name.h"
#include "machine/wait/vtime.h"
#include "process/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/mman.h>
#include <time.h>

#define NODES	 256
#define NAMES	 1024
#define TEXT	 (256u << 10) /* bytes of names */
#define COPY_MOST (256u << 20) /* of a file */

#define PATHS_BASE   0x560000000000u
#define ALL_PATHS    (PATHS_BASE + (1ull << 36)) /* above the others */
#define UNNAMED_BASE 0x570000000000u

/* A file in memory. Free: links and held are 0. */
static struct layer_node {
	int fd;
	u32 links, held;
	dev_t device; /* of the file that it is a copy of, else 0 */
	ino_t file;
	u64 object; /* for io_step_at() */
} nodes[NODES];
static u32 nnodes; /* that have been used */

/* The changes of this execution. */
static struct layer_name {
	u64 object;
	const char *path;
	enum layer_kind kind; /* LAYER_NONE: removed */
	u32 node;
} names[NAMES];
static u32 nnames;

static char text[TEXT];
static u32 ntext;

/* --- names ----------------------------------------------------------------------------------- */

u64 layer_object(const char *path)
{
	u64 h = 0;

	for (; *path; path++)
		h = prng_mix(h ^ (u8)*path);
	return PATHS_BASE + (h & 0xffffffff) * 8;
}

void layer_step(void)
{
	io_step_at(ALL_PATHS);
}

void layer_several_paths(void)
{
	learnt_add(LEARNT_PATHS, 1);
}

int layer_done(enum event_kind kind, const struct layer_place *p, int error)
{
	u64 object = layer_object(p->path);

	name_give(object, 8, p->path);
	sync_event(kind, (const void *)(uintptr_t)object, 0, (u64)-error);
	return (int)errno_return(error);
}

static struct layer_name *find_layer_name(const char *path)
{
	u64 object = layer_object(path);

	for (u32 i = 0; i < nnames; i++)
		if (names[i].object == object && !strcmp(names[i].path, path))
			return &names[i];
	return NULL;
}

static struct layer_name *need_name(const char *path)
{
	struct layer_name *e = find_layer_name(path);
	size_t n = strlen(path) + 1;

	if (e)
		return e;
	if (nnames == NAMES || TEXT - ntext < n)
		machine_refuse("limit: an execution makes, renames or removes more than %d files",
			NAMES);
	memcpy(text + ntext, path, n);
	e = &names[nnames++];
	*e = (struct layer_name){.object = layer_object(path), .path = text + ntext};
	ntext += (u32)n;
	clean_up_at_end();
	return e;
}

static void free_if_unused(struct layer_node *n)
{
	if (!n->links && !n->held)
		real(close)(n->fd);
}

static void put_layer_name(const char *path, enum layer_kind kind, u32 node)
{
	struct layer_name *e = need_name(path);
	struct layer_node *old = e->kind == LAYER_FILE ? &nodes[e->node] : NULL;

	if (kind == LAYER_FILE)
		nodes[node].links++;
	e->kind = kind;
	e->node = node;
	if (old) {
		old->links--;
		free_if_unused(old);
	}
}

void layer_name_file(const char *path, u32 node)
{
	put_layer_name(path, LAYER_FILE, node);
}

void layer_name_directory(const char *path)
{
	put_layer_name(path, LAYER_DIRECTORY, 0);
}

void layer_remove(const struct layer_place *p)
{
	put_layer_name(p->path, LAYER_NONE, 0);
}

bool layer_look(struct layer_place *p)
{
	struct layer_name *e = find_layer_name(p->path);

	if (!e)
		return false;
	p->kind = e->kind;
	p->node = e->node;
	return true;
}

const char *layer_behind(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	return !strncmp(path, directory, n) && path[n] == '/' ? path + n : NULL;
}

bool layer_has_entries(const char *directory)
{
	for (u32 i = 0; i < nnames; i++)
		if (names[i].kind != LAYER_NONE && layer_behind(names[i].path, directory))
			return true;
	return false;
}

bool layer_has_changed(void)
{
	return nnames;
}

bool layer_next(const char *directory, u32 *at, struct layer_place *p)
{
	while (*at < nnames) {
		const struct layer_name *e = &names[(*at)++];
		const char *rest = layer_behind(e->path, directory);

		if (!rest || strchr(rest + 1, '/') || e->kind == LAYER_NONE)
			continue;
		*p = (struct layer_place){.kind = e->kind, .node = e->node};
		strcpy(p->path, e->path);
		return true;
	}
	return false;
}

void layer_move_directory(const struct layer_place *from, const char *to)
{
	char path[PATH_MAX];
	u32 n = nnames; /* the new ones come behind */

	for (u32 i = 0; i < n; i++) {
		const char *rest = layer_behind(names[i].path, from->path);

		if (!rest || names[i].kind == LAYER_NONE)
			continue;
		if (snprintf(path, sizeof path, "%s%s", to, rest) >= (int)sizeof path)
			machine_refuse("limit: a path of more than %d bytes", PATH_MAX);
		put_layer_name(path, names[i].kind, names[i].node);
		put_layer_name(names[i].path, LAYER_NONE, 0);
	}
	layer_name_directory(to);
	layer_remove(from);
}

/* --- files ----------------------------------------------------------------------------------- */

static u32 free_node(void)
{
	for (u32 i = 0; i < nnodes; i++)
		if (!nodes[i].links && !nodes[i].held)
			return i;
	if (nnodes == NODES)
		machine_refuse("limit: an execution has more than %d files that it has written",
			NODES);
	return nnodes++;
}

u32 layer_own_number(void)
{
	static u16 made[THREADS_MAX];
	static PER_EXECUTION bool begun;
	u32 id = thread_id(thread_self());

	if (!begun)
		memset(made, 0, sizeof made);
	begun = true;
	return id << 14 | (made[id]++ & 0x3fff);
}

u64 layer_unnamed_object(void)
{
	return UNNAMED_BASE + (u64)layer_own_number() * 8;
}

u32 layer_new_file(mode_t mode, u64 object)
{
	int low = memfd_create("heddle-file", MFD_CLOEXEC), fd;
	u32 node = free_node();

	fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, DESCRIPTORS_OWN);
	if (low >= 0)
		real(close)(low);
	if (fd < 0 || fchmod(fd, mode & 07777))
		machine_refuse("limit: the program's files in memory need more descriptors "
			       "(ulimit -n)");
	nodes[node] = (struct layer_node){.fd = fd,
		.file = 1 + (ino_t)layer_own_number(),
		.object = object ? object : layer_unnamed_object()};
	clean_up_at_end();
	return node;
}

int layer_descriptor(u32 node)
{
	return nodes[node].fd;
}

u64 layer_node_object(u32 node)
{
	return nodes[node].object;
}

int layer_open_file(u32 node, int flags)
{
	char path[40];
	int fd;

	snprintf(path, sizeof path, "/proc/self/fd/%d", nodes[node].fd);
	fd = real(open)(path, flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW | O_DIRECT | O_TMPFILE));
	return fd < 0 ? -errno : fd;
}

void layer_hold(u32 node)
{
	nodes[node].held++;
}

void layer_drop(u32 node)
{
	nodes[node].held--;
	free_if_unused(&nodes[node]);
}

static void copy_contents(int to, int from, size_t size)
{
	size_t done = 0;
	ssize_t n;

	if (size > COPY_MOST)
		machine_refuse("limit: the program writes a file of more than %u MiB, whose copy "
			       "in memory would be made in each execution",
			COPY_MOST >> 20);
	while (done < size) {
		n = sendfile(to, from, NULL, size - done);
		if (n <= 0)
			machine_refuse("a file that the program writes cannot be copied to memory");
		done += (size_t)n;
	}
}

int layer_copy(struct layer_place *p, bool whole)
{
	int from = real(open)(p->path, O_RDONLY | O_CLOEXEC);
	struct stat s;

	if (from < 0 || real(fstat)(from, &s))
		return -errno;
	p->node = layer_new_file(s.st_mode, layer_object(p->path));
	nodes[p->node].device = s.st_dev;
	nodes[p->node].file = s.st_ino;
	if (whole)
		copy_contents(nodes[p->node].fd, from, (size_t)s.st_size);
	real(close)(from);
	p->kind = LAYER_FILE;
	layer_name_file(p->path, p->node);
	io_upgrade(layer_object(p->path), p->node);
	return 0;
}

/* --- properties ------------------------------------------------------------------------------ */

/* Times are those at the beginning: the same in each execution. */
static void set_times(struct stat *s)
{
	u64 ns = vtime_base(CLOCK_REALTIME);
	struct timespec t = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	s->st_atim = s->st_mtim = s->st_ctim = t;
}

void layer_stat(u32 node, struct stat *s)
{
	const struct layer_node *n = &nodes[node];

	real(fstat)(n->fd, s);
	s->st_nlink = n->links;
	s->st_dev = n->device ? n->device : 1;
	s->st_ino = n->file;
	set_times(s);
}

ino_t layer_inode(const struct layer_place *p)
{
	return p->kind == LAYER_FILE ? nodes[p->node].file : layer_object(p->path);
}

void layer_stat_directory(const char *path, struct stat *s)
{
	*s = (struct stat){.st_dev = 1,
		.st_ino = layer_object(path),
		.st_mode = S_IFDIR | 0700,
		.st_nlink = 2,
		.st_uid = geteuid(),
		.st_gid = getegid(),
		.st_size = 4096,
		.st_blksize = 4096};
	set_times(s);
}

void layer_clear(void)
{
	for (u32 i = 0; i < nnodes; i++) {
		if (nodes[i].links || nodes[i].held)
			real(close)(nodes[i].fd);
		nodes[i] = (struct layer_node){0};
	}
	nnodes = nnames = ntext = 0;
}
