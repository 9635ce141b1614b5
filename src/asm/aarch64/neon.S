/* Sum and copy with NEON. SPDX-License-Identifier: MIT
 *
 * Instructions of different kinds share the work, so that no single pipe is the limit. A vector of four 32-bit words
 * joins two 64-bit accumulators by `uadalp` (pairs), of which neoverse-n1 and -n2 execute one a cycle and others
 * two, or by `uaddw` and `uaddw2` (lower and upper half), which any vector pipe takes. The general registers add a
 * part of their own in one chain of carries: of the 512 bytes of a turn of the sum, 288 go by `uadalp`, 160 by
 * `uaddw` and `uaddw2` and 64 by `adcs`. The copy has the general registers move and add 96 of its 224 bytes,
 * because stores from vector registers take a vector pipe on many cores.
 *
 * Everything is an exact integer: the 32-bit words of 4 GiB, which is what one round takes at most, sum up to less
 * than 2^62. A round ends with its vectors folded into the seed, and the rest goes through fused.
 *
 * THRESHOLD is the size from which the vectors are worth their start and end: clearing the accumulators, adding them
 * to one another, and moving the sum to a general register. Whole calls, each waiting for the one before, as llvm-mca
 * estimates them: at 1024 bytes the sum takes 71 cycles against 82 of fused on neoverse-n1, 53 against 50 on -v2, 67
 * against 64 on apple-m1; at 1400 bytes 76 against 104, 54 against 62 and 65 against 81. neoverse-n2 is even at 1400.
 */
#include "asm/aarch64/asm.h"

#define THRESHOLD 1024

/* ---- uint32_t onesum_sum_neon(const void *data, size_t size, uint32_t seed) ---------------------------------
   x0  the next byte		v16 to v21 accumulators of uadalp
   x1  size			v22 to v25 accumulators of uaddw and uaddw2
   x2  the sum of what the general registers add, at first the seed
   x3  turns of 512 bytes */

.macro pairs vector, sum
	uadalp v\sum\().2d, v\vector\().4s
.endm

.macro halves vector, low, high
	uaddw v\low\().2d, v\low\().2d, v\vector\().2s
	uaddw2 v\high\().2d, v\high\().2d, v\vector\().4s
.endm

