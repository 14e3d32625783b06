; SPDX-License-Identifier: ISC
;
; turn.ll - what is said at the heads of loops: the bytes of what may differ between turns and is still
; needed. The lines after ;; are the calls.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@__heddle_turns = external global i8
@x = global i32 0
@plain = global i32 0

; Phis: one that is used, one that is not, one without a value at first.
define void @phis() noinline optnone {
  br label %head
head:
  %i = phi i16 [ 7, %0 ], [ %next, %head ]
  %unused = phi i64 [ 1, %0 ], [ 2, %head ]
  %late = phi i8 [ undef, %0 ], [ 3, %head ]
  %v = load atomic i32, i32* @x monotonic, align 4
  %next = add i16 %i, 1
  %l = zext i8 %late to i16
  %s = add i16 %l, %next
  %c = icmp ult i16 %s, 12
  br i1 %c, label %head, label %end
end:
  ret void
}

; Private variables: one that the loop changes and reads later, one that it replaces before it reads, one
; that it does not change, one that it only changes in part.
define void @variables() noinline optnone {
  %count = alloca i8
  %result = alloca i32
  %limit = alloca i8
  %parts = alloca [4 x i8]
  store i8 0, i8* %count
  store i8 2, i8* %limit
  %all = bitcast [4 x i8]* %parts to i32*
  store i32 0, i32* %all
  br label %head
head:
  %v = load atomic i32, i32* @x acquire, align 4
  store i32 %v, i32* %result
  %r = load i32, i32* %result
  %n = load i8, i8* %count
  %m = add i8 %n, 1
  store i8 %m, i8* %count
  %part = getelementptr [4 x i8], [4 x i8]* %parts, i64 0, i64 2
  store i8 %m, i8* %part
  %max = load i8, i8* %limit
  %c = icmp ult i8 %m, %max
  br i1 %c, label %head, label %end
end:
  %w = load i32, i32* %all
  ret void
}

; The head of the outer loop, then that of the inner one, which is entered anew each time.
define void @nested() noinline optnone {
  br label %outer
outer:
  %i = phi i8 [ 0, %0 ], [ %i1, %latch ]
  br label %inner
inner:
  %k = phi i8 [ 5, %outer ], [ %k1, %inner ]
  %v = load atomic i32, i32* @x monotonic, align 4
  %k1 = add i8 %k, 1
  %c = icmp ult i8 %k1, 7
  br i1 %c, label %inner, label %latch
latch:
  %i1 = add i8 %i, 1
  %d = icmp ult i8 %i1, 2
  br i1 %d, label %outer, label %end
end:
  ret void
}

; The test of a loop that has been turned around stands twice: they count as one place, the head.
define void @twins(i8 %n) noinline optnone {
  %a = load atomic i32, i32* @x monotonic, align 4
  %f = trunc i32 %a to i8
  %g = icmp ult i8 %f, %n
  br i1 %g, label %before, label %end
before:
  %invariant = lshr i8 %n, 1
  br label %head
head:
  %i = phi i8 [ 0, %before ], [ %i1, %head ]
  %i1 = add i8 %i, %invariant
  %m = sub i8 %n, %i1
  %b = load atomic i32, i32* @x monotonic, align 4
  %h = trunc i32 %b to i8
  %j = icmp ult i8 %h, %m
  br i1 %j, label %head, label %end
end:
  ret void
}

; A counter: where it is, how far from a change of the comparison, and that. The recorder moves it there.
define void @counter() noinline optnone {
  br label %head
head:
  %n = phi i32 [ 0, %0 ], [ %next, %latch ]
  %v = load atomic i32, i32* @x monotonic, align 4
  %w = icmp eq i32 %v, 77
  br i1 %w, label %end, label %latch
latch:
  %next = add i32 %n, 1
  %c = icmp ult i32 %next, 1000
  br i1 %c, label %head, label %end
end:
  ret void
}

