/* SPDX-License-Identifier: ISC */
/*
 * map.h - a set of pointers, each with a number; open addressing, only grows.
 */
#ifndef INSTRUMENT_MAP_H
#define INSTRUMENT_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct map_slot {
	const void *key;
	unsigned value;
};

struct map {
	struct map_slot *slot;
	unsigned n, size; /* size: a power of two, or 0 */
};

static inline void map_release(struct map *m)
{
	free(m->slot);
	*m = (struct map){0};
}

static inline struct map_slot *map_place(const struct map *m, const void *key)
{
	unsigned i = (unsigned)((uintptr_t)key >> 4) * 2654435761u;

	while (m->slot[i & (m->size - 1)].key && m->slot[i & (m->size - 1)].key != key)
		i++;
	return &m->slot[i & (m->size - 1)];
}

/* The key's number, or NULL if it is not in the map. */
static inline unsigned *map_find(const struct map *m, const void *key)
{
	struct map_slot *s = m->size ? map_place(m, key) : NULL;

	return s && s->key ? &s->value : NULL;
}

/* Returns false, and changes nothing, if the key is there already. */
static inline bool map_add(struct map *m, const void *key, unsigned value)
{
	struct map old = *m;
	struct map_slot *s;

	if (m->n * 2 >= m->size) {
		m->size = m->size ? 2 * m->size : 16;
		m->slot = calloc(m->size, sizeof(*m->slot));
		if (!m->slot)
			abort();
		for (unsigned i = 0; i < old.size; i++)
			if (old.slot[i].key)
				*map_place(m, old.slot[i].key) = old.slot[i];
		free(old.slot);
	}
	s = map_place(m, key);
	if (s->key)
		return false;
	*s = (struct map_slot){key, value};
	m->n++;
	return true;
}

#endif