.macro words at, add=adcs
	ldp x4, x5, [x0, #\at]
	\add x2, x2, x4
	adcs x2, x2, x5
.endm

/* 256 bytes: 14 vectors and two parts of 16 bytes. The accumulators change places from one half of a turn to the
   other, so that each has time for its last addition. */
.macro half_turn at, add, p0, p1, p2, p3, p4, p5, w0, w1, w2, w3
	ldp q0, q1, [x0, #\at]
	pairs 0, \p0
	pairs 1, \p1
	ldp q2, q3, [x0, #\at + 32]
	halves 2, \w0, \w1
	pairs 3, \p2
	words \at + 64, \add
	ldp q4, q5, [x0, #\at + 80]
	pairs 4, \p3
	halves 5, \w2, \w3
	ldp q6, q7, [x0, #\at + 112]
	pairs 6, \p4
	pairs 7, \p5
	ldp q0, q1, [x0, #\at + 144]
	halves 0, \w0, \w1
	pairs 1, \p0
	words \at + 176
	ldp q2, q3, [x0, #\at + 192]
	pairs 2, \p1
	halves 3, \w2, \w3
	ldp q4, q5, [x0, #\at + 224]
	pairs 4, \p2
	halves 5, \w0, \w1
.endm

FUNCTION(onesum_sum_neon)
	cmp x1, #THRESHOLD
	b.lo onesum_sum_fused
.Lsum_round:
	mov w2, w2				/* its upper half may hold anything */
	mov x4, #0x800000			/* turns in 4 GiB */
	lsr x3, x1, #9
	cmp x3, x4
	csel x3, x3, x4, lo
	sub x1, x1, x3, lsl #9
	movi v16.2d, #0
	movi v17.2d, #0
	movi v18.2d, #0
	movi v19.2d, #0
	movi v20.2d, #0
	movi v21.2d, #0
	movi v22.2d, #0
	movi v23.2d, #0
	movi v24.2d, #0
	movi v25.2d, #0
	.p2align 6
.Lsum_turn:
	half_turn 0, adds, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
	half_turn 256, adcs, 19, 20, 21, 16, 17, 18, 24, 25, 22, 23
	adc x2, x2, xzr				/* never wraps: see fused */
	add x0, x0, #512
	sub x3, x3, #1
	cbnz x3, .Lsum_turn

	add v16.2d, v16.2d, v17.2d
	add v18.2d, v18.2d, v19.2d
	add v20.2d, v20.2d, v21.2d
	add v22.2d, v22.2d, v23.2d
	add v24.2d, v24.2d, v25.2d
	add v16.2d, v16.2d, v18.2d
	add v20.2d, v20.2d, v22.2d
	add v16.2d, v16.2d, v24.2d
	add v16.2d, v16.2d, v20.2d
	addp d16, v16.2d
	fmov x3, d16
	adds x2, x2, x3
	adc x2, x2, xzr
	ror x3, x2, #32				/* folds to 32 bits, as in fused */
	add x2, x2, x3
	lsr x2, x2, #32
	cmp x1, #THRESHOLD			/* more than 4 GiB: another round */
	b.hs .Lsum_round
	b onesum_sum_fused
FUNCTION_END(onesum_sum_neon)

/* ---- uint32_t onesum_copy_neon(void *dst, const void *src, size_t size, uint32_t seed) ----------------------
   x0  the next byte to write	v16 to v23 accumulators
   x1  the next byte to read	x12 a chain of 96 bytes, begun anew in each turn
   x2  size			x3  the sum of the chains, at first the seed
   x15 bytes left of this round
   A turn begins by moving both pointers, so \at is negative after that. */

.macro move32 at, a, b, sum_a, sum_b
	ldp q\a, q\b, [x1, #\at]
	stp q\a, q\b, [x0, #\at]
	uadalp v\sum_a\().2d, v\a\().4s
	uadalp v\sum_b\().2d, v\b\().4s
.endm

.macro move16 at, a, b
	ldp x\a, x\b, [x1, #\at]
	stp x\a, x\b, [x0, #\at]
	adcs x12, x12, x\a
	adcs x12, x12, x\b
.endm

FUNCTION(onesum_copy_neon)
	cmp x2, #THRESHOLD
	b.lo onesum_copy_fused
.Lcopy_round:
	mov x4, #0x100000000			/* 4 GiB */
	cmp x2, x4
	csel x15, x2, x4, lo
	sub x2, x2, x15
	mov w3, w3				/* its upper half may hold anything */
	movi v16.2d, #0
	movi v17.2d, #0
	movi v18.2d, #0
	movi v19.2d, #0
	movi v20.2d, #0
	movi v21.2d, #0
	movi v22.2d, #0
	movi v23.2d, #0
	sub x15, x15, #224
	.p2align 6
.Lcopy_turn:
	ldp x4, x5, [x1], #224
	stp x4, x5, [x0], #224
	adds x12, x4, x5
	move32 -208, 0, 1, 16, 17
	move16 -176, 6, 7
	move16 -160, 8, 9
	move32 -144, 2, 3, 18, 19
	move16 -112, 10, 11
	move32 -96, 4, 5, 20, 21
	move16 -64, 4, 5
	move16 -48, 6, 7
	move32 -32, 6, 7, 22, 23
	adcs x3, x3, x12			/* never wraps: see fused */
	adc x3, x3, xzr
	subs x15, x15, #224
	b.hs .Lcopy_turn

	add v16.2d, v16.2d, v17.2d
	add v18.2d, v18.2d, v19.2d
	add v20.2d, v20.2d, v21.2d
	add v22.2d, v22.2d, v23.2d
	add v16.2d, v16.2d, v18.2d
	add v20.2d, v20.2d, v22.2d
	add v16.2d, v16.2d, v20.2d
	addp d16, v16.2d
	fmov x4, d16
	adds x3, x3, x4
	adc x3, x3, xzr
	ror x4, x3, #32				/* folds to 32 bits, as in fused */
	add x3, x3, x4
	lsr x3, x3, #32
	add x15, x15, #224
	add x2, x2, x15				/* what no turn has taken */
	cmp x2, #THRESHOLD			/* more than 4 GiB: another round */
	b.hs .Lcopy_round
	b onesum_copy_fused
FUNCTION_END(onesum_copy_neon)
