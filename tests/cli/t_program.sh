# SPDX-License-Identifier: ISC
# t_program.sh - `heddle run` on files that it cannot explore.
. "$(dirname "$0")/lib.sh"

printf 'int main(void) { return 0; }\n' >plain.c
gcc -o plain plain.c
printf '#!/bin/sh\nexit 0\n' >script
chmod +x script
printf 'x' >unreadable
printf '\177ELF\2\1\1' >short
chmod +x short
gcc -c -o object.o plain.c
chmod +x object.o
mkdir folder
mkfifo fifo

refused "missing file" "\./nothing: No such file or directory" "$heddle" run ./nothing
refused "not instrumented" "\./plain: not instrumented: compile and link it with heddle-cc" "$heddle" run ./plain
gcc -o alpine -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1 plain.c
refused "musl" "\./alpine: linked with musl .Alpine., which is not supported" "$heddle" run ./alpine
refused "script" "\./script: not an ELF program" "$heddle" run ./script
refused "not executable" "plain\.c: not a program, but a source" "$heddle" run plain.c
refused "folder" "folder: not a program, but a directory" "$heddle" run folder
refused "fifo" "fifo: not a program" "$heddle" run fifo
refused "seven bytes of ELF" "\./short: not an ELF program" "$heddle" run ./short
refused "object file" "object\.o: not a program, but an object: link it first" "$heddle" run ./object.o
build -shared -fPIC -o lib.so plain.c
refused "shared library" "lib\.so: not a program, but a shared library" "$heddle" run ./lib.so
refused "a path with a newline stays one line" 'no\?such' "$heddle" run $'./no\nsuch'

build -o sb "$here/sb.c"
chmod -x sb
refused "instrumented, not executable" "\./sb: not executable" "$heddle" run ./sb
chmod +x sb
# The number of the status page's layout, which the program compares with the tool's.
perl -0777 -pe 's/(\x48[\xb8-\xbf]...)(.)(ddeh)/$1.chr(ord($2)^1).$3/gse' sb >other
chmod +x other
[ "$(uname -m)" != x86_64 ] || refused "another version" "/other: compiled by another version of heddle: compile it again" "$heddle" run ./other
refused "replay folder is a file" "plain: not a directory" "$heddle" run -o plain ./sb
refused "JSON into a missing folder" "nowhere/a\.json: .*No such file" "$heddle" run --json nowhere/a.json ./sb
refused "missing input" "nothing: No such file" "$heddle" run --stdin nothing ./sb
finish
