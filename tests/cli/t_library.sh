# SPDX-License-Identifier: ISC
# t_library.sh - the state of a shared library is in every execution as it was before the first.
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
finish
