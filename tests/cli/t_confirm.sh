# SPDX-License-Identifier: ISC
# t_confirm.sh - findings are confirmed before they are reported: exit code 70 if the program does not repeat one, 2 if
# it is nondeterministic.
. "$(dirname "$0")/lib.sh"

gcc -O1 -DTICKET -c -o ticket.o "$here/confirm.c" && gcc -O1 -DTICKET -fPIC -shared -o libticket.so "$here/confirm.c" ||
	fail "ticket()" ""
build -O1 -o confirm "$here/confirm.c" ticket.o
build -O1 -o shared "$here/confirm.c" -L. -lticket -Wl,-rpath,"$scratch"

# denied TITLE WORDS OPTIONS... -- ARGUMENTS...: no finding, one line, a file, exit code 70.
denied() {
	local title=$1 words=$2
	shift 2
	rm -f ./*.unconfirmed ./*.heddle
	t "$title" 70 "$heddle" run "$@"
	hasnt "$title: no finding" out FAILED
	has "$title: one line" out "^heddle: bug in heddle, please report it with .*/confirm.unconfirmed: .*$words"
	has "$title: the last line" out '^heddle: .* not complete: a finding was not confirmed.*, 0 failing'
	has "$title: the build-id" confirm.unconfirmed '^module .*/confirm 0x[0-9a-f]* build-id [0-9a-f]{8}'
	has "$title: the options" confirm.unconfirmed "^options --model="
	has "$title: the graph" confirm.unconfirmed '^[0-9]+: T2 an atomic store 0x[0-9a-f]*/4 .* rf [0-9]+ '
	[ -z "$(ls ./*.heddle 2>/dev/null)" ] || fail "$title: no replay file" "$(ls)"
}

race="not confirmed: data race.*; T[12]'s operation was a store of 4 bytes .* at confirm\.c:[0-9]+, with .*of another object$"
denied "a race" "$race" --model rc11 ./confirm r
denied "a race, --jobs" "$race" --model tso --jobs 2 ./confirm r
denied "a race, samples" "$race" --model ra --strategy random --executions 3000 --seed 3 ./confirm r
denied "a race, --keep-going" "$race" --model pso --keep-going ./confirm r
denied "a deadlock" "not confirmed: deadlock.*; T[12]'s operation was an operation on .*, with the same values it is its end$" --model rc11 ./confirm d
denied "another step" "T[12]'s operation was an atomic store .* at confirm\.c:[0-9]+, .* at confirm\.c:[0-9]+, of another object$" --model sc ./confirm o
denied "another step, rf" "T[12]'s operation was an atomic store .* at confirm\.c:[0-9]+, .* at confirm\.c:[0-9]+, of another object$" --model sc --strategy rf ./confirm o

# Under models with store buffers a failing graph also fails on store buffers.
t "a deadlock, store buffers" 70 "$heddle" run --model tso ./confirm d
has "a deadlock, store buffers" out 'not confirmed: deadlock.*; on store buffers it ends$'
hasnt "a deadlock, store buffers" out FAILED

# Confirmed findings are reported as usual.
t "another finding" 1 "$heddle" run --model rc11 --keep-going --races ignore ./confirm rx
has "another finding" out '^FAILED  assertion'
t "another finding beside" 1 "$heddle" run --model rc11 --keep-going ./confirm rx
has "another finding beside" out '^FAILED  assertion'
has "another finding beside" out 'not confirmed: data race'

t "as a document" 70 "$heddle" run --model rc11 --json - ./confirm r
has "as a document" out '"unconfirmed": "bug in heddle'
has "as a document" out '"exit_code": 70'
t "heddle_check()" 70 ./confirm r check
has "heddle_check()" err 'heddle: bug in heddle, please report it with .*/.*unconfirmed: not confirmed: data race'

if [ -e /usr/include/CUnit/Basic.h ]; then
	build -O1 -DSUITE -o suite "$here/confirm.c" ticket.o -lcunit
	t "--suite" 70 "$heddle" run --suite --model tso --detect=-leak ./suite
	has "--suite" out 'race .*not complete; bug in heddle, please report it with .*not confirmed: data race'
	has "--suite" out 'clean .* complete'
	has "--suite" out '^heddle: 2 tests, 1 ok, 0 failed, 1 not confirmed'
fi

# State in a library that is not instrumented: graphs cannot represent this program.
t "a library, sc" 0 "$heddle" run --model sc ./shared r
has "a library, sc" out 'note: strategy mixed, not graph: threads behave differently with another order of their calls of .*/libticket.so, '
refused "a library, rc11" 'cannot be explored under rc11: threads behave differently with another order of their calls of .*/libticket.so, ' \
	"$heddle" run --model rc11 ./shared d

if [ "$(uname -m)" = x86_64 ]; then
	build -O1 -DCLOCK -o clock "$here/confirm.c" ticket.o
	for model in tso rc11; do
		refused "a clock, $model" "heddle: the program is not deterministic: T2's operation was .* at confirm\.c:[0-9]+, with the same values it is .* at confirm\.c:[0-9]+$" \
			"$heddle" run --model $model ./clock c
	done
fi
finish
