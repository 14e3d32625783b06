/* SPDX-License-Identifier: ISC */
/* names.cc - objects of C++: members without the library's internals. */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Queue {
	std::mutex head, tail;
	std::atomic<int> n{1};

	void push()
	{
		std::lock_guard<std::mutex> a(head);
		tail.lock();
		n = 2;
		tail.unlock();
	}
};

int main()
{
	auto *queue = new Queue;
	std::thread t([queue] { queue->push(); });

	t.join();
	assert(queue->n == 1);
	return 0;
}
