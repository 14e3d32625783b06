/* SPDX-License-Identifier: ISC */
/* alarm.c - see alarm.h. */
#include "kernel/alarm.h"
#include "kernel/op.h"
#include "machine/wait/vtime.h"
#include "object/state_table.h"

#define PROCESS_OBJECT 0x530000006000u

FILE_OP(op_get, EV_GET_SIGNAL, OBJECT_ALARM_GET, alarm);
FILE_OP(op_set, EV_SEND_SIGNAL, OBJECT_ALARM_SET, alarm);
FILE_OP(op_expire, EV_SEND_SIGNAL, OBJECT_ALARM_EXPIRE, alarm);
FILE_OP(op_take, EV_GET_SIGNAL, OBJECT_ALARM_TAKE, alarm);
FILE_OP(op_delete, EV_SEND_SIGNAL, OBJECT_ALARM_DELETE, alarm);

u64 alarm_object(u32 number)
{
	return number ? (u64)(uintptr_t)descriptor_object(number) : PROCESS_OBJECT;
}

static const void *alarm_at(u32 number)
{
	return (const void *)(uintptr_t)alarm_object(number);
}

u32 alarm_new(u64 notify)
{
	const struct alarm a = {.notify = notify};

	waiting_check();
	return op_new_object(state_intern(&a, sizeof a), "a timer");
}

struct alarm alarm_get(u32 number)
{
	return alarm_of(op_step(&op_get, alarm_at(number), 0));
}

struct alarm alarm_set(u32 number, struct alarm_setting to)
{
	waiting_check();
	return alarm_of(op_step(&op_set, alarm_at(number), state_intern(&to, sizeof to)));
}

struct alarm alarm_delete(u32 number)
{
	return alarm_of(op_step(&op_delete, alarm_at(number), 0));
}

u64 alarm_expire(u32 number, u32 agent)
{
	const struct alarm_look look = {vtime_after(0), agent};

	waiting_check();
	return op_step(&op_expire, alarm_at(number), state_intern(&look, sizeof look));
}

u32 alarm_taken(u64 object)
{
	return (u32)op_step(&op_take, (const void *)(uintptr_t)object, 0);
}
