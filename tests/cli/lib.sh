# SPDX-License-Identifier: ISC
#
# lib.sh - for the tests of the command line: each prints "ok - TITLE", or "not ok - TITLE" and the reason.
#
# B is the build folder; the working directory is a fresh folder that is removed afterwards.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
B=$(realpath "${B:-$here/../../build}")
heddle=$B/bin/heddle
cc=$B/bin/heddle-cc
failures=0
scratch=$(mktemp -d)
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$scratch" "$TMPDIR"' EXIT
cd "$scratch" || exit 2
unset NO_COLOR HEDDLE_OPTIONS GITHUB_ACTIONS GITHUB_WORKSPACE
export TERM=xterm LC_ALL=C

# gojq starts in 2 ms, jq 1.6 in 40; it sorts keys in any case.
! command -v gojq >/dev/null || jq() {
	[ "$1" != -S ] || shift
	gojq "$@"
}

pass() { printf 'ok - %s\n' "$1"; }

fail() {
	printf 'not ok - %s\n' "$1"
	printf '%s\n' "$2" | sed 's/^/    # /' | head -40
	failures=$((failures + 1))
}

# t TITLE CODE COMMAND...: run it; its output is in the files out and err. One result for the exit code.
t() {
	local title=$1 want=$2
	shift 2
	timeout 300 "$@" >out 2>err </dev/null # even on a busy machine
	code=$?
	if [ "$code" = "$want" ]; then
		pass "$title: exit code $want"
	else
		fail "$title: exit code $want" "exit code $code
$(cat out err)"
	fi
}

# ended TITLE CODE PROCESS: waits for a process in the background. One result for the exit code.
ended() {
	wait "$3"
	code=$?
	if [ "$code" = "$2" ]; then pass "$1: exit code $2"; else fail "$1: exit code $2" "exit code $code
$(cat out err)"; fi
}

# Lines of the file `out` or `err` must, or must not, match an extended regular expression.
has() {
	if grep -qE -- "$3" "$2"; then pass "$1"; else fail "$1" "no line of $2 matches: $3
$(cat "$2")"; fi
}

hasnt() {
	grep -qE -- "$3" "$2"
	case $? in
	0) fail "$1" "a line of $2 matches: $3
$(cat "$2")" ;;
	1) pass "$1" ;;
	*) fail "$1" "cannot look for $3 in $2" ;;
	esac
}

# One line on stderr that matches, nothing on stdout.
one_line() {
	if [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && grep -qE -- "$2" err; then
		pass "$1: one line"
	else
		fail "$1: one line" "wanted one line on stderr: $2
$(cat out err)"
	fi
}

# refused TITLE MESSAGE COMMAND...: exit code 2 and one clear line.
refused() {
	local title=$1 message=$2
	shift 2
	t "$title" 2 "$@"
	one_line "$title" "$message"
}

same() {
	local differences
	if differences=$(diff -u "$2" "$3"); then pass "$1"; else fail "$1" "$differences"; fi
}

build() {
	if ! "$cc" -g -O1 -pthread "$@" >build.log 2>&1; then
		fail "build $*" "$(cat build.log)"
		exit 1
	fi
}

compile() { # NAME FILE FLAG...: a program of the tree
	local name=$1 file=$2
	shift 2
	build -o "$name" "$@" "$here/../../$file"
}

# repeats PROGRAM MODEL OPTION...: it fails, and `report` and `replay` print the same report as the run.
repeats() {
	local program=$1 model=$2
	shift 2
	rm -f ./*.heddle
	t "$program $model: fails" 1 "$heddle" run --model "$model" "$@" "./$program"
	grep -A 1000 '^FAILED' out | grep -vE '^(heddle|note): ' >run.txt
	grep -q 'bug:' out && fail "$program $model: no bug of ours" "$(grep bug: out)"
	t "$program $model: report" 0 "$heddle" report "$program.heddle"
	same "$program $model: report says what run said" run.txt out
	t "$program $model: replay" 1 "$heddle" replay "$program.heddle"
	same "$program $model: replay says what run said" run.txt out
}

# under_way PROCESS NAME: waits until its child of that name, with workers, has computed for 0.1 s, even on a slow
# machine; or until the process has ended.
under_way() {
	local ticks=0 p all until=$((SECONDS + 30))

	while [ "$ticks" -lt 10 ] && kill -0 "$1" && [ $SECONDS -lt $until ]; do
		sleep 0.05
		ticks=0
		p=$(pgrep -P "$1" -x "$2") || continue
		for p in $p $(pgrep -P "$p"); do
			read -ra all <"/proc/$p/stat" && ticks=$((ticks + all[13] + all[14]))
		done
	done 2>/dev/null
}

# The last line of every test: no temporary files are left.
finish() {
	local left
	left=$(ls -A "$TMPDIR")
	if [ -z "$left" ]; then pass "no files left behind"; else fail "no files left behind" "$left"; fi
	[ "$failures" = 0 ]
}

# holds NAME FILE FILTER [OPTION...]: jq's filter is true for the JSON document.
holds() {
	local name=$1 file=$2 filter=$3

	shift 3
	if jq -e "$@" "$filter" "$file" >/dev/null 2>why; then
		pass "$name"
	else
		fail "$name" "$(cat why; head -c 3000 "$file")"
	fi
}

# xml TITLE FILE CONDITION: of XPath. In a file *.html //TAG.CLASS is an element with a class.
xml() {
	local condition=$3 html=()

	if [[ $2 = *.html ]]; then
		html=(--html)
		condition=$(sed -E 's#//([a-z0-9]+)\.([a-z]+)#//\1[contains(concat(" ", @class, " "), " \2 ")]#g' <<<"$3")
	fi
	if [ "$(xmllint "${html[@]}" --xpath "boolean($condition)" "$2" 2>why)" = true ]; then
		pass "$1"
	else
		fail "$1" "does not hold of $2: $3
$(grep ' error : ' why | grep -v 'Tag .* invalid'; xmllint "${html[@]}" --xpath 'string(/)' "$2" 2>/dev/null | grep -v '^[[:space:]]*$')"
	fi
}

# valid_sarif TITLE FILE
valid_sarif() {
	if jq -rf "$here/sarif.jq" "$2" >why 2>&1 && [ ! -s why ]; then pass "$1"; else fail "$1" "$(cat why)"; fi
}

# The last line of a replay file whose other lines are in FILE.
seal() {
	printf 'end records=%d crc=0x%s\n' "$(wc -l <"$1")" "$(gzip -c "$1" | tail -c 8 | od -An -N4 -tx4 | tr -d ' ')" >>"$1"
}
