# SPDX-License-Identifier: ISC
# t_library.sh - the state of a shared library is restored for every execution.
. "$(dirname "$0")/lib.sh"

for how in "$cc" gcc; do
	name=$(basename "$how")
	"$how" -g -O1 -fPIC -shared -o liblibrary.so "$here/library.c" 2>build.log ||
		fail "library by $name" "$(cat build.log)"
	build -DPROGRAM -o program "$here/library.c" -L. -llibrary -Wl,-rpath,"$scratch"
	t "library by $name, native" 0 ./program
	t "library by $name, random" 3 "$heddle" run --strategy random --executions 3000 ./program
	hasnt "library by $name, random" out FAILED
done

# C++: the state of libstdc++, exceptions in two threads, thread_local objects.
cat >state.cc <<'END'
#include <cassert>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::map<int, std::string> names{{1, "one"}};
static thread_local std::vector<int> own{1, 2};

static void work(int n, int *result)
{
	assert(own.size() == 2);
	own.push_back(n);
	try {
		throw std::runtime_error(std::string(100, 'x'));
	} catch (std::exception &e) {
		*result = n + (int)std::string(e.what()).size() + (int)own.size();
	}
}

int main()
{
	int a = 0, b = 0;

	assert(names.size() == 1 && own.size() == 2);
	names[2] = "a long name that does not fit into the object itself";
	own.push_back(9);
	std::thread t(work, 1, &a), u(work, 2, &b);
	t.join();
	u.join();
	std::ostringstream s;
	s << a << ' ' << b << std::hex << ' ' << 255;
	assert(s.str() == "104 105 ff");
	std::cout << s.str() << std::hex << ' ' << 16 << std::endl;
	return 0;
}
END
"$B/bin/heddle-c++" -g -O1 -pthread -o state state.cc 2>build.log || fail "C++" "$(cat build.log)"
t "C++, native" 0 ./state
t "C++, random" 3 "$heddle" run --strategy random --executions 2000 ./state
hasnt "C++, random" out FAILED
hasnt "C++: libgcc's state is restored, too" out 'not deterministic'
# An object that another compiler made, in the program itself: it writes to memory directly, so its caller's store
# buffer must be drained before.
cat >other.c <<'END'
#include <stdlib.h>
extern int g;
void put(int v) { g = v; }
int get(void) { return g; }
void *block(void)
{
	void *p = NULL;

	return posix_memalign(&p, 64, 64) ? NULL : p;
}
END
cat >mixed.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int g, get(void);
void put(int), *block(void);
static atomic_int x;
static void *work(void *unused)
{
	assert(block());
	g = 5;
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	put(6);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	if (x == 1)
		assert(get() >= 5);
	pthread_join(t, 0);
	assert(get() == 6);
	return 0;
}
END
gcc -O1 -c other.c
for pie in -pie -no-pie; do
	build $pie -o mixed mixed.c other.o
	t "an object of gcc, $pie" 0 "$heddle" run --model sc --strategy dfs ./mixed
	has "an object of gcc, $pie: is named" out '^note: a part of .*/mixed is not instrumented'
done
build -o mixed mixed.c other.c
t "the same, instrumented" 0 "$heddle" run --model tso --strategy dfs ./mixed
hasnt "the same, instrumented: is not named" out 'not instrumented'
finish

# A library that is not instrumented, and has state: calls by threads are steps, so that graphs know the orders of
# calls. By its own variable, and by memory of its caller; 4! / (2! 2!) orders of the sections.
cat >counter.c <<'END2'
struct counter {
	int n;
};

static int own;

int next(struct counter *c)
{
	return c ? ++c->n : ++own;
}
END2
gcc -O1 -fPIC -shared -o libcounter.so counter.c
cat >tickets.c <<'END2'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

struct counter;
int next(struct counter *c);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct counter *counter;
static int ticket[2][2];

static void *work(void *arg)
{
	int *mine = arg;

	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&mutex);
		mine[i] = next(counter);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	if (argc > 1)
		counter = calloc(1, 64);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, ticket[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	heddle_observe("a", ticket[0][0] * 10 + ticket[0][1]);
	heddle_observe("b", ticket[1][0] * 10 + ticket[1][1]);
	free(counter);
	return 0;
}
END2
build -o tickets tickets.c -L. -lcounter -Wl,-rpath,"$scratch"
for argument in "" heap; do
	for model in tso rc11; do
		# shellcheck disable=SC2086
		t "calls are steps, $model $argument" 0 "$heddle" run --model $model ./tickets $argument
		has "calls are steps, $model $argument: complete" out '6 executions, complete, 0 failing'
		for tickets in '12 +34' '13 +24' '14 +23' '23 +14' '24 +13' '34 +12'; do
			has "calls are steps, $model $argument: $tickets" out "^ +$tickets +1 "
		done
	done
done

# It links the program's own blocks, which the program reads without a call.
cat >list.c <<'END2'
struct list {
	struct list *next;
	int value;
};

void push(struct list **head, struct list *e)
{
	e->next = *head;
	*head = e;
}
END2
gcc -O1 -fPIC -shared -o liblist.so list.c
cat >stack.c <<'END2'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct list {
	struct list *next;
	int value;
};
void push(struct list **head, struct list *e);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct list *head;

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		struct list *e = malloc(sizeof *e);
		int sum = 0;

		pthread_mutex_lock(&mutex);
		*e = (struct list){0, arg ? 10 : 1};
		push(&head, e);
		assert(head == e);
		for (const struct list *l = head; l; l = l->next)
			sum += l->value;
		assert(sum <= 22 && sum % 10 < 3);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int n = 0;

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (const struct list *l = head; l; l = l->next)
		n++;
	assert(n == 4);
	return 0;
}
END2
for level in -O0 -O2; do
	build $level -o stack stack.c -L. -llist -Wl,-rpath,"$scratch"
	for model in tso rc11; do
		t "a list, $model $level" 0 "$heddle" run --model $model ./stack
		has "a list, $model $level: each order once" out ' 6 executions, complete, 0 failing'
	done
done

# Debian's: structures that the library writes and macros read, under a lock.
cat >hash.c <<'END2'
#include <assert.h>
#include <glib.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static GHashTable *table;
static GQueue *queue;

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		GHashTableIter iter;
		gpointer key, value;
		unsigned n = 0;

		pthread_mutex_lock(&mutex);
		g_hash_table_insert(table, g_strdup_printf("%p %d", arg, i), g_memdup2(&i, sizeof i));
		g_queue_push_tail(queue, arg);
		g_hash_table_iter_init(&iter, table);
		while (g_hash_table_iter_next(&iter, &key, &value)) {
			assert(*(int *)value < 2 && *(char *)key);
			n++;
		}
		for (GList *l = queue->head; l; l = l->next)
			n--;
		assert(!n);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	queue = g_queue_new();
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(queue->length == 4 && g_hash_table_size(table) == 4);
	g_queue_free(queue);
	g_hash_table_destroy(table);
	return 0;
}
END2
if pkg-config --exists glib-2.0; then
	# shellcheck disable=SC2046
	build -w -o hash hash.c $(pkg-config --cflags --libs glib-2.0)
	for model in tso rc11; do
		t "GLib, $model" 0 "$heddle" run --model $model ./hash
		has "GLib, $model: each order once" out ' 6 executions, complete, 0 failing'
	done
else
	pass "GLib # SKIP no libglib2.0-dev"
fi
finish
