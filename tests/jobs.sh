# SPDX-License-Identifier: ISC
#
# jobs.sh - for suites with a job for each of many programs (programs.sh, executions.sh): a few in parallel, each in its
# own directory, TAP on stdout. A script that sources it has
#
#     paths()          all programs, one a line
#     check_one PATH   tests one of them, in its directory, and prints results by ok() and not_ok()
#
# and ends with `jobs_main "$@"`: names, or parts of paths, of the programs to check; none: all.
# B=build JOBS=2 KEEP=1: the build folder, parallel jobs, keep the working directory. TARGET=aarch64-linux-gnu: programs
# for that processor, run by HEDDLE_EMULATOR, or else by qemu with the libraries of tools/sysroot.sh.
case $0 in /*) here=${0%/*} ;; *) here=$(cd "$(dirname "$0")" && pwd) ;; esac
top=${here%/*}
LC_ALL=C # of the shell: looking for a pattern in a long text takes half of the time that it takes in UTF-8
limit=1800 # seconds, for all runs of a program
export B=${B:-$top/build} JOBS=${JOBS:-2}
case $B in /*) ;; *) B=$PWD/$B ;; esac
heddle=$B/bin/heddle
cc=("$B/bin/heddle-cc" ${TARGET:+"--target=$TARGET"})
[ -z "${TARGET:-}" ] || export HEDDLE_EMULATOR=${HEDDLE_EMULATOR:-qemu-${TARGET%%-*}-static -L $B/sysroot/$TARGET}

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

# Sets LINK: gold takes half of the time of ld.bfd, and reads a folder once for each name that it has.
find_link()
{
	local word words seen=' '

	touch "$WORK/PROGRAM.o"
	words=('-Wl,--build-id=none')
	! command -v ld.gold >/dev/null || words+=(-fuse-ld=gold)
	eval "words=($(cd "$WORK" && "${cc[@]}" -### "${words[@]}" -o PROGRAM PROGRAM.o -lpthread 2>&1 | tail -n 1))"
	LINK=
	for word in "${words[@]}"; do
		case $word in
		-L*)
			word=-L$(realpath -m "${word#-L}")
			case $seen in *" $word "*) continue ;; esac
			seen+="$word "
			;;
		esac
		printf -v word %q "$word"
		LINK+="${word/#PROGRAM/\$program} "
	done
	export LINK
}

choose() # names
{
	local path name

	paths | while read -r path; do
		[ $# -gt 0 ] || echo "$path"
		for name in "$@"; do
			case ${path#"$top"/} in
			*"$name"*) echo "$path" && break ;;
			esac
		done
	done
}

# Sets `text`: what the file contains, without the last newlines. (No subshell, either; nor ${text%$'\n'}, whose time is
# quadratic in the length.)
read_text() # file
{
	IFS= read -r -d '' text <"$1"
	while [ "${text: -1}" = $'\n' ]; do
		text=${text:0:-1}
	done
}

# Starts a jq that applies $filter to each document that it reads. Starting it takes as long as compiling a small
# program; so the jobs of a worker have one, and a job has its own only if that one has died. Its pipes are 8 and 9.
start_jq()
{
	coproc JQ { exec jq --unbuffered -r "try ($filter | map(tostring) | join(\" \")) catch \"no JSON\"" 2>/dev/null; }
	exec 8>"/proc/self/fd/${JQ[1]}" 9<"/proc/self/fd/${JQ[0]}" # not closed on exec()
	export JQ_PID
}

# Sets `facts`: the result of $filter, an array, on a JSON document, in one line.
# shellcheck disable=SC2034
read_facts() # file
{
	local text

	facts="no JSON"
	[ -s "$1" ] || return
	kill -0 "${JQ_PID:-none}" 2>/dev/null || start_jq
	read_text "$1"
	printf '%s\n' "$text" >&8
	if ! read -r -t 30 -u 9 facts; then # half of a document
		facts="no JSON"
		kill "${JQ_PID:-none}" 2>/dev/null
		JQ_PID=
	fi
}

# The jobs of the list that no other worker has begun, one after the other. The lines of a job come out together.
worker()
{
	local number path

	start_jq
	set -C
	while read -r number path <&3; do
		{ : >"$WORK/begun.$number"; } 2>/dev/null || continue
		kill -0 "${JQ_PID:-none}" 2>/dev/null || start_jq
		mkdir -p "$WORK/$number"
		timeout "$limit" bash "$here/${0##*/}" --one "$number" "$path" >"$WORK/$number/tap" 2>&1 3<&- </dev/null
		case $? in
		0) ;;
		124) not_ok "${path#"$top/"}" "more than $limit s" "$WORK/$number/run.txt" ;;
		*) not_ok "${path#"$top/"}" "the script broke off" ;;
		esac >>"$WORK/$number/tap"
		flock "$WORK" cat "$WORK/$number/tap"
	done 3<"$WORK/list"
}

one() # number, path: a job
{
	cd "$WORK/$1" || exit 1
	check_one "$2"
	[ "$SECONDS" -lt 10 ] || echo "# ${2#"$top/"}: $SECONDS s"
	exit 0
}

jobs_main() # names
{
	local failed name

	case ${1:-} in
	--worker) worker && exit ;;
	--one) one "$2" "$3" ;;
	esac
	command -v jq >/dev/null || { echo "Bail out! needs jq (apt-get install jq)"; exit 2; }
	if ! [ -x "$heddle" ] || ! [ -x "${cc[0]}" ]; then
		echo "Bail out! no $heddle or ${cc[0]}: run make"
		exit 2
	fi
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/heddle-$(basename "$0" .sh).XXXXXX")
	export WORK
	[ -n "${KEEP:-}" ] || trap 'rm -rf "$WORK"' EXIT
	find_link
	choose "$@" | nl -w1 -s' ' >"$WORK/list"
	for name; do
		grep -qF -- "$name" "$WORK/list" || { echo "Bail out! no program matches: $name"; exit 2; }
	done
	{ seq "$JOBS" | xargs -P "$JOBS" -I{} bash "$here/${0##*/}" --worker || echo "not ok - some jobs have died"; } |
		awk '/^(not )?ok - / { n++; sub(/ - /, " " n " - ") } { print; fflush() } END { print "1.." n }' |
		tee "$WORK/tap"
	failed=$(grep -c '^not ok' "$WORK/tap")
	grep -q '^ok' "$WORK/tap" || failed=all
	echo "# $failed failed, $SECONDS s"
	[ "$failed" = 0 ]
}