; Likewise of a loop that has been turned around, downwards, to 5 and to 0.
define void @falling() noinline optnone {
  %a = load atomic i32, i32* @x monotonic, align 4
  %g = icmp eq i32 %a, 0
  br i1 %g, label %before, label %end
before:
  br label %head
head:
  %n = phi i64 [ 9, %before ], [ %next, %latch ]
  %next = add i64 %n, -1
  %d = icmp eq i64 %next, 5
  br i1 %d, label %store, label %middle
store:
  store atomic i32 0, i32* @x monotonic, align 4
  br label %middle
middle:
  %e = icmp eq i64 %next, 0
  br i1 %e, label %end, label %latch
latch:
  %b = load atomic i32, i32* @x monotonic, align 4
  %h = icmp eq i32 %b, 0
  br i1 %h, label %head, label %end
end:
  ret void
}

; No other thread can write the memory that it reads; more to compare than there is room.
define void @none() noinline optnone {
  br label %head
head:
  %i = phi i16 [ 0, %0 ], [ %next, %head ]
  %v = load i32, i32* @plain
  %next = add i16 %i, 1
  %c = icmp ult i16 %next, 2
  br i1 %c, label %head, label %end
end:
  ret void
}

define void @large() noinline optnone {
  %a = alloca [2000 x i8]
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %head ]
  %v = load atomic i32, i32* @x monotonic, align 4
  %p = getelementptr [2000 x i8], [2000 x i8]* %a, i64 0, i64 %i
  %old = load i8, i8* %p
  store i8 1, i8* %p
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, 2
  br i1 %c, label %head, label %end
end:
  ret void
}

define i32 @main() noinline optnone {
  ; Natively nothing is said.
  ;; load4 x relaxed
  ;; load4 x relaxed
  call void @phis()
  store volatile i8 1, i8* @__heddle_turns
  ;; store1 __heddle_turns relaxed volatile 1
  ;; turn entered 07 00 00
  ;; load4 x relaxed
  ;; turn 08 00 03
  ;; load4 x relaxed
  call void @phis()
  ;; turn entered 00 00 00 00 00
  ;; load4 x acquire
  ;; turn 01 00 00 01 00
  ;; load4 x acquire
  call void @variables()
  ;; turn entered 00
  ;; turn entered 05
  ;; load4 x relaxed
  ;; turn 06
  ;; load4 x relaxed
  ;; turn 01
  ;; turn entered 05
  ;; load4 x relaxed
  ;; turn 06
  ;; load4 x relaxed
  call void @nested()
  ;; turn entered 02 00
  ;; load4 x relaxed
  ;; turn 01 01
  ;; load4 x relaxed
  ;; turn 00 02
  ;; load4 x relaxed
  call void @twins(i8 2)
  ;; turn entered 0+3e600000000 01
  ;; load4 x relaxed
  ;; turn 100000000+3e500000000 01
  ;; turn 3e600000000+0 01
  ;; load4 x relaxed
  ;; turn 3e700000000+ 00
  ;; load4 x relaxed
  call void @counter()
  ;; turn entered fffffffffffffff6+2 00 00
  ;; load4 x relaxed
  ;; turn fffffffffffffff7+1 00 00
  ;; turn fffffffffffffff8+0 00 00
  ;; load4 x relaxed
  ;; turn fffffffffffffff9+0 00 01
  ;; load4 x relaxed
  ;; store4 x relaxed 0
  ;; turn fffffffffffffffa+3 00 00
  ;; turn fffffffffffffffd+0 00 00
  ;; load4 x relaxed
  ;; turn fffffffffffffffe+0 01 00
  ;; load4 x relaxed
  call void @falling()
  ;; plain_load4 plain
  ;; plain_load4 plain
  call void @none()
  ;; load4 x relaxed
  ;; load4 x relaxed
  call void @large()
  ret i32 0
}
