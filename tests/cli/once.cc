// SPDX-License-Identifier: ISC
// once.cc - the function of std::call_once() throws: the next thread calls it again.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int calls, value, failures[2];

static void initialise()
{
	if (!calls++)
		throw calls;
	value = 42;
}

static void use(int self)
{
	try {
		std::call_once(once, initialise);
		assert(value == 42);
	} catch (int) {
		failures[self]++;
	}
}

int main()
{
	std::thread a(use, 0), b(use, 1);

	a.join();
	b.join();
	assert(calls == 2 && failures[0] + failures[1] == 1);
}
