/* SPDX-License-Identifier: ISC */
/* Loading and unloading a library, more than once, also in a thread; its symbols, and ours in
 * it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int add_one(int x)
{
	return x + 1;
}

static void use(const char *when)
{
	void *library = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
	int (*run)(int (*)(int)) =
		library ? (int (*)(int (*)(int)))dlsym(library, "plugin_run") : NULL;
	Dl_info info;

	if (!run) {
		printf("%s: %s\n", when, dlerror());
		return;
	}
	printf("%s: %d\n", when, run(add_one));
	printf("address: %d\n", dladdr((void *)run, &info) && info.dli_saddr == (void *)run);
	printf("closed: %d\n", dlclose(library));
}

static void *use_in_thread(void *arg)
{
	use("in a thread");
	return NULL;
}

int main(void)
{
	pthread_t t;

	setvbuf(stdout, NULL, _IONBF, 0);
	use("first");
	use("again");
	pthread_create(&t, NULL, use_in_thread, NULL);
	pthread_join(t, NULL);
	printf("missing: %d\n", !dlopen("./there-is-none.so", RTLD_NOW) && dlerror());
	printf("malloc is one: %d\n", dlsym(RTLD_DEFAULT, "malloc") != NULL);
	return 0;
}
