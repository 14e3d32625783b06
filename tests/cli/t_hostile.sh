# SPDX-License-Identifier: ISC
# t_hostile.sh - replay files from untrusted sources: no other file is written, nothing is evaluated, terminals and
# documents are safe. The readers themselves are fuzzed: tests/fuzz.
. "$(dirname "$0")/lib.sh"

mkdir home work
cd work || exit 2
cp "$here/sb.c" .
build -o sb sb.c
t "a failing run" 1 "$heddle" run --model tso ./sb

# change FILE SED: sb.heddle, its lines changed, with the right checksum
change() {
	sed -e '$d' sb.heddle | sed -e "$2" >"$1"
	seal "$1"
}

# --- options ---
victim=$scratch/home/victim
for option in "sites $victim" "checkpoint $victim" "replay-name ../../../$victim" "replay-dir $scratch/home" \
	"resume $victim"; do
	change evil.heddle "2a option name=${option% *} value=${option#* }"
	t "option ${option% *} of a replay file" 1 "$heddle" replay evil.heddle
done
for name in replay_name si_tes no-such; do
	change evil.heddle "2a option name=$name value=$victim"
	refused "option $name of a replay file" "evil.heddle: no option .$name'" "$heddle" replay evil.heddle
done
if [ -z "$(ls "$scratch/home")" ]; then pass "no file is written"; else fail "no file is written" "$(ls "$scratch/home")"; fi

# --- output ---
change evil.heddle '
s/thread id=1 /thread id=1 name=%1B]0;x%07%0Aheddle:%C2%9B1m<%22\&> /
s/place id=1 /place id=1 name=%1B[31m%22];%0A<script> /
s/message=/message=%1B[2J%FF<b>%22/
3a output fd=1 text=%1B[5m%0A%9B'
for how in "report --all --stacks" "report --columns --width 200" "report --annotate always" graph; do
	# shellcheck disable=SC2086
	t "$how: odd names" 0 "$heddle" $how evil.heddle
	if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out; then
		fail "$how: no control characters" "$(cat -v out)"
	else
		pass "$how: no control characters"
	fi
	hasnt "$how: no lines but ours" out '^(heddle:|<script>)'
done
t "an SVG of it" 0 "$heddle" graph -o evil.svg evil.heddle
hasnt "no elements but ours" evil.svg '<(script|b)>'
t "a JUnit file, SARIF, JSON" 0 "$heddle" report --junit evil.xml --sarif evil.sarif --json evil.json evil.heddle
t "a page" 0 "$heddle" report --html evil.html evil.heddle
xml "no elements but ours in the page" evil.html 'not(//b) and count(//script) = 2'
t "they are XML" 0 xmllint --noout evil.svg evil.xml
t "they are JSON" 0 jq -e . evil.sarif evil.json

# --- paths that are no files ---
mkfifo pipe
change evil.heddle "/^module id=0/s| path=.*| path=$PWD/pipe|"
t "a module that is a pipe" 0 timeout 10 "$heddle" report evil.heddle
change evil.heddle "/^module/s| path=.*| path=/dev/zero|"
t "modules that never end" 0 timeout 10 "$heddle" report evil.heddle
change evil.heddle "3a block id=4294967295 thread=0 nth=4294967295 size=18446744073709551615"
t "huge numbers" 0 bash -c 'ulimit -v 1000000; exec "$@"' - "$heddle" report evil.heddle

# --- names and shells ---
t "arguments for a shell" 1 "$heddle" run --model tso ./sb "\$(touch $victim)" "\`touch $victim\`;x"
t "arguments for a shell: replay" 1 "$heddle" replay sb.heddle
odd=$scratch/'`touch evil`|touch evil2;$(touch evil3)'
mkdir "$odd"
cp sb "$odd/"
t "a program in an odd place" 1 "$heddle" run --model tso "$odd/sb"
t "its replay" 1 "$heddle" replay sb.heddle
if gdb -batch -ex run --args true >probe 2>&1 && grep -q 'exited normally' probe; then
	printf 'bt\nkill\n' | timeout 60 env SHELL=/bin/false "$heddle" replay --gdb sb.heddle >out 2>&1
	has "gdb: it stops in the program" out '^#[0-9]+ .* main \('
	t "a failing run with arguments" 1 "$heddle" run --model tso "$odd/sb" 'two words'
	refused "gdb: no shell for such a name" "gdb passes the arguments of .*sb through a shell, which cannot quote that name" \
		"$heddle" replay --gdb sb.heddle
fi
left=$(ls "$scratch/home"; ls -d evil evil2 evil3 "$odd"/evil* 2>/dev/null)
if [ -z "$left" ]; then pass "nothing was evaluated"; else fail "nothing was evaluated" "$left"; fi

# --- files that are written, according to strace ---
if ! strace -f -o probe true 2>/dev/null; then
	echo "ok - what is written # skip: no strace, or it may not trace"
	finish
	exit
fi
t "a failing run" 1 "$heddle" run --model tso ./sb
calls=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,truncate,chmod
# written TITLE CODE COMMAND...: it creates, changes or removes files only here or in the folder of temporary files
written() {
	local title=$1 code=$2
	shift 2
	t "$title, traced" "$code" strace -f -qq -y -s 500 -e "trace=$calls" -o trace "$@"
	# a relative path stays one if it does not climb
	awk -v here="$PWD/" -v tmp="$TMPDIR/" '
		/ENOENT|EEXIST|ENOTDIR|resumed>|exited with|O_RDONLY|--- SIG/ { next }
		/O_WRONLY|O_RDWR|O_CREAT|mkdir|rename|link|truncate|chmod|creat/ {
			n = split($0, part, "\"")
			for (i = 2; i <= n; i += 2) {
				path = part[i]
				if (path == "/dev/null" || path ~ /^\/dev\/(shm\/)?$/) continue
				if (path ~ /^\//) good = index(path, here) == 1 || index(path "/", tmp) == 1
				else good = path !~ /(^|\/)\.\.(\/|$)/
				if (!good) print
			}
		}' trace >outside
	if [ -s outside ]; then fail "$title: writes here only" "$(cat outside)"; else pass "$title: writes here only"; fi
}
written "run" 1 "$heddle" run --model tso --junit a.xml --checkpoint cp ./sb
written "report" 0 "$heddle" report --json a.json sb.heddle
written "replay" 1 "$heddle" replay sb.heddle
written "graph" 0 "$heddle" graph -o a.svg sb.heddle
written "compare" 1 "$heddle" compare --to tso ./sb
written "fences" 0 "$heddle" fences --model tso --patch a.diff ./sb
written "relax" 0 "$heddle" relax --model sc --patch b.diff ./sb
finish
