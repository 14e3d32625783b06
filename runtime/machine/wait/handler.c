/* SPDX-License-Identifier: ISC */
/* handler.c - see handler.h. */
#include "machine/wait/handler.h"
#include "machine/core.h"

static struct signal_handler *innermost(void)
{
	return &M.cur->handler;
}

/* Has the thread left its handlers by longjmp()? Their frames are below. */
static bool is_left(void)
{
	return (u64)(uintptr_t)__builtin_frame_address(0) > innermost()->frame;
}

bool handler_runs(void)
{
	if (innermost()->frame && is_left())
		*innermost() = (struct signal_handler){0};
	return innermost()->frame;
}

void handler_begins(u32 signal, u64 frame)
{
	struct signal_handler *h = innermost();

	if (!handler_runs())
		h->nlocks = 0;
	h->outer = h->frame;
	h->frame = frame;
	h->signal = signal;
}

void handler_ends(void)
{
	innermost()->frame = innermost()->outer;
}
