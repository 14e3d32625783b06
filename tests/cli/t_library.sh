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
	t "an object of gcc, $pie" 0 "$heddle" run --model tso --strategy dfs ./mixed
	has "an object of gcc, $pie: is named" out '^note: a part of .*/mixed is not instrumented'
done
build -o mixed mixed.c other.c
t "the same, instrumented" 0 "$heddle" run --model tso --strategy dfs ./mixed
hasnt "the same, instrumented: is not named" out 'not instrumented'
finish
