/* SPDX-License-Identifier: ISC */
/*
 * names.c - libc's memory functions, in programs with objects compiled by -fsanitize=thread.
 *
 * heddle-cc's own pass redirects calls of memcpy() and the like (libc.def); other compilers call
 * them by name, and expect the sanitizer to interpose them. So do we, but only in such programs:
 * this is an archive of its own (libheddle_tsan.a), and the linker takes it where an object's
 * constructor calls __tsan_init(). The names are hidden: libraries keep libc's, and the runtime's
 * own calls go to libc's, too.
 */
#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <heddle/abi.h>
#include <heddle/heddle.h>

#define LIBC(ret, name, params, args) ret __heddle_lib_##name params;
#include <heddle/libc.def>
#undef LIBC

void __heddle_tsan_init(void);
__attribute__((visibility("default"))) void __tsan_init(void);

/* The runtime's code. */
extern const char __start_heddle_text[], __stop_heddle_text[];

/* The note that `heddle run` looks for; heddle-cc's own pass puts it into every object. */
static const struct {
	Elf64_Nhdr header;
	char owner[8];
	uint32_t version;
} note __attribute__((section(".note.heddle"), aligned(4), used)) = {
	{sizeof "heddle", sizeof(uint32_t), 1}, "heddle", HEDDLE_ABI_VERSION};

void __tsan_init(void)
{
	__heddle_tsan_init();
}

static bool is_ours(const void *caller)
{
	return ((const char *)caller >= __start_heddle_text &&
		       (const char *)caller < __stop_heddle_text) || !heddle_active();
}

/* `name` of libc; the names here are hidden, so they are not found. */
#define REAL(name) __extension__({                                                                 \
	static void *found;                                                                        \
	if (!found)                                                                                \
		found = dlsym(RTLD_DEFAULT, #name);                                                \
	(__typeof__(&name))found;                                                                  \
})

#define STAND_IN(ret, name, params, args, with)                                                    \
	__attribute__((visibility("hidden"), weak)) ret name params;                               \
	ret name params                                                                            \
	{                                                                                          \
		if (is_ours(__builtin_return_address(0)))                                          \
			return REAL(name) args;                                                    \
		return with args;                                                                  \
	}

#define LIBC(ret, name, params, args) STAND_IN(ret, name, params, args, __heddle_lib_##name)
#include <heddle/libc.def>
#undef LIBC

STAND_IN(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n), __heddle_memcpy)
STAND_IN(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), __heddle_memmove)
STAND_IN(void *, memset, (void *to, int byte, size_t n), (to, byte, n), __heddle_memset)
