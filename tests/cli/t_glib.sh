# SPDX-License-Identifier: ISC
# t_glib.sh - GLib's threads and locks are explored like those of pthread.h.
. "$(dirname "$0")/lib.sh"

if ! pkg-config --exists glib-2.0 2>/dev/null; then
	echo "ok - GLib # SKIP no libglib2.0-dev"
	exit 0
fi
# shellcheck disable=SC2046
build -O1 -w -o glib "$here/glib.c" $(pkg-config --cflags --libs glib-2.0)

for what in c m o; do
	t "$what, native" 0 ./glib $what
	for options in "--model sc" "--model tso --equivalence rf" "--model pso --strategy rf" "--model ra" "--model rc11" \
		"--model tso --strategy dfs"; do
		# shellcheck disable=SC2086
		t "$what, $options" 0 "$heddle" run $options ./glib $what
		has "$what, $options" out ' complete, 0 failing'
	done
	for model in tso rc11; do
		t "$what, samples, $model" 3 "$heddle" run --model $model --strategy random --executions 300 ./glib $what
	done
done
for options in "--model rc11" "--model tso" "--model sc --strategy random"; do
	# shellcheck disable=SC2086
	t "a deadlock, $options" 1 "$heddle" run $options ./glib d
	has "a deadlock, $options" out '^FAILED  deadlock: T1 waits for ever to lock.*, which T2 holds; T2 waits for ever to lock.*, which T1 holds'
done
t "a race" 1 "$heddle" run --model rc11 ./glib r
has "a race" out '^FAILED  data race'

cat >assertions.c <<'EOT'
#include <glib.h>
int main(int argc, char **argv)
{
	int a = 2;

	switch (argv[1][0]) {
	case 'n': g_assert_cmpint(a, ==, 3);
	case 's': g_assert_cmpstr("one", ==, "two");
	case 't': g_assert_true(a == 3);
	case 'e': g_assert(a == 3);
	}
}
EOT
# shellcheck disable=SC2046
build -w -o assertions assertions.c $(pkg-config --cflags --libs glib-2.0)
while read -r which words; do
	t "assertion $which" 1 "$heddle" run ./assertions "$which"
	has "assertion $which" out "^FAILED  assertion failed: $words.* assertions.c:"
done <<'EOT'
n a == 3 \(2 == 3\)
s "one" == "two" \(one == two\)
t 'a == 3' should be TRUE
e a == 3
EOT
# Queues of GLib wait at a futex inside the library, which is not instrumented: its writes are no data race with that.
cat >queue.c <<'EOT'
#include <glib.h>

static gpointer produce(gpointer queue)
{
	for (int i = 1; i <= 2; i++) {
		int *message = g_malloc(sizeof *message);

		*message = i;
		g_async_queue_push(queue, message);
	}
	return NULL;
}

int main(void)
{
	GAsyncQueue *queue = g_async_queue_new();
	GThread *t = g_thread_new("producer", produce, queue);
	int sum = 0;

	for (int i = 0; i < 2; i++) {
		int *message = g_async_queue_pop(queue);

		sum += *message;
		g_free(message);
	}
	g_thread_join(t);
	g_assert_cmpint(sum, ==, LIMIT);
	g_async_queue_unref(queue);
	return 0;
}
EOT
for compiler in "" --gcc; do
	# shellcheck disable=SC2086,SC2046
	{
		build $compiler -O1 -w -DLIMIT=3 -o queue queue.c $(pkg-config --cflags --libs glib-2.0)
		build $compiler -O1 -w -DLIMIT=4 -o queue_wrong queue.c $(pkg-config --cflags --libs glib-2.0)
	}
	for model in auto sc tso; do
		"$heddle" run --model $model --executions 1000 ./queue >out 2>&1
		hasnt "GAsyncQueue $compiler $model: no finding" out '^FAILED'
		has "GAsyncQueue $compiler $model: executions" out '^heddle: .* [1-9][0-9]* executions?, .*0 failing'
		t "GAsyncQueue $compiler $model: the assertion" 1 "$heddle" run --model $model ./queue_wrong
		has "GAsyncQueue $compiler $model: the assertion, not a race" out '^FAILED  .*sum == LIMIT'
	done
done
finish
