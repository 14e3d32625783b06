// SPDX-License-Identifier: ISC
// A static variable of a function, which the first of two threads initialises. WRONG: its counter is not atomic.
#include <cassert>
#include <string>
#include <thread>

struct registry {
	std::string name = "abc";
	int uses = 0;

	static registry &get()
	{
		static registry r;
		return r;
	}
};

static void use()
{
	assert(registry::get().name[0] == 'a');
#ifdef WRONG
	registry::get().uses++;
#endif
}

int main()
{
	std::thread t(use);

	use();
	t.join();
}
