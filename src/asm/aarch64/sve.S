/* Sum and copy with SVE, for vectors of 256 bits and more. SPDX-License-Identifier: MIT
 *
 * `udot` adds four 16-bit words, each times 1, to a 64-bit lane: nothing is lost, and one instruction takes a vector,
 * whatever its length. The cores do one `udot` of this kind a cycle where they load two vectors, so of 8 vectors of a
 * turn two are added to the lanes of a total as they lie, and their upper halves to those of another; the total may
 * overflow, but without the upper halves (shifted up again) it is that of the lower halves, which is exact. The general
 * registers add 48 bytes of a turn in one chain of carries. A copy is limited by its stores, and leaves all to `udot`.
 *
 * Code for any length of vectors, which a thread may change. With 128 bits it is right, but copies slower than neon: the
 * row of the table asks for longer ones. What no turn takes goes in blocks of four vectors whose absent bytes are not loaded
 * and count as 0. Everything is an exact integer: the words of 4 GiB, which is what one round takes at most, sum up to
 * less than 2^62.
 *
 * The THRESHOLDs are the sizes from which the vectors are worth their start and end: below them, everything goes through
 * fused. Cycles of whole calls, one after another, as llvm-mca estimates them on neoverse-v1 (256 bits) and a64fx (512):
 * a sum of 768 bytes takes 31 and 51 here, 34 and 52 in fused; of 512 bytes, 25 and 40 here, 23 and 36 in fused. A copy of
 * 512 bytes takes 21 and 33 here, 33 and 41 in fused; of 384 bytes, 19 and 39 here, 25 and 32 in fused.
 */
#include "asm/aarch64/asm.h"

	.arch armv8-a+sve

#define SUM_THRESHOLD 768
#define COPY_THRESHOLD 512

/* z16 to z23: sums of udot; z24, z25: totals; z26, z27: their upper halves; z31: ones. */
.macro clear
	mov z16.d, #0
	mov z17.d, #0
	mov z18.d, #0
	mov z19.d, #0
	mov z20.d, #0
	mov z21.d, #0
	mov z22.d, #0
	mov z23.d, #0
	mov z24.d, #0
	mov z25.d, #0
	mov z26.d, #0
	mov z27.d, #0
	mov z31.h, #1
.endm

.macro dot vector, sum
	udot z\sum\().d, z\vector\().h, z31.h
.endm

.macro total vector, sum, high
	add z\sum\().d, z\sum\().d, z\vector\().d
	lsr z\vector\().d, z\vector\().d, #32
	add z\high\().d, z\high\().d, z\vector\().d
.endm

/* Four vectors at \src, of which the first x3 bytes count, if there are so many; x8, x9 and x10 are the lengths of 1, 2
   and 3 vectors. */
