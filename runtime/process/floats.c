/* SPDX-License-Identifier: ISC */
/* floats.c - see floats.h. */
#include "process/floats.h"
#include "arch/arch.h"
#include "process/module.h"

#include <string.h>

/* Functions that only ask for the direction of rounding need no line: nothing has changed it. */
static const char *const functions[] = {"fesetround", "fesetenv", "feupdateenv", "feholdexcept",
	"fesetmode", "feenableexcept", "fedisableexcept", "feclearexcept", "feraiseexcept",
	"fesetexcept", "fetestexcept", "fegetexceptflag", "fegetenv"};

static bool code_loads(u64 start, u64 end)
{
	const u8 *p = (const u8 *)(uintptr_t)start, *last = (const u8 *)(uintptr_t)end - 1;

	while (p < last && (p = memchr(p + 1, ARCH_FLOATS_BYTE, (size_t)(last - p - 1))))
		if (arch_loads_floats(p))
			return true;
	return false;
}

bool floats_matter(void)
{
	u64 start = (u64)(uintptr_t)heddle_text_start, stop = (u64)(uintptr_t)heddle_text_stop;

	for (unsigned i = 0; i < array_size(functions); i++)
		if (modules_refer_to(functions[i]))
			return true;
	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);
		bool ours = start >= m->text && start < m->text_end;

		if (m->is_libc || !m->text)
			continue;
		if (code_loads(m->text, ours ? start : m->text_end) ||
			(ours && code_loads(stop, m->text_end)))
			return true;
	}
	return false;
}
