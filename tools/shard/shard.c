/* SPDX-License-Identifier: ISC */
/* shard.c - see shard.h. A search is known by a hash of its program, arguments and options. */
#include "shard/shard.h"

#include <string.h>
#include <unistd.h>

#include "die.h"
#include "path.h"

#define FNV_BASIS 0xcbf29ce484222325ull
#define FNV_PRIME 0x100000001b3ull

static u64 hash_add(u64 hash, const void *data, size_t n)
{
	const u8 *bytes = data;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * FNV_PRIME;
	return hash;
}

static u64 add_word(u64 hash, const char *word)
{
	return hash_add(hash, word, strlen(word) + 1);
}

static u64 hash_file(u64 hash, const char *path)
{
	char part[65536];
	int fd = path_open(path);
	ssize_t n;

	if (fd < 0)
		die("%s: cannot be read", path);
	while ((n = read(fd, part, sizeof(part))) > 0)
		hash = hash_add(hash, part, (size_t)n);
	close(fd);
	return hash;
}

/* Options that executions depend on, but not how long there is time for them. */
static u64 add_options(u64 hash, const struct options *o)
{
	static const char *const others[] = {"time", "minimise", "hang", NULL};
	char value[OPTION_TEXT_MAX];
	const char *name;

	for (unsigned i = 0; option_show(o, i, &name, value, sizeof(value)); i++) {
		bool counts = option_is_recorded(i);

		for (const char *const *other = others; *other; other++)
			counts = counts && strcmp(name, *other) != 0;
		if (counts)
			hash = add_word(add_word(hash, name), value);
	}
	if (o->orders[0])
		hash = hash_file(hash, o->orders);
	return hash;
}

u64 search_hash(const struct job *j)
{
	u64 hash = add_options(hash_file(FNV_BASIS, j->setup.argv[0]), &j->s.explore);

	for (char **word = j->setup.argv + 1; *word; word++)
		hash = add_word(hash, *word);
	if (j->s.suite)
		hash = add_word(hash, j->s.test ? j->s.test : "*");
	if (j->s.input)
		hash = hash_file(hash, j->s.input);
	return hash;
}

const struct shard *shard_of(const struct job *j)
{
	struct options o = j->s.explore;
	struct shard *s;

	if (!j->s.shard)
		return NULL;
	o.shard = j->s.shard;
	s = xmalloc(sizeof(*s));
	*s = (struct shard){option_shard(&o) + 1, option_shards(&o), search_hash(j),
		j->s.suite ? NULL : &j->child.status->shard};
	return s;
}
