/* SPDX-License-Identifier: ISC */
/* kind.c - names and traits of the kinds of events, from one list (kind.def). */
#include "event/event.h"

static const struct {
	const char *name, *words, *waits;
} kinds[] = {
#define KIND(c_name, name, words, waits, traits) {name, words, waits},
#include "event/kind.def"
#undef KIND
};

const u16 kind_traits[EV_KINDS] = {
#define KIND(c_name, name, words, waits, traits) traits,
#include "event/kind.def"
#undef KIND
};

const char *kind_name(enum event_kind k)
{
	BUG_ON(k >= EV_KINDS);
	return kinds[k].name;
}

const char *kind_words(enum event_kind k)
{
	BUG_ON(k >= EV_KINDS);
	return kinds[k].words;
}

const char *kind_waits(enum event_kind k)
{
	BUG_ON(k >= EV_KINDS);
	return kinds[k].waits;
}
