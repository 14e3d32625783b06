# SPDX-License-Identifier: ISC
# t_heap.sh - checking the heap adds no executions; blocks from before heddle_check().
. "$(dirname "$0")/lib.sh"

"$B/bin/heddle-cc" -g -O1 -o handover "$here/../clean/heap_handover.c" -lpthread
"$B/bin/heddle-cc" -g -O1 -o nodes "$here/../bench/heap.c" -lpthread

# The number of executions, complete.
executions() { "$heddle" run -q --keep-going --json - "$@" | jq -r '"\(.executions) \(.complete)"'; }

for options in "--model rc11" "--model tso" "--model pso" "--model rc11 -j2" "--model rc11 --equivalence rf"; do
	# shellcheck disable=SC2086
	for program in handover nodes; do
		with=$(executions $options --detect race,heap ./$program)
		without=$(executions $options --detect race ./$program)
		[ "$with" = "$without" ] && [ "${with#* }" = true ] && pass "$program, $options: as many executions" ||
			fail "$program, $options: as many executions" "$with with, $without without"
	done
done

cat >before.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) shared;

static void *release(void *arg)
{
	char *p = atomic_load(&shared);

	atomic_store(&shared, NULL);
	free(p);
	return arg;
}

static void test(void *arg)
{
	pthread_t a, b;

	pthread_create(&a, NULL, release, arg);
	pthread_create(&b, NULL, release, arg);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

int main(void)
{
	shared = malloc(10);
	return heddle_check(test, NULL, NULL, NULL);
}
END
"$B/bin/heddle-cc" -g -O1 -o before before.c -lpthread
PATH=$B/bin:$PATH ./before >out 2>&1
[ $? = 1 ] && grep -q '^FAILED  double free: nothing orders the two' out &&
	pass "a block from before heddle_check(), freed twice" ||
	fail "a block from before heddle_check(), freed twice" "$(head -5 out)"
finish
