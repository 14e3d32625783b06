/* SPDX-License-Identifier: ISC */
// containers.cc - a map and a list that two threads change under a mutex.
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::map<int, int> ages;
static std::list<int> order;

static void put(int key)
{
	std::lock_guard<std::mutex> held(lock);
	ages[key] = key;
	order.push_back(key);
}

static void take(int key)
{
	std::lock_guard<std::mutex> held(lock);
	ages.erase(key);
	order.remove(key);
}

int main()
{
	std::thread a([] { put(1); put(2); take(1); });
	std::thread b([] { put(3); put(4); take(4); });
	int sum = 0;

	a.join();
	b.join();
	for (auto &age : ages)
		sum = 10 * sum + age.second;
	assert(sum == 23 && order.size() == 2 && order.front() + order.back() == 5);
	order.reverse();
	order.sort();
	assert(order.front() == 2);
	return 0;
}
