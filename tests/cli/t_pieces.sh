# SPDX-License-Identifier: ISC
# t_pieces.sh - an exploration by several processes, and in pieces: --jobs, --checkpoint, --resume.
. "$(dirname "$0")/lib.sh"

time=60
[ -z "${TINY:-}" ] || time=290 # such a build is slow
graph=("$heddle" run --strategy graph --model rc11 --races ignore --time "$time")
build -O1 -DN=8 -o eight "$here/pieces.c"
build -O1 -DN=9 -o nine "$here/pieces.c"

# --- several processes

t "-j 2" 0 "${graph[@]}" -j 2 ./nine
has "-j 2: as many executions" out ' 362880 executions, complete'
t "-j 2 of what is soon over" 0 "${graph[@]}" -j 2 ./eight
has "-j 2 of what is soon over: as many executions" out ' 40320 executions, complete'
t "-j 0" 2 "${graph[@]}" -j 0 ./nine
one_line "-j 0" 'wrong value `0. for jobs: wanted'
t "-j 2 without graphs" 2 "$heddle" run --strategy dfs -j 2 ./nine
one_line "-j 2 without graphs" 'need --strategy graph'

t "-j 2: a finding" 1 "${graph[@]}" -j 2 ./eight fail
has "-j 2: a finding: says so" out '^FAILED  .*assert'
t "-j 2: all findings" 1 "${graph[@]}" -j 2 --keep-going ./eight fail
has "-j 2: all findings: as many executions" out ' 40320 executions, complete.* 5040 failing'
t "-j 2: its replay file" 1 "$heddle" replay eight.heddle

# timeout's child is heddle, its child the program, and the program's children are the workers.
kill_worker() { # process id of timeout
	local p=$1

	p=$(pgrep -P "$p") && p=$(pgrep -P "$p" -x nine) && p=$(pgrep -P "$p" -n) && kill -9 "$p"
}

# kill_workers N COMMAND...: run it, and kill up to N workers, now and then.
kill_workers() {
	local n=$1 killed=0
	shift
	timeout "$time" "$@" >out 2>err </dev/null &
	while [ "$killed" -lt "$n" ] && kill -0 $! 2>/dev/null; do
		kill_worker $! && killed=$((killed + 1))
		sleep 0.02
	done
	wait $!
	code=$?
	if [ "$killed" -gt 0 ]; then pass "workers killed"; else fail "workers killed" "none"; fi
}

kill_workers 3 "${graph[@]}" -j 2 ./nine
if [ "$code" = 0 ]; then pass "killed workers: exit code"; else fail "killed workers: exit code" "$code $(cat err)"; fi
has "killed workers: as many executions" out ' 362880 executions, complete'

# --- in pieces

t "stopped" 3 "${graph[@]}" --executions 30000 --checkpoint left ./nine
has "stopped: says so" out 'not complete: stopped after 30000 executions'
t "resumed, stopped" 3 "${graph[@]}" --resume left --executions 50000 --checkpoint left2 ./nine
has "resumed, stopped: counts all" out ' 8[0-9]{4} executions, not complete'
t "resumed by two, stopped" 3 "${graph[@]}" -j 2 --resume left2 --executions 150000 --checkpoint left3 ./nine
t "resumed" 0 "${graph[@]}" --resume left3 ./nine
has "resumed: as many executions" out ' 362880 executions, complete'
t "resumed by two" 0 "${graph[@]}" -j 2 --resume left3 ./nine
has "resumed by two: as many executions" out ' 362880 executions, complete'

for _ in {1..5}; do # until it is not over before
	"${graph[@]}" -j 2 --checkpoint left4 ./nine >out 2>err </dev/null &
	under_way $! nine
	kill -INT $!
	wait $!
	[ ! -e left4 ] || break
done
has "Ctrl-C: what was done" out ' [1-9][0-9]* executions, not complete: interrupted'
t "resumed after Ctrl-C" 0 "${graph[@]}" --resume left4 ./nine
has "resumed after Ctrl-C: as many executions" out ' 362880 executions, complete'

# --- files that do not fit

