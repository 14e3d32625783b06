# SPDX-License-Identifier: ISC
# t_doctor.sh - `heddle doctor` in a complete environment, and with something missing.
. "$(dirname "$0")/lib.sh"

t "doctor" 0 "$heddle" doctor
has "doctor: compiles and explores" out "ok +exploring +the reordering of the small program was found"
has "doctor: speed" out 'ok +speed +[0-9]+ executions a second'
has "doctor: compiler" out 'ok +compiler .*clang version'
hasnt "doctor: nothing lacks" out 'LACK'
refused "doctor with an argument" "takes no arguments" "$heddle" doctor x

mkdir -p alone/bin
cp "$heddle" alone/bin/
t "heddle without the rest" 2 alone/bin/heddle doctor
has "without the rest: names what is missing" out 'LACK +files .*heddle-cc is missing'
has "without the rest: says what to do" out 'run .make. in heddle'
has "without the rest: last line" out '^Some requirement of heddle is not met\.$'

cp -r "$B/lib" "$B/include" alone/
cp "$cc" alone/bin/
echo rubbish >alone/lib/heddle/heddle_pass.so
t "a broken pass" 2 alone/bin/heddle doctor
has "a broken pass: compiling fails" out 'LACK +compiling'
finish
