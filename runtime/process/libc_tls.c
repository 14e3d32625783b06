/* SPDX-License-Identifier: ISC */
/* libc_tls.c - see libc_tls.h. The runtime refers to these functions by name only, so the program
 * does if their names are among its symbols. */
#include "process/libc_tls.h"
#include "process/module.h"

#include <dlfcn.h>
#include <locale.h>
#include <resolv.h>
#include <string.h>

static struct {
	locale_t (*locale)(locale_t);
	int *(*host_error)(void);
	char *(*library_error)(void);
	struct __res_state *(*resolver)(void);
} calls;

static struct {
	locale_t locale;
	int host_error;
	struct __res_state resolver;
} first; /* the main thread's */

/* Returns whether the program uses it; *call: the function. */
static bool find_call(const char *name, void *call)
{
	void *found = modules_refer_to(name) ? dlsym(RTLD_DEFAULT, name) : NULL;

	memcpy(call, &found, sizeof found);
	return found;
}

bool libc_tls_find(void)
{
	bool any = find_call("uselocale", &calls.locale);

	any |= find_call("__h_errno_location", &calls.host_error);
	any |= find_call("dlerror", &calls.library_error);
	any |= find_call("__res_state", &calls.resolver);
	if (calls.locale)
		first.locale = calls.locale(NULL);
	if (calls.host_error)
		first.host_error = *calls.host_error();
	if (calls.resolver)
		first.resolver = *calls.resolver();
	return any;
}

void libc_tls_reset(bool is_main)
{
	if (calls.locale)
		calls.locale(is_main ? first.locale : LC_GLOBAL_LOCALE);
	if (calls.host_error)
		*calls.host_error() = is_main ? first.host_error : 0;
	if (calls.library_error)
		calls.library_error(); /* libc forgets it */
	if (calls.resolver && is_main)
		*calls.resolver() = first.resolver;
	else if (calls.resolver)
		memset(calls.resolver(), 0, sizeof(struct __res_state));
}

void libc_tls_forget_message(void)
{
	char *(*message)(void);
	void *found = dlsym(RTLD_DEFAULT, "dlerror");

	memcpy(&message, &found, sizeof found);
	if (message)
		message();
}
