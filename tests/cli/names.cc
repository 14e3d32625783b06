/* SPDX-License-Identifier: ISC */
/* names.cc - objects of C++: members without the library's internals. */
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <thread>

struct Queue {
	std::mutex head, tail;
	std::atomic<int> n{1};
	long pushes = 0;

	void push()
	{
		std::lock_guard<std::mutex> a(head);
		tail.lock();
		n = 2;
		tail.unlock();
	}
};

#ifdef SHARED /* a block of the library, with the object in it */
static void *count(void *queue)
{
	static_cast<Queue *>(queue)->pushes++;
	return nullptr;
}

int main()
{
	auto queue = std::make_shared<Queue>();
	std::thread t([queue] { queue->pushes++; });
	pthread_t u;

	pthread_create(&u, nullptr, count, queue.get());
	t.join();
	pthread_join(u, nullptr);
	return 0;
}
#else
int main()
{
	auto *queue = new Queue;
	std::thread t([queue] { queue->push(); });

	t.join();
	assert(queue->n == 1);
	return 0;
}
#endif
