# SPDX-License-Identifier: ISC
# t_frameworks.sh - the same suite in CUnit, Check, cmocka, Unity, and without any: explored when the framework runs it;
# without effect with a plain compiler.
. "$(dirname "$0")/lib.sh"

folder=$here/../frameworks
export HEDDLE_TOOL=$heddle

libraries() {
	case $1 in
	cunit) echo -lcunit ;;
	check) echo "-lcheck -lsubunit -lrt -lm" ;;
	cmocka) echo -lcmocka ;;
	unity) echo "-I$UNITY $UNITY/unity.c" ;; # from source, as its users do
	own) ;;
	esac
}

# both FRAMEWORK: builds it with heddle-cc and with gcc, to FRAMEWORK and plain-FRAMEWORK.
both() {
	# shellcheck disable=SC2046
	build -Wall -Wextra -Wno-unused-parameter -Wno-unused-function -o "$1" "$folder/$1.c" $(libraries "$1")
	# shellcheck disable=SC2046
	gcc -Wall -Wextra -Wno-unused-parameter -Wno-unused-function -pthread -I"$B/include" -o "plain-$1" \
		"$folder/$1.c" $(libraries "$1") 2>err || fail "$1 with gcc" "$(cat err)"
	t "$1 with gcc: all pass" 0 "./plain-$1"
}

line_of() { grep -n "$2" "$folder/$1" | head -1 | cut -d: -f1; }

both cunit
t "CUnit" 2 ./cunit x
cat out err >all
has "CUnit: the failure's line" all "frameworks/cunit.c:$(line_of cunit.c @here)  - assertion: assertion .r0 .. r1. failed; heddle replay ./cunit.suite.store_buffering.heddle"
has "CUnit: one that always fails" all "frameworks/cunit.c:$(line_of cunit.c 'FAILS;')  - assertion: "
has "CUnit: the others pass" all "tests +5 +5 +3 +2 +0"
has "CUnit: a report" err "^FAILED  assertion"
t "CUnit: replay" 1 "$heddle" replay cunit.suite.store_buffering.heddle
t "CUnit: run --suite" 1 "$heddle" run --suite ./cunit x
has "CUnit: run --suite" out "^heddle: 5 tests, 2 ok, 3 failed"
# (It explores the test with its own options, so also the one that says model=sc.)
rm cunit.*.heddle
t "CUnit without the tool" 2 env -u HEDDLE_TOOL PATH=/nonexistent ./cunit x
cat out err >all
has "CUnit without the tool: the failure's line" all "frameworks/cunit.c:$(line_of cunit.c @here)  - assertion: assertion .r0 .. r1. failed; heddle replay ./cunit.suite.store_buffering.heddle"
has "CUnit without the tool: the others pass" all "tests +5 +5 +3 +2 +0"
has "CUnit without the tool: the finding" err '^heddle: FAILED assertion: assertion .r0 .. r1. failed$'
has "CUnit without the tool: what to do" err 'to print the execution: heddle report ./cunit.suite.store_buffering.heddle$'
t "CUnit without the tool: replay" 1 "$heddle" replay cunit.suite.store_buffering.heddle
echo 'assertion file=*' >heddle.supp
t "CUnit without the tool, rules" 2 env -u HEDDLE_TOOL PATH=/nonexistent ./cunit x
has "CUnit without the tool, rules: said" err '^heddle: .*/heddle.supp is ignored: no .heddle. in the PATH'
has "CUnit without the tool, rules: the finding" err '^heddle: FAILED assertion: assertion .r0 .. r1. failed$'
rm heddle.supp

both check
t "Check" 2 ./check x
has "Check: the failure's line" out "frameworks/check.c:$(line_of check.c @here):F:case:store_buffering:0: Assertion 'r0 .. r1' failed; heddle replay ./check.store_buffering.heddle"
has "Check: a message" out "frameworks/check.c:$(line_of check.c 'x is %d'):F:case:fails:0: x is 0;"
has "Check: the others pass" out "Checks: 7, Failures: 2, Errors: 0"
t "Check: replay" 1 "$heddle" replay check.store_buffering.heddle
CK_FORK=no t "Check: without fork" 2 ./check x
has "Check: without fork" out "Checks: 7, Failures: 2, Errors: 0"
CK_FORK=no t "Check: without fork: replay" 1 "$heddle" replay check.store_buffering.heddle

both cmocka
t "cmocka" 2 ./cmocka x
cat out err >all
has "cmocka: the failure's line" all "frameworks/cmocka.c:$(line_of cmocka.c @here): error: Failure!"
has "cmocka: the failure's replay file" all "heddle replay ./cmocka.store_buffering.heddle"
has "cmocka: the failed test" all "^\[  FAILED  \] store_buffering"
[ "$(grep -c '       OK' all)" = 2 ] && pass "cmocka: the others pass" || fail "cmocka: the others pass" "$(cat all)"
has "cmocka: its message is in the report" all "0 != 0x3"

UNITY=${UNITY:-/usr/include/unity}
if [ -e "$UNITY/unity.c" ]; then
	both unity
	t "Unity" 2 ./unity x
	cat out err >all
	has "Unity: the failure" all "frameworks/unity.c:.*:store_buffering:FAIL:.* heddle replay ./unity.store_buffering.heddle"
	has "Unity: its message is in the report" all "Expected 3 Was 0"
	has "Unity: the others pass" all "^4 Tests 2 Failures 0 Ignored"
else
	echo "ok - Unity # SKIP it is no Debian package: set UNITY to the folder with unity.c"
fi

both own
t "a framework of one's own" 1 ./own
has "own: a jump out of the test" out "^FAILED store_buffering: longjmp\(\) off the thread's stack"
has "own: jumps inside" out "^ok jumps_inside"
[ "$(grep -c '^ok publishes' out)" = 2 ] && pass "own: the others pass" || fail "own: the others pass" "$(cat out)"
finish