t "another program" 2 "${graph[@]}" --resume left ./eight
one_line "another program" 'left: a checkpoint of another program, or it has been rebuilt$'
t "other arguments" 2 "${graph[@]}" --resume left ./nine fail
one_line "other arguments" 'left: a checkpoint of a run with other arguments$'
t "other options" 2 "${graph[@]}" --weak-cas 1 --resume left ./nine
one_line "other options" 'left: a checkpoint of a run with other options$'
t "another model" 2 "$heddle" run --strategy graph --model sc --races ignore --resume left ./nine
one_line "another model" 'left: .*model$'
t "no file" 2 "${graph[@]}" --resume nothing ./nine
one_line "no file" 'nothing: No such file'
head -c 20000 left >part
t "a part of a file" 2 "${graph[@]}" --resume part ./nine
one_line "a part of a file" 'part: a damaged checkpoint$'
cp left changed
printf x | dd of=changed bs=1 seek=9000 conv=notrunc 2>/dev/null
t "a changed file" 2 "${graph[@]}" --resume changed ./nine
one_line "a changed file" 'changed: a damaged checkpoint$'
echo nonsense >nonsense
# Whatever somebody has put there: it is read, or refused in one line; not a bug of ours, not for ever.
t "a small one" 3 "${graph[@]}" --executions 2000 --checkpoint small ./eight
for seed in {1..8}; do
	python3 "$here/forge.py" small forged "$seed"
	timeout 60 "${graph[@]}" --time 5 --resume forged ./eight >out 2>err </dev/null
	code=$?
	if [[ $code =~ ^[03]$ ]] || { [ $code = 2 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ]; }; then
		pass "a forged file, $seed"
	else
		fail "a forged file, $seed" "exit code $code
$(cat out err)"
	fi
done
t "another file" 2 "${graph[@]}" --resume nonsense ./nine
one_line "another file" 'nonsense: not a checkpoint of heddle$'
refused "a folder that is not there" "no/left: cannot be written: No such file" \
	"${graph[@]}" --checkpoint no/left ./nine

# --- what no file keeps

for program in lin_ring outcomes; do
	compile $program examples/$program.c
	t "$program" 3 "$heddle" run --model sc --keep-going --executions 2 --checkpoint kept ./$program
	has "$program: no checkpoint" out '^note: no checkpoint: it cannot keep (operations|outcomes) \('
	[ -e kept ] && fail "$program: no file" "" || pass "$program: no file"
done

# --- by reads-from

build -O1 -DLOST -DN=4 -o lost4 "$here/pieces.c"
build -O1 -DLOST -DN=6 -o lost6 "$here/pieces.c"
build -O1 -DLOST -DN=7 -o lost7 "$here/pieces.c" # so long that two workers are not done before they can be told to stop
rf=("${graph[@]}" --equivalence rf)
t "rf+co" 0 "${graph[@]}" --equivalence rf+co --json run.json ./lost4
has "rf+co: all orders of stores" out ' 576 executions, complete'
has "rf+co: in JSON" run.json '"equivalence": "rf\+co"'
t "rf" 0 "${rf[@]}" --json run.json ./lost4
has "rf: fewer" out ' 125 executions \(reads-from classes\), complete'
has "rf: in JSON" run.json '"equivalence": "rf"'
t "rf, -j 2" 0 "${rf[@]}" -j 2 ./lost6
has "rf, -j 2: as many executions" out ' 16807 executions .*, complete'
t "rf, stopped" 3 "${rf[@]}" --executions 3000 --checkpoint byrf ./lost7
t "rf, resumed by two, stopped" 3 "${rf[@]}" -j 2 --resume byrf --executions 9000 --checkpoint byrf2 ./lost7
t "rf, resumed" 0 "${rf[@]}" --resume byrf2 ./lost7
has "rf, resumed: as many executions" out ' 262144 executions .*, complete'
t "rf, resumed as rf+co" 2 "${graph[@]}" --resume byrf2 ./lost7
one_line "rf, resumed as rf+co" 'a checkpoint of a run with other options'
build -o overwrites -DREDUNDANT_CO -DN=5 "$here/../counts/rf_writes.c"
for jobs in 1 2; do
	t "auto, -j$jobs" 0 "$heddle" run --model tso --equivalence auto -j $jobs --json run.json ./overwrites
	[ "$(jq -c '[.equivalence, .executions, .complete]' run.json)" = '["rf",91,true]' ] &&
		pass "auto, -j$jobs: many orders of stores that nobody sees" ||
		fail "auto, -j$jobs: many orders of stores that nobody sees" "$(cat out)"
done
t "auto, few" 0 "${graph[@]}" --strategy auto --json run.json ./lost4
[ "$(jq -r .equivalence run.json)" = rf+co ] && pass "auto, few: all of rf+co" || fail "auto, few: all of rf+co" "$(cat out)"
refused "auto, checkpoint" "--checkpoint and --resume need --equivalence rf or rf\+co, not auto" \
	"${graph[@]}" --equivalence auto --checkpoint left ./lost4
t "rf without graphs" 2 "$heddle" run --strategy dfs --equivalence rf ./lost4
one_line "rf without graphs" '--equivalence needs --strategy graph'
t "rf, misspelt" 2 "${graph[@]}" --equivalence co ./lost4
one_line "rf, misspelt" 'wrong value .co. for equivalence: wanted rf\+co, rf or auto'
finish
