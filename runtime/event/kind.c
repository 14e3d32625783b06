/* SPDX-License-Identifier: ISC */
/* kind.c - the names of the kinds of events: one list (kind.def), for files and for reports. */
#include "event/event.h"

#include "base/text.h"

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

bool kind_from_name(const char *name, enum event_kind *k)
{
	for (u32 i = 0; i < EV_KINDS; i++)
		if (text_equal(name, kinds[i].name)) {
			*k = (enum event_kind)i;
			return true;
		}
	return false;
}
