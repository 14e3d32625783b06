/* SPDX-License-Identifier: ISC */
/* kind.c - the names of the kinds of events: one list (kind.def), for files and for reports. */
#include "event/event.h"

static const struct {
	const char *name, *words;
} kinds[] = {
#define KIND(c_name, name, words) {name, words},
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
