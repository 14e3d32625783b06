# SPDX-License-Identifier: ISC
# t_uninit.sh - the loads, and their bytes, that the compiler pass marks as used.
#
# Names of functions of `uses.c` begin with the expected mask: u15_... uses 4 bytes, u0_... none for certain.
. "$(dirname "$0")/lib.sh"

cat >uses.c <<'END'
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct s { struct s *next; int i; short h; char c; unsigned a : 3, b : 5; long l; _Atomic int x; };
struct s copy_of;
_Atomic long out;
int go(void), went;
extern struct s *table[];

void u15_branch(struct s *p) { if (p->i) went++, go(); }
void u255_pointer(struct s *p) { if (p->next) went++, go(); }
void u3_short(struct s *p) { if (p->h > 3) went++, go(); }
void u1_bits(struct s *p) { if (p->b == 2) went++, go(); }
void u1_mask(struct s *p) { if (p->i & 0x10) went++, go(); }
void u4_byte(struct s *p) { if (p->i & 0x200000) went++, go(); }
void u255_address(struct s *p) { went = p->next->i; }
void u15_index(struct s *p) { out = (long)table[p->i]->i; }
void u255_publish(struct s *p) { out = p->l; }
void u15_sum(struct s *p) { if (p->i + went == 7) go(), went++; }
void u15_atomic(struct s *p) { if (atomic_load(&p->x) == 4) went++, go(); }
int u15_switch(struct s *p) { switch (p->i) { case 1: return go(); case 2: return 5 + go(); case 7: return 2 * go(); } return 0; }
void u0_copy(struct s *p) { copy_of = *p; }
void u0_store(struct s *p) { copy_of.i = p->i; }
long u0_returned(struct s *p) { return p->l; }
void u0_later(struct s *p) { int i = p->i; if (go() && i) went++; }
void u0_both(struct s *p, int valid) { int i = p->i; if (valid & i) went++, go(); }
int u0_word(const uint64_t *p) { return (*p - 0x0101010101010101) & ~*p & 0x8080808080808080 ? go() : 1; }
END
"$cc" -O1 -S -emit-llvm -o uses.ll uses.c 2>err || fail "compiles" "$(cat err)"
# The first access of each function whose address is its first argument's; 256: of a counter, which is not.
awk '/^define/ { match($0, /@[a-z0-9_]+/); full = substr($0, RSTART + 1, RLENGTH - 1); seen = 0 }
	/call .*@__heddle_used_load/ && full != "" && !seen { n = $0; sub(/.*i32 (noundef )?/, "", n); sub(/\).*/, "", n); if (n == 256) next; mask[full] = n; seen = 1 }
	/call .*@__heddle_load4/ && full != "" && !seen { n = $0; sub(/.*i32 (noundef )?/, "", n); sub(/\).*/, "", n); mask[full] = int(n / 65536); seen = 1 }
	/^}/ { if (full != "") print full, mask[full] + 0; full = "" }' uses.ll >masks
[ "$(wc -l <masks)" = 18 ] || fail "all functions are there" "$(cat masks)"
while read -r name mask; do
	want=${name#u}
	want=${want%%_*}
	[ "$mask" = "$want" ] && pass "$name" || fail "$name" "used bytes: $mask
$(sed -n "/define.*@$name(/,/^}/p" uses.ll)"
done <masks
finish
