/* SPDX-License-Identifier: ISC */
/* engine.c - see engine.h: the engine in use, and its decorators. */
#include "machine/core.h"
#include "machine/engine.h"

#define DECORATORS 8

static const struct engine *base;
static struct decorator *decorator[DECORATORS];
static u32 ndecorators;

void engine_update(void)
{
	M.careful = M.recording || M.watched || M.private_now || M.stepwise ||
		    !M.engine->fast;
}

void engine_step_all(bool on)
{
	M.stepwise = on;
	engine_update();
}

static void compose_engine(void)
{
	const struct engine *e = base;

	for (u32 i = 0; i < ndecorators; i++) {
		struct decorator *d = decorator[i];

		if (!d->on)
			continue;
		d->next = e;
		d->engine = *e;
		d->engine.fast = false;
		d->dress(&d->engine);
		e = &d->engine;
	}
	M.engine = e;
	engine_update();
}

void engine_use(const struct engine *e)
{
	base = e;
	compose_engine();
}

void engine_decorate(struct decorator *d, bool on)
{
	u32 i = 0;

	while (i < ndecorators && decorator[i] != d)
		i++;
	BUG_ON(i == DECORATORS);
	if (i == ndecorators)
		decorator[ndecorators++] = d;
	d->on = on;
	compose_engine();
}
