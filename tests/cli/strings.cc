/* SPDX-License-Identifier: ISC */
// strings.cc - strings that two threads change under a mutex; what they do depends on the contents.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::string a, b, text;

static void add(const char *words)
{
	std::lock_guard<std::mutex> held(lock);

	text += words;
	if (text.find("ba") != text.npos)
		text.insert(0, "Z");
	if (text.size() > 15)
		text.erase(1, 3);
	a.swap(b);
	a = b + "q";
}

static void replace(char letter)
{
	std::lock_guard<std::mutex> held(lock);

	text += letter;
	b.assign(a.size() + 3, letter);
	std::swap(a, b);
	a.replace(0, 1, "rr");
	a.reserve(40);
}

int main()
{
	std::thread first([] { add("a"); add("a longer string than that"); });
	std::thread second([] { replace('b'); replace('c'); });

	first.join();
	second.join();
	assert(std::string(a.c_str()) == a && b == b.c_str() && text == text.c_str());
	assert(text.size() > 20);
	return 0;
}
