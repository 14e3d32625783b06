/* SPDX-License-Identifier: ISC */
/* state_table.c - see state_table.h. */
#include "object/state_table.h"
#include "base/prng.h"
#include "base/table.h"

#define SLOTS	 ((u32)TINY(1 << 17, 1 << 20))
#define UNIT	 8 /* bytes: the unit of offsets */
#define BYTES_IN ((STATE_TABLE_SIZE - sizeof(struct state_table)) / UNIT)

struct table_state {
	u64 number;
	u32 size, reserved;
	u64 word[];
};

/* A slot is the offset of a state behind the table, plus one; 0 = free. */
struct state_table {
	u32 used;    /* units behind the table */
	u32 nstates;
	u32 slot[SLOTS];
};

static struct state_table *table;

const char state_table_limit[] = "limit: too many states of objects that many threads wait for";

void state_table_begin(void *memory)
{
	table = memory;
}

bool state_table_is_full(void)
{
	return !table || __atomic_load_n(&table->used, __ATOMIC_RELAXED) > BYTES_IN / 2 ||
	       __atomic_load_n(&table->nstates, __ATOMIC_RELAXED) > SLOTS / 2;
}

bool state_table_used(void)
{
	return table && __atomic_load_n(&table->nstates, __ATOMIC_RELAXED);
}

static struct table_state *state_at(u32 slot)
{
	return (struct table_state *)(void *)((char *)(table + 1) + (size_t)(slot - 1) * UNIT);
}

static bool same_bytes(const struct table_state *s, const void *bytes, u32 size)
{
	return s->size == size && !__builtin_memcmp(s->word, bytes, size);
}

static u64 state_number(const void *bytes, u32 size)
{
	u64 h = size;

	for (u32 at = 0; at < size; at += 8) {
		u64 word = 0;

		__builtin_memcpy(&word, (const char *)bytes + at, size - at < 8 ? size - at : 8);
		h = prng_mix(h ^ word);
	}
	h |= STATE_NUMBER;
	return h == UINT64_MAX ? STATE_NUMBER : h;
}

/* Add a state that was not in the table; another process may have added it by now. */
static u32 new_state(u64 number, const void *bytes, u32 size)
{
	u32 units = (u32)(sizeof(struct table_state) + size + UNIT - 1) / UNIT;
	u32 at = __atomic_fetch_add(&table->used, units, __ATOMIC_RELAXED);
	struct table_state *s;

	BUG_ON(at + units > BYTES_IN);
	s = state_at(at + 1);
	s->number = number;
	s->size = size;
	__builtin_memcpy(s->word, bytes, size);
	return at + 1;
}

/* The slot of the state with this number, or the free slot where the search ends. */
static u32 *find_state_slot(u64 number)
{
	u32 i, at;

	TABLE_FIND(i, number, SLOTS,
		!(at = __atomic_load_n(&table->slot[i], __ATOMIC_ACQUIRE)) ||
			state_at(at)->number == number);
	return &table->slot[i];
}

u64 state_intern(const void *bytes, u32 size)
{
	u64 number = state_number(bytes, size);
	u32 *slot, at, free, made = 0;

	if (unlikely(!table))
		return UINT64_MAX;
	for (;;) {
		slot = find_state_slot(number);
		at = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
		free = 0;
		if (at && same_bytes(state_at(at), bytes, size))
			return number;
		if (at) { /* another state has this number: very unlikely */
			number = number + 1 == UINT64_MAX ? STATE_NUMBER : number + 1;
			made = 0;
			continue;
		}
		made = made ? made : new_state(number, bytes, size);
		if (!__atomic_compare_exchange_n(
			    slot, &free, made, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			continue;
		BUG_ON(__atomic_add_fetch(&table->nstates, 1, __ATOMIC_RELAXED) == SLOTS);
		return number;
	}
}

const void *state_of(u64 number, u32 *size)
{
	u32 at;

	if (!table || !state_is_number(number))
		return NULL;
	at = __atomic_load_n(find_state_slot(number), __ATOMIC_ACQUIRE);
	if (!at)
		return NULL;
	*size = state_at(at)->size;
	return state_at(at)->word;
}
