# SPDX-License-Identifier: ISC
# t_leak.sh - leaks: the same tests leak in every model and strategy.
. "$(dirname "$0")/lib.sh"

build -o leak "$here/leak.c"
export HEDDLE_TOOL=$heddle

for how in "rc11 graph" "ra graph" "tso graph" "sc graph" "tso dfs" "pso random" "rc11 random"; do
	t "$how" 0 ./leak $how
	hasnt "$how" out "^WRONG"
	[ "$(grep -c '^right' out)" = 11 ] && pass "$how: all" || fail "$how: all" "$(cat out)"
	for name in forgotten overwritten block_in_block; do
		t "$how: replay" 1 "$heddle" replay "leak.${name}_.heddle"
		has "$how: replay: $name" out "^FAILED  leak: nothing points to [a-z]+#[0-9]+ .[0-9]+ bytes. any more"
	done
done
line=$(grep -n 'malloc(16), __ATOMIC_RELEASE' "$here/leak.c" | cut -d: -f1)
for model in rc11 tso; do
	t "report: $model" 0 ./leak $model graph 'overwritten!'
	has "report: $model: where it comes from" err "^FAILED  leak: nothing points to [a-z]+#1 .16 bytes. any more, .*leak.c:$line( |\$)"
	has "report: $model: who made it" err "block of 16 bytes allocated at leak.c:$line by T[12]"
done
t "several blocks" 0 ./leak tso graph
has "several blocks" out "a block of 16 bytes any more, nor to 1 other: 116 bytes in all"

# A whole program: only with the option.
cat >whole.c <<'EOT'
#include <stdlib.h>
char *volatile p;
int main(void)
{
	p = malloc(5);
	p = NULL;
	return 0;
}
EOT
build -o whole whole.c
t "a whole program: not asked" 0 "$heddle" run ./whole
t "a whole program" 1 "$heddle" run --detect=+leak ./whole
has "a whole program" out "^FAILED  leak: nothing points to [a-z]+#1 .5 bytes. any more, whole.c:5"
finish
