# SPDX-License-Identifier: ISC
# t_suite.sh - heddle run --suite: each test of an unchanged CUnit suite, separately.
. "$(dirname "$0")/lib.sh"

cp "$here/suite.c" "$here/suites.c" .
build -o suite suite.c -lcunit
build -o suites suites.c -lcunit

# Natively the suite behaves as with another compiler; the number of assertions depends on the schedule.
gcc -w -pthread -o plain suite.c -lcunit
for program in plain suite; do
	./$program 2>&1 | grep -v '^Elapsed\|^ *asserts' >$program.out
	echo "exit ${PIPESTATUS[0]}" >>$program.out
done
same "natively as with gcc" plain.out suite.out
has "natively: 20 tests pass" suite.out 'tests +20 +20 +20 +0 +0'

# Exactly the two tests that depend on the order of tests are named.
"$heddle" run -q --executions 1 -o as_one ./suite >out
has "as one program: what suits a suite" out "^note: a CUnit suite: .heddle run --suite. explores each"
t "20 tests" 1 "$heddle" run --suite ./suite
[ "$(grep -c '^ok      .* complete$' out)" = 18 ] && pass "20 tests: 18 lines" || fail "20 tests: 18 lines" "$(cat out)"
grep '^FAILED' out >got
cat >want <<EOT
FAILED  counter: statistics                      assertion \`CU_ASSERT_EQUAL(atomic_load(&count),2)' failed, suite.c:$(grep -n '@statistics \*/' suite.c | cut -d: -f1) (suite.counter.statistics.heddle)
FAILED  flag: handshake                          assertion \`atomic_load(&seen[0]) || atomic_load(&seen[1])' failed, suite.c:$(grep -n '@handshake \*/' suite.c | cut -d: -f1) (suite.flag.handshake.heddle)
EOT
same "20 tests: exactly two fail" want got
t "quiet" 1 "$heddle" run --quiet --suite ./suite
grep '^FAILED' out >got
same "quiet: the same two, and where" want got
has "20 tests: the last line" out '^heddle: 20 tests, 18 ok, 2 failed, [0-9.]+ s$'
[ "$(wc -l <out)" -le 23 ] && pass "20 tests: a line each" || fail "20 tests: a line each" "$(cat out)"
[ "$(ls ./*.heddle | wc -l)" = 2 ] && pass "20 tests: two replay files" || fail "20 tests: two replay files" "$(ls)"
t "replay" 1 "$heddle" replay suite.flag.handshake.heddle
has "replay" out '^FAILED  assertion .atomic_load\(&seen'
t "replay, one that needs no reordering" 1 "$heddle" replay suite.counter.statistics.heddle
t "report" 0 "$heddle" report suite.flag.handshake.heddle
for model in sc tso pso; do
	t "$model" 1 "$heddle" run --suite --model $model ./suite
	case $model in sc) n=19 ;; *) n=18 ;; esac
	has "$model" out "^heddle: 20 tests, $n ok, $((20 - n)) failed"
done
t "random" 1 "$heddle" run --suite --model tso --strategy random --executions 500 --test 'hand*' ./suite
has "random: cut short" out '^cut     flag: handshake, fenced .* 500 executions, not complete: stopped after 500'
has "random: only the tests with such a name" out '^heddle: 2 tests, 0 ok, 1 failed, 1 cut short'
t "pct" 3 "$heddle" run --suite --model tso --strategy pct --depth 1 --executions 500 --test 'handshake, fenced' ./suite
has "pct: what is guaranteed" out '^cut     flag: handshake, fenced .*; a bug of depth 1 would have shown with at least 99 %$'

# Several tests at the same time: equal lines, in the same order.
"$heddle" run --suite ./suite | sed 's/[0-9.]* s$//' >want
for jobs in "-j 3" -j4 -j "--jobs all"; do
	# shellcheck disable=SC2086
	t "$jobs" 1 "$heddle" run --suite $jobs ./suite
	sed 's/[0-9.]* s$//' out >got
	same "$jobs: the same lines" want got
done
t "-j, what goes wrong" 1 "$heddle" run --suite -j 4 ./suites wrong
has "-j, what goes wrong" out '^heddle: 5 tests, 2 ok, 3 failed'
t "-j, after the others" 1 "$heddle" run --suite -j 3 ./suites depending
has "-j, after the others" out '^heddle: 5 tests, 3 ok, 2 failed, 1 of the ok ones only after'
printf 'assertion function=counter_statistics\n' >known.supp
t "-j, suppressions" 1 "$heddle" run --suite -j 3 --suppressions known.supp ./suite
has "-j, suppressions" out '^heddle: 20 tests, 19 ok, 1 failed'
t "-j, four seconds of work" 3 "$heddle" run --suite -j 4 --time 1 ./suites four
has "-j, four seconds of work" out '^heddle: 4 tests, 0 ok, 0 failed, 4 cut short, [12]\.[0-9]* s$'
timeout -s INT 1 "$heddle" run --suite -j 2 ./suites four >out 2>&1
has "-j, interrupted: those that ran" out '^heddle: 2 tests, 0 ok, 0 failed, 2 cut short, interrupted, [0-9.]+ s$'
refused "-j of no number" "wrong value .x2. for .*jobs" "$heddle" run --suite --jobs x2 ./suite

# Documents have each test.
t "documents" 1 "$heddle" run --suite --json j.json --junit j.xml ./suite
[ "$(jq -r '[(.tests | length), .exit_code, (.tests[] | select(.findings != []) | .name)] | join(",")' j.json)" = \
	"20,1,statistics,handshake" ] && pass "JSON" || fail "JSON" "$(head -c 600 j.json)"
[ "$(grep -c '<testcase' j.xml)" = 20 ] && [ "$(grep -c '<failure' j.xml)" = 2 ] && pass "JUnit" ||
	fail "JUnit" "$(grep -c '<testcase' j.xml) $(grep -c '<failure' j.xml)"

# A suite is begun and ended once for each test, and a test may need those before it.
rm -f marks
t "tests that need others" 1 "$heddle" run --suite ./suites depending
has "needs another" out "^ok      file: use .*only after the preceding tests: alone, assertion .CU_ASSERT_EQUAL\(state,2\)"
has "fails anyway" out '^FAILED  file: never'
has "a fatal assertion" out '^FAILED  fatal: fails'
has "the next is not concerned" out '^ok      fatal: after'
has "needs another: the last line" out '^heddle: 5 tests, 3 ok, 2 failed, 1 of the ok ones only after'
[ "$(sort marks | uniq -c | tr -s ' \n' ' ')" = " 7 begin 5 end " ] && pass "suites begin and end" ||
	fail "suites begin and end" "$(cat marks)"
t "what goes wrong" 1 "$heddle" run --suite ./suites wrong
has "a crash" out '^FAILED  wrong: crash  .*SIGSEGV'
has "the process ends without a handler" out '^FAILED  wrong: killed  .*exit status 7'
has "a deadlock" out '^FAILED  wrong: deadlock'
has "a deadlock: each place once" out '^FAILED  wrong: deadlock .* holds \(suites\.wrong\.deadlock\.heddle\)$'
has "and after all that" out '^ok      wrong: fine'
t "what cannot be explored" 2 "$heddle" run --suite ./suites refused
has "fork" out '^ok      refused: forks .* complete'
has "threads of before" out '^refused threads: alone .* other threads are running'
has "the rest is" out '^ok      refused: fine'
t "cut short" 3 "$heddle" run --suite --time 0.3 ./suites endless
has "cut short" out '^cut     long: endless .* not complete: stopped after 0.3 s'
t "inactive" 0 "$heddle" run --suite ./suites inactive
has "inactive" out '^heddle: 1 test, 1 ok, 0 failed, 2 inactive'
t "a suite that cannot begin" 1 "$heddle" run --suite ./suites uninitialised
has "a suite that cannot begin" out '^FAILED  broken: never .*initialisation of its suite failed'
t "every way to run tests" 0 "$heddle" run --suite ./suites one-by-one
has "every way to run tests" out '^heddle: 11 tests, 11 ok'
refused "no tests" "ran no test of CUnit, cmocka or Unity" "$heddle" run --suite ./suites empty
refused "no suite" "ran no test of CUnit, cmocka or Unity" "$heddle" run --suite ./suites
refused "--test of none" "--test 'hnad\*': no test of .*/suite has such a name" \
	"$heddle" run --suite --test 'hnad*' ./suite
refused "--test alone" "--test needs --suite" "$heddle" run --test x ./suites
refused "--checkpoint" "--suite: not with --checkpoint or --resume" "$heddle" run --suite --checkpoint f ./suites wrong

# A failed assertion of CUnit's is a finding in a whole program, too.
t "a whole program" 1 "$heddle" run ./suites depending
has "a whole program" out "^FAILED  assertion .CU_ASSERT_EQUAL\(state,3\)' failed, suites.c:"
finish