.macro load_block src
	whilelo p0.b, xzr, x3
	whilelo p1.b, x8, x3
	whilelo p2.b, x9, x3
	whilelo p3.b, x10, x3
	ld1b z0.b, p0/z, [\src]
	ld1b z1.b, p1/z, [\src, #1, mul vl]
	ld1b z2.b, p2/z, [\src, #2, mul vl]
	ld1b z3.b, p3/z, [\src, #3, mul vl]
.endm

/* The sums z16 to z23, joined in z16. */
.macro join
	add z16.d, z16.d, z17.d
	add z18.d, z18.d, z19.d
	add z20.d, z20.d, z21.d
	add z22.d, z22.d, z23.d
	add z16.d, z16.d, z18.d
	add z20.d, z20.d, z22.d
	add z16.d, z16.d, z20.d
.endm

/* The lanes of z16 and the sum in x2, folded to 32 bits in w2, as in fused. */
.macro fold
	ptrue p0.d
	uaddv d16, p0, z16.d
	fmov x4, d16
	adds x2, x2, x4
	adc x2, x2, xzr
	ror x4, x2, #32
	add x2, x2, x4
	lsr x2, x2, #32
.endm

/* ---- uint32_t onesum_sum_sve(const void *data, size_t size, uint32_t seed) ----------------------------------
   x0  the next byte		x2  the sum of what the general registers add, at first the seed
   x1  bytes after this round	x3  bytes of this round
   x5  bytes of a turn		x11 bytes of a block */

FUNCTION(onesum_sum_sve)
	cmp x1, #SUM_THRESHOLD
	b.lo onesum_sum_fused
	rdvl x8, #1
	rdvl x9, #2
	rdvl x10, #3
	rdvl x11, #4
	add x5, x11, x11
	add x5, x5, #48
.Lsum_round:
	mov w2, w2				/* its upper half may hold anything */
	mov x4, #0x100000000
	cmp x1, x4
	csel x3, x1, x4, lo
	sub x1, x1, x3
	clear
	subs x3, x3, x5
	b.lo .Lsum_left
	add x4, x0, #48
	.p2align 6
.Lsum_turn:
	ldp x6, x7, [x0]
	ldp x12, x13, [x0, #16]
	ldp x14, x15, [x0, #32]
	adds x6, x6, x7
	adcs x6, x6, x12
	adcs x6, x6, x13
	adcs x6, x6, x14
	adcs x6, x6, x15
	adcs x2, x2, x6
	adc x2, x2, xzr				/* never wraps: see fused */
	ldr z0, [x4]
	dot 0, 16
	ldr z1, [x4, #1, mul vl]
	dot 1, 17
	ldr z2, [x4, #2, mul vl]
	dot 2, 18
	ldr z3, [x4, #3, mul vl]
	total 3, 24, 26
	ldr z4, [x4, #4, mul vl]
	dot 4, 19
	ldr z5, [x4, #5, mul vl]
	dot 5, 20
	ldr z6, [x4, #6, mul vl]
	dot 6, 21
	ldr z7, [x4, #7, mul vl]
	total 7, 25, 27
	add x0, x0, x5
	add x4, x4, x5
	subs x3, x3, x5
	b.hs .Lsum_turn

.Lsum_left:
	adds x3, x3, x5
	b.eq 2f
1:	load_block x0
	dot 0, 16
	dot 1, 17
	dot 2, 18
	dot 3, 19
	add x0, x0, x11
	subs x3, x3, x11
	b.hi 1b
2:	add z24.d, z24.d, z25.d
	add z26.d, z26.d, z27.d
	join
	lsl z27.d, z26.d, #32
	sub z24.d, z24.d, z27.d
	add z16.d, z16.d, z26.d
	add z16.d, z16.d, z24.d
	fold
	cbnz x1, .Lsum_round			/* more than 4 GiB */
	mov w0, w2
	ret
FUNCTION_END(onesum_sum_sve)

/* ---- uint32_t onesum_copy_sve(void *dst, const void *src, size_t size, uint32_t seed) -----------------------
   x0  the next byte to write	x2  bytes after this round, then the sum
   x1  the next byte to read	x3  the seed, then bytes of this round
   x5  bytes of a turn		x11 bytes of a block
   x12 bytes after this round */

FUNCTION(onesum_copy_sve)
	cmp x2, #COPY_THRESHOLD
	b.lo onesum_copy_fused
	mov x12, x2
	mov w2, w3				/* its upper half may hold anything */
	rdvl x8, #1
	rdvl x9, #2
	rdvl x10, #3
	rdvl x11, #4
	add x5, x11, x11
.Lcopy_round:
	mov x4, #0x100000000
	cmp x12, x4
	csel x3, x12, x4, lo
	sub x12, x12, x3
	clear
	subs x3, x3, x5
	b.lo .Lcopy_left
	.p2align 6
.Lcopy_turn:
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	ldr z\n, [x1, #\n, mul vl]
	str z\n, [x0, #\n, mul vl]
	.endr
	dot 0, 16
	dot 1, 17
	dot 2, 18
	dot 3, 19
	dot 4, 20
	dot 5, 21
	dot 6, 22
	dot 7, 23
	add x1, x1, x5
	add x0, x0, x5
	subs x3, x3, x5
	b.hs .Lcopy_turn

.Lcopy_left:
	adds x3, x3, x5
	b.eq 2f
1:	load_block x1
	st1b z0.b, p0, [x0]
	st1b z1.b, p1, [x0, #1, mul vl]
	st1b z2.b, p2, [x0, #2, mul vl]
	st1b z3.b, p3, [x0, #3, mul vl]
	dot 0, 16
	dot 1, 17
	dot 2, 18
	dot 3, 19
	add x1, x1, x11
	add x0, x0, x11
	subs x3, x3, x11
	b.hi 1b
2:	join
	fold
	cbnz x12, .Lcopy_round			/* more than 4 GiB */
	mov w0, w2
	ret
FUNCTION_END(onesum_copy_sve)
