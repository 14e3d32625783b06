/* SPDX-License-Identifier: ISC */
/* flight.c - see flight.h: events in words. */
#include "recorder/flight.h"

#include <string.h>

#include "die.h"

const char *flight_kind_name(enum flight_kind kind)
{
	static const char *const names[FLIGHT_KINDS] = {
		[FLIGHT_NONE] = "nothing",
		[FLIGHT_LOAD] = "load",
		[FLIGHT_STORE] = "store",
		[FLIGHT_RMW] = "rmw",
		[FLIGHT_CAS] = "cas",
		[FLIGHT_FENCE] = "fence",
		[FLIGHT_FAULT] = "fault",
#define CALL(how, ret, name, params, args, object) [FLIGHT_##name] = #name,
#define SYSTEM_CALL(how, name) [FLIGHT_##name] = #name,
#include "flight/calls.def"
#undef CALL
	};

	return names[kind];
}

const struct frames *flight_place(const struct flight *f, const struct flight_step *s)
{
	return symbol_frames(f->symbols, s->place);
}

static const char *thread_of_handle(const struct flight *f, u64 handle)
{
	for (u32 i = f->nthreads; i-- > 0;)
		if (f->thread[i].handle == handle)
			return f->thread[i].name;
	return NULL;
}

static char *object_name(const struct flight *f, const struct flight_step *s)
{
	const char *name = NULL;
	struct variable v;

	if (s->kind == FLIGHT_pthread_join || s->kind == FLIGHT_thrd_join)
		name = thread_of_handle(f, s->object);
	else if (s->kind == FLIGHT_pthread_create || s->kind == FLIGHT_thrd_create)
		name = symbol_function(f->symbols, s->object);
	else if (symbol_variable(f->symbols, s->object, 1, NULL, &v))
		name = v.name;
	return name ? xstrdup(name) : xprintf("0x%llx", (unsigned long long)s->object);
}

static char *flight_value_words(const struct flight *f, const struct flight_step *s)
{
	const char *created;
	int result;

	if (flight_waits(s))
		return xstrdup(": has not returned");
	if (s->kind == FLIGHT_pthread_create || s->kind == FLIGHT_thrd_create) {
		created = thread_of_handle(f, s->value);
		return created ? xprintf(": %s", created) : xstrdup("");
	}
	if (s->kind > FLIGHT_FENCE) {
		result = flight_returns(s->kind) ? (u8)s->value : 0;
		return result ? xprintf(": result %d", result == 255 ? -1 : result) : xstrdup("");
	}
	return s->value < 65536 ? xprintf(s->kind == FLIGHT_STORE ? " = %llu" : ": %llu",
					  (unsigned long long)s->value)
				: xprintf(s->kind == FLIGHT_STORE ? " = 0x%llx" : ": 0x%llx",
					  (unsigned long long)s->value);
}

char *flight_words(const struct flight *f, const struct flight_step *s)
{
	if (s->kind == FLIGHT_FENCE)
		return xstrdup("fence");
	if (s->kind == FLIGHT_FAULT)
		return xprintf("SIG%s at 0x%llx", sigabbrev_np((int)(s->value & 0xff)),
			(unsigned long long)s->object);
	if (flight_ends(s))
		return s->object > 1 ? xprintf("%s %d", flight_kind_name(s->kind), (int)s->object)
				     : xstrdup(flight_kind_name(s->kind));
	return xprintf("%s %s%s%s", flight_kind_name(s->kind), object_name(f, s),
		flight_value_words(f, s),
		s->repeats ? xprintf(" (%llu times)", (unsigned long long)s->repeats + 1) : "");
}
