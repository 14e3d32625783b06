/* SPDX-License-Identifier: ISC */
/* stop.c - fatal messages. System calls are made directly: write() and exit() are interposed. */
#include "process/stop.h"
#include "process/sys.h"

#include <stdarg.h>
#include <stdio.h>

int stop_fd = 2;
struct status *stop_status;

_Noreturn void stop_exit(int code)
{
	for (;;)
		sys_call4(SYS_exit_group, code, 0, 0, 0);
}

static __attribute__((format(printf, 1, 0))) void say_list(const char *format, va_list list)
{
	char line[1024] = "heddle: ";
	int n = 8;

	n += vsnprintf(line + n, sizeof(line) - n - 1, format, list);
	if (n > (int)sizeof(line) - 2)
		n = sizeof(line) - 2;
	line[n] = '\n';
	sys_call4(SYS_write, stop_fd, (long)line, n + 1, 0);
}

void say(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	say_list(format, list);
	va_end(list);
}

_Noreturn void fatal(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	if (stop_status) {
		vsnprintf(stop_status->note, sizeof stop_status->note, format, list);
		stop_status->state = STATUS_REFUSED;
	} else {
		say_list(format, list);
	}
	va_end(list);
	stop_exit(2);
}

_Noreturn void stop_bug(const char *file, int line, const char *what)
{
	say("bug in heddle, please report it: %s:%d: %s", file, line, what);
	stop_exit(70);
}
