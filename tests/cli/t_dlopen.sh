# SPDX-License-Identifier: ISC
# t_dlopen.sh - a library that the program opens: each execution finds its state as its constructors left it.
. "$(dirname "$0")/lib.sh"

"$cc" -g -O1 -fPIC -shared -o liblibrary.so "$here/library.c" 2>build.log || fail "library" "$(cat build.log)"
cat >opener.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int opened;

static void *open_and_close(void *unused)
{
	void *library = dlopen("./liblibrary.so", RTLD_NOW);
	int (*first)(void), (*mine)(void);
	int changes;

	assert(library && dlopen("./liblibrary.so", RTLD_NOW | RTLD_NOLOAD) == library);
	first = (int (*)(void))dlsym(library, "library_first");
	mine = (int (*)(void))dlsym(library, "library_mine");
	changes = !opened++;
	if (changes)
		assert(first());
	assert(mine() == 6 + changes && mine() == 7 + changes);
	assert(!dlclose(library) && !dlclose(library));
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, open_and_close, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(!dlopen("./missing.so", RTLD_NOW) && dlerror());
	assert(argc == 1);
	return 0;
}
END
build -o opener opener.c
t "native" 0 ./opener
for model in sc tso rc11; do
	t "$model" 0 "$heddle" run --model $model ./opener
	has "$model: both orders" out ' 2 executions, complete, 0 failing'
done
t "two processes" 0 "$heddle" run -j 2 ./opener
t "random" 3 "$heddle" run --strategy random --executions 1000 ./opener
for model in tso rc11; do
	t "finding, $model" 1 "$heddle" run --model $model ./opener wrong
	has "finding, $model" out "^FAILED  assertion .argc == 1'"
	t "replay, $model" 1 "$heddle" replay opener.heddle
	has "replay, $model" out "^FAILED  assertion .argc == 1'"
done
finish
