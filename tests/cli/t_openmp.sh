# SPDX-License-Identifier: ISC
#
# OpenMP: the library's threads wait inside the library, unseen, so they are refused; a region of one thread is
# explored. shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >omp.c <<'END'
#include <assert.h>
int main(int argc, char **argv)
{
	int n = 0;

#pragma omp parallel for num_threads(argc)
	for (int i = 0; i < 2; i++)
		n++;
	assert(n == 2);
	return 0;
}
END

some=
for compiler in --gcc ''; do
	"$cc" $compiler -g -O1 -fopenmp -o omp omp.c >build.log 2>&1 || continue # this compiler has no OpenMP
	some=1
	for strategy in graph random; do
		refused "threads of OpenMP $compiler, $strategy" 'OpenMP: the threads of lib[a-z0-9.]*omp' \
			"$heddle" run --model tso --strategy $strategy --time 20 ./omp 2
	done
	t "one thread of OpenMP $compiler" 0 "$heddle" run --model tso --time 20 ./omp
done
[ -n "$some" ] || pass "OpenMP # SKIP no compiler has it"
finish
