; SPDX-License-Identifier: ISC
;
; opcodes.ll - what C does not say but the optimiser or another front end can: atomic floating-point
; addition, odd integers, aggregates, masked vectors. The lines after ;; are the events.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@f = global float 1.0
@d = global double 1.0
@i24 = global i24 7
@i1 = global i1 1
@agg = global { i64, i32 } { i64 1, i32 2 }
@vec = global <4 x i32> <i32 1, i32 2, i32 3, i32 4>
@sink = global i64 0

declare <4 x i32> @llvm.masked.load.v4i32.p0v4i32(<4 x i32>*, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0v4i32(<4 x i32>, <4 x i32>*, i32, <4 x i1>)
declare void @llvm.memcpy.element.unordered.atomic.p0i8.p0i8.i64(i8*, i8*, i64, i32)

define i32 @main() noinline optnone {
  ;; rmw4 f fadd acquire 3f800000
  %1 = atomicrmw fadd float* @f, float 1.0 acquire
  ;; rmw8 d fsub relaxed 3ff0000000000000
  %2 = atomicrmw fsub double* @d, double 1.0 monotonic
  ;; rmw4 f xchg seq_cst 0
  %3 = atomicrmw xchg float* @f, float 0.0 seq_cst
  ;; load4 f relaxed
  %4 = load atomic float, float* @f unordered, align 4
  ;; plain_read i24 3
  %5 = load i24, i24* @i24
  ;; plain_write i24 3
  store i24 9, i24* @i24
  ;; plain_load1 i1
  %6 = load i1, i1* @i1
  ;; plain_store1 i1 0
  store i1 0, i1* @i1
  ;; plain_load16 agg
  %7 = load { i64, i32 }, { i64, i32 }* @agg
  ;; plain_load4 vec+4
  ;; plain_load4 vec+12
  %8 = call <4 x i32> @llvm.masked.load.v4i32.p0v4i32(<4 x i32>* @vec, i32 4, <4 x i1> <i1 0, i1 1, i1 0, i1 1>, <4 x i32> <i32 9, i32 9, i32 9, i32 9>)
  ;; plain_store4 vec 9
  ;; plain_store4 vec+8 9
  call void @llvm.masked.store.v4i32.p0v4i32(<4 x i32> %8, <4 x i32>* @vec, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 0>)
  ;; memcpy d agg 8
  call void @llvm.memcpy.element.unordered.atomic.p0i8.p0i8.i64(i8* align 8 bitcast (double* @d to i8*), i8* align 8 bitcast ({ i64, i32 }* @agg to i8*), i64 8, i32 8)
  fence syncscope("singlethread") seq_cst
  ;; fence release
  fence release
  ret i32 0
}
