/* SPDX-License-Identifier: ISC */
/* message.c - see message.h. */
#include "mpi/message.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"
#include "path.h"

struct head {
	u32 kind, nparts;
	u64 ticket, number[NUMBERS];
	u64 size[PARTS];
};

struct bytes message_write(const struct message *m)
{
	struct head h = {m->kind, m->nparts, m->ticket, {0}, {0}};
	struct bytes to = {NULL, sizeof(h)};
	u8 *at;

	memcpy(h.number, m->number, sizeof(h.number));
	for (u32 i = 0; i < m->nparts; i++) {
		h.size[i] = m->part[i].n;
		to.n += m->part[i].n;
	}
	at = to.at = xmalloc(to.n);
	memcpy(at, &h, sizeof(h));
	at += sizeof(h);
	for (u32 i = 0; i < m->nparts; i++) {
		if (m->part[i].n)
			memcpy(at, m->part[i].at, m->part[i].n);
		at += m->part[i].n;
	}
	return to;
}

bool message_read(struct message *m, struct bytes from)
{
	struct head h;

	if (from.n < sizeof(h))
		return false;
	memcpy(&h, from.at, sizeof(h));
	*m = (struct message){.kind = h.kind, .nparts = h.nparts, .ticket = h.ticket};
	memcpy(m->number, h.number, sizeof(h.number));
	if (h.nparts > PARTS || h.kind >= MESSAGE_KINDS)
		return false;
	from.at += sizeof(h);
	from.n -= sizeof(h);
	for (u32 i = 0; i < h.nparts; i++) {
		if (h.size[i] > from.n)
			return false;
		m->part[i] = (struct bytes){from.at, h.size[i]};
		from.at += h.size[i];
		from.n -= h.size[i];
	}
	return !from.n;
}

void message_add(struct message *m, struct bytes part)
{
	BUG_ON(m->nparts == PARTS);
	m->part[m->nparts++] = part;
}

void message_add_text(struct message *m, const char *text)
{
	message_add(m, (struct bytes){(u8 *)xstrdup(text), strlen(text)});
}

const char *message_text(const struct message *m, u32 part)
{
	if (part >= m->nparts)
		return "";
	return xprintf("%.*s", (int)m->part[part].n, (const char *)m->part[part].at);
}

struct bytes bytes_copy(struct bytes from)
{
	struct bytes to = {from.n ? xmalloc(from.n) : NULL, from.n};

	if (from.n)
		memcpy(to.at, from.at, from.n);
	return to;
}

void bytes_free(struct bytes *b)
{
	free(b->at);
	*b = (struct bytes){NULL, 0};
}

struct bytes bytes_of_file(const char *path)
{
	int fd = path_open(path);
	struct bytes b = {NULL, 0};
	struct stat st;
	ssize_t got = 1;

	if (fd < 0 || fstat(fd, &st) != 0)
		return b;
	b.at = xmalloc((size_t)st.st_size + 1);
	while (got > 0 && b.n < (size_t)st.st_size) {
		got = read(fd, b.at + b.n, (size_t)st.st_size - b.n);
		b.n += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	return b;
}

bool bytes_to_file(struct bytes b, const char *path)
{
	FILE *f = fopen(path, "we");
	bool good = f && fwrite(b.at, 1, b.n, f) == b.n;

	return f && fclose(f) == 0 && good;
}
