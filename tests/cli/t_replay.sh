# SPDX-License-Identifier: ISC
# t_replay.sh - `heddle replay` and `heddle report`: good files, damaged files, other programs.
. "$(dirname "$0")/lib.sh"

cp "$here/sb.c" .
build -o sb sb.c
t "a failing run" 1 "$heddle" run --model tso --strategy random ./sb one
grep -A 1000 '^FAILED' out | grep -vE '^(heddle|note): ' >run.txt

t "report" 0 "$heddle" report sb.heddle
same "report says what run said" run.txt out
t "replay" 1 "$heddle" replay sb.heddle
same "replay says what run said" run.txt out
# (Addresses on the first stack depend on the environment, "$_" for one.)
mask() { sed -E 's/0x7ff[0-9a-f]+/STACK/g'; }
mask <run.txt >masked
differs=
for i in 1 2 3 4 5; do
	"$heddle" replay sb.heddle | mask | cmp -s - masked || differs+="$i "
done
if [ -z "$differs" ]; then pass "replay five times: the same"; else fail "replay five times: the same" "rounds $differs"; fi
(cd / && "$heddle" replay "$scratch/sb.heddle" >"$scratch/out" 2>&1)
has "replay from another folder" out '^FAILED  assertion'
cp sb.heddle moved.heddle
(ulimit -s unlimited && "$heddle" replay moved.heddle >out 2>&1)
has "replay with another memory layout" out '^FAILED  assertion'
setarch -R true 2>/dev/null && has "replay names the file that was given" out 'heddle replay moved\.heddle'
t "replay as JSON" 1 "$heddle" replay --json - sb.heddle
holds "replay as JSON: it is" out '.findings[0].kind == "assertion" and .executions == null'
# The block of a thread's variables is made when the first execution needs it: no event of that execution.
cat >storage.c <<'EOT'
#include <pthread.h>
static _Thread_local int own;
static void *thread(void *arg)
{
	return &own;
}
int main(void)
{
	pthread_t t;

	own = 1;
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 1;
}
EOT
build -w -o storage storage.c
for options in "--model tso --strategy random" "--model sc --strategy pct" "--model rc11"; do
	# shellcheck disable=SC2086
	t "thread-local variables, $options" 1 "$heddle" run --quiet $options ./storage
	t "thread-local variables, $options: replay" 1 "$heddle" replay storage.heddle
done
cat >alone.c <<'EOT'
#include <assert.h>
volatile int x;
int main(void)
{
	x = 1;
	assert(x == 2);
}
EOT
build -o alone alone.c
for model in rc11 tso; do
	t "a single thread, $model" 1 "$heddle" run --model $model ./alone
	t "a single thread, $model: replay" 1 "$heddle" replay alone.heddle
done

refused "missing file" "nothing\.heddle: No such file" "$heddle" replay nothing.heddle
refused "folder" "\.: not a replay file .*, but a directory" "$heddle" report .
: >empty.heddle
refused "empty file" "empty\.heddle:1:1: not a replay file" "$heddle" report empty.heddle
refused "another kind of file" "sb: a program, not a replay file" "$heddle" report sb
n=$(wc -c <sb.heddle)
for cut in 1 20 $((n / 3)) $((n / 2)) $((n - 10)) $((n - 1)); do
	head -c "$cut" sb.heddle >cut.heddle
	refused "cut off after $cut of $n bytes" "cut\.heddle:[0-9]+:[0-9]+: " "$heddle" replay cut.heddle
done
has "cut off: says so" err 'cut off here'
sed 's/value=0x1 /value=0x2 /' sb.heddle >edited.heddle
refused "edited value" "edited\.heddle:[0-9]+:1: wrong checksum: changed since heddle wrote it; make the file again" "$heddle" replay edited.heddle
sed 's/kind=store/kind=stroe/' sb.heddle >edited.heddle
refused "edited word" "edited\.heddle:[0-9]+:[0-9]+: unknown word .stroe" "$heddle" replay edited.heddle
sed '$!{/^choice/d}' sb.heddle >edited.heddle
refused "lines removed" "lines were added or removed" "$heddle" replay edited.heddle
sed '1s/version=[0-9]*/version=99/' sb.heddle >new.heddle
refused "later version" "format version 99, but this heddle reads versions up to [0-9]+" "$heddle" report new.heddle
head -c 3000 /dev/urandom >noise.heddle
refused "noise" "noise\.heddle:1:1: not a replay file" "$heddle" report noise.heddle

# A choice among more options than the program has, with a valid checksum.
awk 'NR == FNR { if (/^choice /) { at = last; last = FNR } next }
	/^end / { exit }
	FNR == at { match($0, / n=[0-9]+/); n = substr($0, RSTART + 3, RLENGTH - 3); sub(/ n=[0-9]+/, " n=" n + 1) }
	{ print }' sb.heddle sb.heddle >other.heddle
seal other.heddle
refused "another choice" "replay diverged at step [0-9]+: recorded .* now " "$heddle" replay other.heddle

# libc allocates on first use, once in a process; the failing execution was a later one.
cat >first_use.c <<'END'
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static atomic_int x;
static void *set(void *arg)
{
	x = 1;
	return arg;
}
int main(void)
{
	pthread_t thread;
	time_t day = 86400;

	setlocale(LC_ALL, "C.UTF-8");
	localtime(&day);
	strerror(9999);
	pthread_create(&thread, NULL, set, NULL);
	if (x)
		exit(7);
	pthread_join(thread, NULL);
	return 0;
}
END
build -o first_use first_use.c
for strategy in graph random; do
	t "libc's own memory, $strategy" 1 "$heddle" run --model tso --strategy $strategy ./first_use
	t "libc's own memory, $strategy: replay" 1 "$heddle" replay first_use.heddle
done

mv sb kept
refused "the program is gone" "/sb: No such file or directory: the program that failed" "$heddle" replay sb.heddle
t "report without the program" 0 "$heddle" report sb.heddle
has "report without the program: says so" out 'sb cannot be read: its functions'
has "report without the program: module and offset" out 'sb\+0x[0-9a-f]+ '
"$cc" -g -O1 -DOTHER -pthread -o sb -x c - <<-'END'
	int main(void) { return 0; }
END
refused "another program" "is not the program that failed: build-id [0-9a-f]{40}, in the replay file [0-9a-f]{40}" "$heddle" replay sb.heddle
t "report with another program" 0 "$heddle" report sb.heddle
has "report with another program: says so" out 'sb has changed since'
has "report with another program: no wrong lines" out 'sb\+0x[0-9a-f]+ '
gcc -o sb -x c - <<-'END'
	int main(void) { return 0; }
END
refused "a program that is not instrumented" "not instrumented" "$heddle" replay sb.heddle
mv kept sb
t "the program is back" 1 "$heddle" replay sb.heddle
finish

# A race, after which a thread would share more memory.
cp "$here/replay_growing.c" .
build -O1 -o growing replay_growing.c
for seed in 1 2 3; do
	t "race, seed $seed" 1 "$heddle" run --model rc11 --strategy random --seed $seed --executions 1000 ./growing
	t "race, seed $seed: replay" 1 "$heddle" replay growing.heddle
done

# A condition that is used after its destruction in some executions, before it in others, in no order. (Before its block is
# freed, in no order: that ends each execution.)
cp "$here/destroyed_early.c" .
build -O1 -o destroyed destroyed_early.c
for model in sc rc11; do
	t "destroyed condition, $model" 1 "$heddle" run --model $model --keep-going --detect=-heap ./destroyed
	has "destroyed condition, $model: complete" out ', graph, 6 executions, complete, 4 failing'
done
finish
