# SPDX-License-Identifier: ISC
# t_litmus.sh - heddle litmus: verdicts of tests in each language, those of published rows by the machines'
# instructions, and files that cannot be read.
. "$(dirname "$0")/lib.sh"

# litmus TITLE CODE ARGUMENT...: of the test on standard input
litmus() {
	cat >test.litmus
	t "$1" "$2" "$heddle" litmus "${@:3}" test.litmus
}

# --- each language

litmus "AArch64" 0 <<'EOF'
AArch64 MP+dmb.sy+ctrl
"A description (* with a comment *) of any kind"
Cycle=Rfe DpCtrldR Fre DMB.SYdWW
{
0:X1=x; 0:X3=y; uint64_t 1:X1=y;
1:X4=x; (* the second
thread's *)
}
 P0          | P1               ;
 MOV W0,#1   | LDR W0,[X1]      ;
 STR W0,[X1] | CBNZ W0,LC00     ;
 DMB SY      | LC00:            ;
 STLR W0,[X3]| LDR W3,[X4,#0]   ;
exists (1:X0=1 /\ 1:X3=0)
EOF
has "AArch64: observation" out '^Observation MP\+dmb.sy\+ctrl Sometimes 1 3$'
has "AArch64: state" out '^1:X0=1; 1:X3=0;$'
has "AArch64: answer" out '^Ok$'

# CASA stores only where it has found 1; the condition names the register that it loads to by its half.
litmus "AArch64, RMWs" 0 <<'EOF'
AArch64 cas
{ x=1; 0:X1=x; 0:X0=1; 0:X2=5; 1:X1=x; 1:X2=3; }
 P0                 | P1                ;
 CASA W0,W2,[X1]    | LDADD W2,W3,[X1]  ;
 ADD W4,W0,#1       | STADD W2,[X1]     ;
~exists (0:W0=1 /\ ~(1:X3=5 \/ 1:X3=1) \/ 0:X4<>2 /\ 0:X0=1 \/ [x]=7 /\ 0:X0=1)
EOF
has "AArch64, RMWs: observation" out '^Observation cas Never 0 3$'
has "AArch64, RMWs: added twice" out '^0:X0=1; 1:X3=5; 0:X4=2; \[x\]=11;$'

# The value of a CAS that succeeds does not depend on the load; that of a CSEL only on the register that it takes; an RMW
# without a result is no load for DMB LD.
mp() {
	litmus "$1" 0 <<EOF
AArch64 test
{ x=0; y=0; 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; 1:X2=3; 1:X5=1; }
 P0           | P1    ;
 MOV W0,#1    | $2 ;
 STR W0,[X1]  | $3 ;
 STLR W0,[X3] | $4 ;
exists (y=3 /\\ 1:X4=0)
EOF
	has "$1: observation" out "^Observation test $5 "
}
mp "AArch64, CAS without a branch" "CAS W5,W2,[X3]" NOP "LDR W4,[X1]" Sometimes
mp "AArch64, its value" "CAS W5,W2,[X3]" "EOR W6,W5,W5" "LDR W4,[X1,W6,SXTW]" Sometimes
mp "AArch64, its value of an exchange" "SWP W2,W5,[X3]" "EOR W6,W5,W5" "LDR W4,[X1,W6,SXTW]" Never
mp "AArch64, without a result" "SWP W2,WZR,[X3]" "DMB LD" "LDR W4,[X1]" Sometimes
mp "AArch64, with a result" "SWP W2,W5,[X3]" "DMB LD" "LDR W4,[X1]" Never
mp "AArch64, acquire without a result" "SWPA W2,WZR,[X3]" NOP "LDR W4,[X1]" Sometimes

litmus "AArch64, CSEL, SXTW, writeback" 0 <<'EOF'
AArch64 LB+CSEL
{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; 1:X5=7; z=0; 1:X7=z; }
 P0           | P1               ;
 LDR W0,[X3]  | LDR W0,[X1]      ;
 MOV W2,#1    | CMP W0,#0        ;
 STLR W2,[X1] | CSEL W4,W5,W0,NE ;
              | SXTW X6,W4       ;
              | STR W2,[X7],#8   ;
              | SUB X7,X7,#8     ;
              | MOV W2,#1        ;
              | STR W2,[X3]      ;
filter (0:X0=1)
exists (1:X6=7 /\ 1:X7=z)
EOF
has "AArch64, CSEL: observation" out '^Observation LB\+CSEL Sometimes 1 1$'

# Whether a store fails is a choice; one that does not fail is atomic, and orders no load by its status.
litmus "AArch64, LDXR and STXR" 0 <<'EOF'
AArch64 exclusive
{ x=0; 0:X1=x; 0:X2=1; 1:X1=x; 1:X2=2; }
 P0                | P1                 ;
 LDXR W0,[X1]      | again:             ;
 STXR W3,W2,[X1]   | LDAXR W0,[X1]      ;
                   | STLXR W3,W2,[X1]   ;
                   | CBNZ W3,again      ;
~exists (0:X0=0 /\ 1:X0=0 /\ 0:X3=0 \/ 0:X3=1 /\ ~[x]=2)
EOF
has "AArch64, LDXR and STXR: observation" out '^Observation exclusive Never 0 4$'
litmus "RISCV, lr and sc" 0 <<'EOF'
RISCV exclusive
{ x=0; 0:x5=x; 0:x7=1; 1:x5=x; 1:x7=2; }
 P0               | P1                  ;
 lr.w x6,0(x5)    | again:              ;
 sc.w x8,x7,0(x5) | lr.w.aq x6,(x5)     ;
                  | sc.w.rl x8,x7,(x5)  ;
                  | bnez x8,again       ;
~exists (0:x6=0 /\ 1:x6=0 /\ 0:x8=0 \/ 0:x8=1 /\ ~[x]=2)
EOF
has "RISCV, lr and sc: observation" out '^Observation exclusive Never 0 4$'
litmus "PPC, lwarx and stwcx." 0 <<'EOF'
PPC exclusive
{ x=0; 0:r1=x; 0:r2=1; 0:r4=0; 1:r1=x; 1:r2=2; }
 P0             | P1             ;
 lwarx r3,0,r1  | again:         ;
 stwcx. r2,0,r1 | lwarx r3,r0,r1 ;
 bne failed     | stwcx. r2,r0,r1 ;
 li r4,1        | bne again      ;
 failed:        |                ;
~exists (0:r3=0 /\ 1:r3=0 /\ 0:r4=1 \/ 0:r4=0 /\ ~[x]=2)
EOF
has "PPC, lwarx and stwcx.: observation" out '^Observation exclusive Never 0 4$'
# The load acquires, and the store releases: no other part of a pair does.
litmus "RISCV, message passing by lr.aq and sc.rl" 0 <<'EOF'
RISCV MP
{ x=0; y=0; 0:x5=x; 0:x6=y; 0:x7=1; 1:x5=x; 1:x6=y; }
 P0                  | P1                  ;
 sw x7,0(x5)         | again:              ;
 first:              | lr.w.aq x8,(x6)     ;
 lr.w x9,(x6)        | sc.w x10,x8,(x6)    ;
 sc.w.rl x10,x7,(x6) | bnez x10,again      ;
 bnez x10,first      | lw x9,0(x5)         ;
exists (1:x8=1 /\ 1:x9=0)
EOF
has "RISCV, message passing by lr.aq and sc.rl: observation" out '^Observation MP Never 0 3$'
sed -i 's/lr.w.aq/lr.w/' test.litmus
t "RISCV, message passing, without acquire" 0 "$heddle" litmus test.litmus
has "RISCV, message passing, without acquire: observation" out '^Observation MP Sometimes 1 3$'
litmus "RISCV, lr beside an AMO" 2 <<'EOF'
RISCV both
{ x=0; 0:x5=x; 0:x6=1; }
 P0                     ;
 lr.w x7,(x5)           ;
 sc.w x8,x6,(x5)        ;
 amoadd.w x7,x6,(x5)    ;
exists (0:x7=0)
EOF
has "RISCV, lr beside an AMO: refused" err 'test.litmus:4: exclusive loads and stores beside read-modify-writes of one'
litmus "AArch64, LDXR beside SWP" 2 <<'EOF'
AArch64 both
{ x=0; 0:X1=x; 0:X2=1; }
 P0                ;
 LDXR W0,[X1]      ;
 STXR W3,W2,[X1]   ;
 SWP W2,W4,[X1]    ;
exists (0:X0=0)
EOF
has "AArch64, LDXR beside SWP: refused" err 'test.litmus:4: exclusive loads and stores beside read-modify-writes of one'
litmus "AArch64, a CAS that expects what was loaded" 3 <<'EOF'
AArch64 test
{ x=0; y=0; z=1; 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; 1:X2=3; 1:X6=z; }
 P0           | P1                   ;
 MOV W0,#1    | LDR W5,[X6]          ;
 STR W0,[X1]  | CAS W5,W2,[X3]       ;
 STLR W0,[X3] | EOR W7,W5,W5         ;
              | LDR W4,[X1,W7,SXTW]  ;
exists (y=3 /\ 1:X4=0)
EOF
has "AArch64, a CAS that expects what was loaded: said" out \
	'^Incomplete test: .*not complete: the value of a compare-and-exchange depends on its load only'

litmus "POWER" 0 <<'EOF'
PPC LB+addr+po
{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }
 P0            | P1           ;
 lwz r1,0(r2)  | lwz r1,0(r2) ;
 xor r5,r1,r1  | li r3,1      ;
 li r3,1       | stw r3,0(r4) ;
 stwx r3,r5,r4 |              ;
exists (0:r1=1 /\ 1:r1=1)
EOF
has "POWER: load buffering" out '^Observation LB\+addr\+po Sometimes 1 3$'

litmus "RISC-V" 0 <<'EOF'
RISCV MP+fence.w.w+addr
{ 0:x5=1; 0:x6=x; 0:x7=y; 1:x6=y; 1:s0=x; }
 P0           | P1           ;
 sw x5,0(x6)  | lw x5,0(x6)  ;
 fence w,w    | xor x7,x5,x5 ;
 sw x5,0(x7)  | add x9,x8,x7 ;
              | lw a0,0(x9)  ;
exists (1:x5=1 /\ 1:x10=0)
EOF
has "RISC-V: observation" out '^Observation MP\+fence.w.w\+addr Never 0 3$'

litmus "x86" 0 <<'EOF'
X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
forall (0:EAX=1 \/ 1:EAX=1)
EOF
has "x86: observation" out '^Observation SB Sometimes 3 1$'
has "x86: answer" out '^No$'
cp test.litmus intel.litmus
litmus "x86, AT&T's syntax; no condition; comments of C" 0 <<'EOF'
X86_64 SB
// before
{ }
 P0          | P1          ;
 movl $1,(x) | movl $1,(y) ;
 movl (y),%eax | movl (x),%eax ;
locations [0:rax; 1:rax;]
/* after */
EOF
has "x86, AT&T's syntax: state" out '^0:EAX=0; 1:EAX=0;$'
has "no condition: observation" out '^Observation SB Always 4 0$'
printf 'SB Required\n' >kinds.txt
t "expected: a kind" 0 "$heddle" litmus --expected kinds.txt test.litmus
printf 'SB Forbidden\n' >kinds.txt
t "expected: another kind" 1 "$heddle" litmus --expected kinds.txt test.litmus
has "expected: another kind: line" out '^Differs SB: expected Forbidden$'
cp intel.litmus test.litmus
t "x86: another model" 0 "$heddle" litmus --model sc test.litmus
has "x86: another model: observation" out '^Observation SB Always 3 0$'

litmus "C" 0 <<'EOF'
C MP+rel+acq
{ [x]=0; atomic_int y = 0; }
P0 (int* x, atomic_int* y)
{
  *x = 1; /* } */
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (int* x, atomic_int* y)
{
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = r0 ? *x : -1;
}
locations [x;]
exists (1:r0=1 /\ 1:r1=0)
EOF
has "C: state" out '^\[x\]=1; 1:r0=0; 1:r1=-1;$'
has "C: observation" out '^Observation MP\+rel\+acq Never 0 2$'
hasnt "C: no race" out '^Flag'
sed -i 's/release/relaxed/' test.litmus
t "C, a race" 0 "$heddle" litmus test.litmus
has "C, a race: flag" out '^Flag data race on x: T1 stores it at '
has "C, a race: its values are states" out '^Observation MP\+rel\+acq Sometimes 1 2$'

litmus "Linux" 0 --model arm8 <<'EOF'
C MP+wmb+addr

{ x=0; v=1; p=&v; }

P0(int *x, int **p)
{
	WRITE_ONCE(*x, 2);
	smp_wmb();
	WRITE_ONCE(*p, x);
}
P1(int **p)
{
	int *r0;
	int r1;

	r0 = rcu_dereference(*p);
	r1 = READ_ONCE(*r0);
}
exists (1:r0=x /\ 1:r1=0)
EOF
has "Linux: observation" out '^Observation MP\+wmb\+addr Never 0 2$'
has "Linux: addresses have names" out '^1:r0=v; 1:r1=1;$'
sed -i '/smp_wmb/d' test.litmus
t "Linux, no barrier" 0 "$heddle" litmus --model arm8 test.litmus
has "Linux, no barrier: observation" out '^Observation MP\+wmb\+addr Sometimes 1 2$'

# Linux's model: a third of the rows, all of them with LONG.
mkdir linux
awk -v folder=linux -f "$here/litmus/linux.awk" "$here/litmus/linux.txt" | awk -v parts="${LONG:+1}" \
	'NR % (parts ? parts : 3) == 0' >linux.expected
mapfile -t files < <(awk '{ print "linux/" $1 ".litmus" }' linux.expected)
t "Linux: rows" 0 "$heddle" litmus --expected linux.expected "${files[@]}"
has "Linux: all read, none differs" out \
	"^heddle: ${#files[@]} tests, 0 not read, 0 incomplete, 0 with unexpected results$"
t "Linux: rows, by a model that names herd's tags" 0 "$heddle" litmus --model "$here/litmus/models/Linux.cat" \
	--expected linux.expected "${files[@]}"
has "Linux: rows, by a model: all" out "^heddle: ${#files[@]} tests, 0 not read, 0 incomplete, 0 with unexpected results$"
hasnt "Linux: rows, by a model: no flag" out '^Flag'
litmus "Linux, a reader that does not end, by a model" 0 --model "$here/litmus/models/Linux.cat" <<'EOF'
C endless
{}
P0(int *x) { rcu_read_lock(); WRITE_ONCE(*x, 1); }
exists (x=0)
EOF
has "Linux, a reader that does not end: flag" out '^Flag the model flags the execution: reader-without-end'
litmus "Linux, a race" 0 <<'EOF'
C race
{}
P0(int *x, int *y) { *x = 1; WRITE_ONCE(*y, 1); }
P1(int *x, int *y) { int r = READ_ONCE(*y); int s = *x; }
exists (1:r=1 /\ 1:s=0)
EOF
has "Linux, a race: flag" out '^Flag the model flags the execution: data-race: '
refused "Linux, a grace period under arm8" "synchronize_rcu\(\): only under models with grace periods, as --model lkmm" \
	"$heddle" litmus --model arm8 linux/MP+sync+o.litmus

# --- the published rows, by instructions: all of them with LONG

parts=${LONG:+1}
for machine in AArch64 PPC RISCV; do
	mkdir -p "$machine"
	awk -v machine=$machine -v folder=$machine -v part=0 -v parts="${parts:-5}" -f "$here/litmus/rows.awk" \
		"$here/../agree/hardware_rows.c" >$machine.expected
	t "$machine: rows" 0 "$heddle" litmus --expected $machine.expected $machine/*.litmus
	has "$machine: all read, none differs" out \
		"^heddle: $(wc -l <$machine.expected) tests, 0 not read, 0 incomplete, 0 with unexpected results$"
	rows=("$machine"/*.litmus)
	[ "${LONG:-}" ] || rows=("${rows[@]::6}")
	t "$machine: rows, by a model that names herd's tags" 0 "$heddle" litmus --model "$here/litmus/models/$machine.cat" \
		--expected $machine.expected "${rows[@]}"
	has "$machine: rows, by a model: all" out "^heddle: ${#rows[@]} tests, 0 not read, 0 incomplete, 0 with unexpected results$"
done
sed 's/Never/Sometimes/' AArch64.expected >wrong.expected
t "another verdict" 1 "$heddle" litmus --expected wrong.expected AArch64/*.litmus
has "another verdict: named" out '^Differs LB[^ ]*: expected Sometimes$'

# --- a folder of tests, with logs of herd (*.log, *.expected, *kinds.txt) for those of which results are known

if [ "${LITMUS:-}" ]; then
	mapfile -t files < <(find "$LITMUS" -name '*.litmus' | sort)
	find "$LITMUS" \( -name '*.log' -o -name '*.expected' -o -name '*kinds.txt' \) -exec cat {} + >corpus.expected
	grep -q '^Observation' corpus.expected || echo 'Observation none Never 0 0' >>corpus.expected
	"$heddle" litmus --time 10 --expected corpus.expected "${files[@]}" >corpus.out 2>corpus.err
	t "$LITMUS" 0 tail -1 corpus.out
	has "$LITMUS: none differs" out ' 0 with unexpected results$'
	grep '^Differs' corpus.out
	# herd's own models of the machines, as they are
	for pair in AArch64=libdir/aarch64 PPC=libdir/ppc RISCV=libdir/riscv linux=linux-kernel; do
		machine=${pair%=*}
		file=$(find "$LITMUS" -path "*/${pair#*=}.cat" | head -1)
		[ "$file" ] || continue
		t "$machine: rows, by $file" 0 "$heddle" litmus --model "$file" --expected $machine.expected $machine/*.litmus
		has "$machine: rows, by $file: all read, none differs" out ' 0 not read, 0 incomplete, 0 with unexpected results$'
	done
fi

# --- the programs, bounds, mistakes

cat >sb.litmus <<'EOF'
AArch64 SB
{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; }
 P0          | P1          ;
 MOV W0,#1   | MOV W0,#1   ;
 STR W0,[X1] | STR W0,[X2] ;
 LDR W3,[X2] | LDR W3,[X1] ;
exists (0:X3=0 /\ 1:X3=0)
EOF
t "kept" 0 "$heddle" litmus --output programs sb.litmus
t "kept: a program" 0 "$heddle" run --model sc programs/SB
has "kept: its states" out '^ +0 +1 +1  possible'
t "kept: by a model with dependencies of its own" 0 "$heddle" run --model "$here/litmus/models/AArch64.cat" programs/SB
has "kept: by a model with dependencies of its own: a note" out '^note: orders by instructions that pick one of two values .* missing'
t "bounded" 3 "$heddle" litmus --executions 1 sb.litmus
has "bounded: said" out '^Incomplete SB: arm8, graph, 1 execution, not complete: stopped after 1 execution'

# not_read TITLE LINE WORDS SED: the test, after a change
not_read() {
	sed "$4" sb.litmus >bad.litmus
	refused "$1" "bad.litmus:$2: $3" "$heddle" litmus bad.litmus
}
not_read "a language" 1 "a test begins with its language and name, as in .AArch64 MP.*, not MIPS" 's/AArch64/MIPS/'
not_read "an exclusive load" 6 "an exclusive load without an exclusive store directly behind it is not supported" \
	's/LDR W3,\[X2\]/LDXR W3,[X2]/'
not_read "a byte" 5 "instruction not supported: strb W0,\[X1\]" 's/STR W0,\[X1\]/STRB W0,[X1]/'
not_read "dsb st" 5 "instruction not supported: dsb ST" '5s/STR W0,.X1./DSB ST/'
not_read "a register" 2 "Y1 is no register that heddle knows" 's/0:X1/0:Y1/'
not_read "a row" 4 "a row of the threads ends with .;." '4s/;//'
not_read "columns" 5 "too many columns" '5s/;/| NOP ;/'
not_read "a thread" 7 "there is no thread 5" 's/0:X3/5:X3/'
not_read "a condition" 7 "exists, ~exists or forall expected before .maybe" 's/exists/locations [x;] maybe/'
not_read "a bracket" 8 "\`\)' expected before .'" 's/X3=0)/X3=0/'
not_read "what follows" 8 "unexpected after the condition: .exists" '$a exists (true)'
not_read "a comment" 2 "a comment does not end" '1a (* no end'
not_read "an array" 2 "arrays are not supported" 's/{/{ int x[2];/'
not_read "a filter" 7 "a register or location expected before .)'" '$i filter ()'
t "others are explored" 2 "$heddle" litmus bad.litmus sb.litmus
has "others are explored: result" out '^Observation SB Sometimes 1 3$'
has "others are explored: counts" out '^heddle: 2 tests, 1 not read, 0 incomplete, 0 with unexpected results'
refused "no file" "none.litmus: No such file or directory" "$heddle" litmus none.litmus
refused "no test" "litmus: name a test, as in .heddle litmus mp.litmus." "$heddle" litmus
refused "no results" "sb.litmus: no results in it" "$heddle" litmus --expected sb.litmus sb.litmus

# No prefix of a test is a crash, or a test, but for those that end with a row, which lack a condition.
t "prefixes" 0 bash -c 'size=$(($(wc -c <sb.litmus) - 2))
for ((n = 0; n < size; n += 3)); do
	head -c $n sb.litmus >prefix.litmus
	"$0" litmus prefix.litmus >prefix.out 2>prefix.err
	(($? == 2 && $(wc -l <prefix.err) == 1)) || grep -q "^Condition exists (true)$" prefix.out || { echo "$n bytes"; exit 1; }
done' "$heddle"
finish
