# SPDX-License-Identifier: ISC
#
# jobs.sh - for suites with a job for each of many programs (programs.sh, executions.sh): a few in parallel, each in its
# own directory, TAP on stdout. A script that sources it has
#
#     paths()          all programs, one a line
#     check_one PATH   tests one of them, in its directory, and prints results by ok() and not_ok()
#
# and ends with `jobs_main "$@"`: names, or parts of paths, of the programs to check; none: all.
# B=build JOBS=2 KEEP=1: the build folder, parallel jobs, keep the working directory.
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
export B=${B:-$top/build} JOBS=${JOBS:-2}
case $B in /*) ;; *) B=$PWD/$B ;; esac
heddle=$B/bin/heddle
cc=$B/bin/heddle-cc

ok()
{
	echo "ok - $1"
}

not_ok() # name, reason, [file with more]
{
	echo "not ok - $1"
	echo "# $2" | tr '\n' ' '
	echo
	[ $# -lt 3 ] || head -n 25 "$3" 2>/dev/null | sed 's/^/#   /'
}

# Sets `program`: the name of the executable, one for each set of flags. (No subshell: it is called thousands of times.)
name_program() # file, flags
{
	local flags=${2// /}

	program=${1##*/}
	program=./${program%.c}${flags//[^A-Za-z0-9_]/_}
}

# Links $program.o to $program, by the command that heddle-cc runs for it: running heddle-cc each time would take a
# quarter of the time of hundreds of small programs.
link_program()
{
	eval "$LINK"
}

choose() # names
{
	local path name

	paths | while read -r path; do
		[ $# -gt 0 ] || echo "$path"
		for name in "$@"; do
			case $path in
			*"$name"*) echo "$path" && break ;;
			esac
		done
	done
}

# Sets `facts`: the result of the filter on a JSON document, in one line. One jq serves all runs of a job:
# starting it takes longer than compiling most programs.
# shellcheck disable=SC2034
read_facts() # file, filter: the same one each time
{
	local pid

	facts="no JSON"
	[ -s "$1" ] || return
	[ -n "${JQ_PID:-}" ] || coproc JQ { exec jq --unbuffered -r "try ($2) catch \"no JSON\"" 2>jq.log; }
	pid=$JQ_PID
	cat "$1" >&"${JQ[1]}"
	if ! read -r -t 30 facts <&"${JQ[0]}"; then
		facts="no JSON"
		kill "$pid"
		wait "$pid"
	fi 2>/dev/null
}

one() # number, path: a job; its lines come out together
{
	mkdir -p "$WORK/$1" && cd "$WORK/$1" || exit 1
	(check_one "$2"; touch finished) >tap 2>&1
	[ -e finished ] || not_ok "${2#"$top/"}" "the script broke off" >>tap
	[ "$SECONDS" -lt 10 ] || echo "# ${2#"$top/"}: $SECONDS s" >>tap
	flock "$WORK" cat tap
}

jobs_main() # names
{
	local failed name gold=

	if [ "${1:-}" = --one ]; then
		one "$2" "$3"
		exit
	fi
	command -v jq >/dev/null || { echo "Bail out! needs jq (apt-get install jq)"; exit 2; }
	if ! [ -x "$heddle" ] || ! [ -x "$cc" ]; then
		echo "Bail out! no $heddle or $cc: run make"
		exit 2
	fi
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/heddle-$(basename "$0" .sh).XXXXXX")
	export WORK
	[ -n "${KEEP:-}" ] || trap 'rm -rf "$WORK"' EXIT
	touch "$WORK/PROGRAM.o"
	! command -v ld.gold >/dev/null || gold=-fuse-ld=gold # half of the time of ld.bfd
	LINK=$(cd "$WORK" && "$cc" -### $gold -o PROGRAM PROGRAM.o -lpthread 2>&1 | sed -n '$s/"PROGRAM/"$program/gp')
	export LINK
	choose "$@" | nl -w1 -s' ' >"$WORK/list"
	for name; do
		grep -qF -- "$name" "$WORK/list" || { echo "Bail out! no program matches: $name"; exit 2; }
	done
	{ xargs -a "$WORK/list" -P "$JOBS" -L1 "$here/$(basename "$0")" --one || echo "not ok - some jobs have died"; } |
		awk '/^(not )?ok - / { n++; sub(/ - /, " " n " - ") } { print; fflush() } END { print "1.." n }' |
		tee "$WORK/tap"
	failed=$(grep -c '^not ok' "$WORK/tap")
	grep -q '^ok' "$WORK/tap" || failed=all
	echo "# $failed failed, $SECONDS s"
	[ "$failed" = 0 ]
}
