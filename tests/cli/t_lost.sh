# SPDX-License-Identifier: ISC
# t_lost.sh - a process that dies without a message is a finding, with a replay file.
. "$(dirname "$0")/lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "ok - lost # skip: x86-64 assembly"; exit 0; }
build -o lost "$here/lost.c"

t "killed" 1 "$heddle" run --strategy dfs ./lost
has "killed: headline" out '^FAILED  killed by SIGKILL in the middle of an execution'
has "killed: the last line" out '^heddle: tso, dfs, 0 executions, not complete: stopped at the first finding .*, 1 failing'
has "killed: the replay file has the choices" lost.heddle '^choice n='
t "killed: replay" 1 "$heddle" replay lost.heddle
has "killed: replay says the same" out '^FAILED  killed by SIGKILL'

t "killed, one of several processes" 1 "$heddle" run --strategy random -j 3 ./lost
has "killed, one of several processes" out '^FAILED  killed by SIGKILL in the middle of an execution'
t "killed, one of several processes: replay" 1 "$heddle" replay lost.heddle

t "left" 1 "$heddle" run --strategy dfs ./lost leave
has "left: headline" out '^FAILED  the process ended with status 5 in the middle of an execution'
t "left: replay" 1 "$heddle" replay lost.heddle
has "left: replay says the same" out 'ended with status 5'
has "left: arguments are kept" lost.heddle '^arg value=leave$'
finish
