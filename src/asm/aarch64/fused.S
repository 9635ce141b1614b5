/* Sum and copy in one pass through general registers. SPDX-License-Identifier: MIT
 *
 * No vector register is touched, so both functions serve where that state may not be. Bytes are added as 64-bit
 * words with end-around carry. Of a chain of such additions, sum + carry never passes 2^64 - 1: it starts at or below
 * that, and adding a word to s + carry <= 2^64 - 1 gives at most 2^65 - 2, so that a sum which carries out is at most
 * 2^64 - 2. A last `adc` of zero therefore never wraps, and a chain is 0 only where every word was.
 *
 * Up to 64 bytes no branch depends on the size. Each part of 32, 16, 8, 4, 2 and 1 bytes is loaded always: from the
 * buffer where its bit of the size is set, from a line of zeros where it is not; and stored always, to the
 * destination or to a scratch line on the stack. 64 itself is taken as 56 and one more part of 8.
 *
 * Longer buffers go in turns of 256 bytes, or 512 where they are copied. Each 128 bytes are a chain of their own in
 * x12, begun by `adds`, so that the processor overlaps them; only its last two additions hang on the chain before.
 * What is left over are parts by the bits of the size down to 8, and the last 0 to 7 bytes are the upper bytes of the
 * last 8 of the buffer. The chain that adds them passes through the tests of bits, which leave the carry alone.
 */
#include "asm/aarch64/asm.h"

	.section .rodata
	.p2align 6
	.type zeros, %object
zeros:
	.zero 32
	.size zeros, . - zeros
	.text

/* 64 bytes at \at from the pointer, through x4 to x11. With \step, \at is -\step and the first access moves the
   pointer by \step. */
.macro load64 pointer, at, step=0
	.if \step
	ldp x4, x5, [\pointer], #\step
	.else
	ldp x4, x5, [\pointer, #\at]
	.endif
	ldp x6, x7, [\pointer, #\at + 16]
	ldp x8, x9, [\pointer, #\at + 32]
	ldp x10, x11, [\pointer, #\at + 48]
.endm

.macro store64 pointer, at, step=0
	.if \step
	stp x4, x5, [\pointer], #\step
	.else
	stp x4, x5, [\pointer, #\at]
	.endif
	stp x6, x7, [\pointer, #\at + 16]
	stp x8, x9, [\pointer, #\at + 32]
	stp x10, x11, [\pointer, #\at + 48]
.endm

/* What load64 has loaded, begun as a chain in x12, or added to the chain in \chain. */
.macro begin64
	adds x12, x4, x5
	adcs x12, x12, x6
	adcs x12, x12, x7
	adcs x12, x12, x8
	adcs x12, x12, x9
	adcs x12, x12, x10
	adcs x12, x12, x11
.endm

.macro add64 chain
	adcs \chain, \chain, x4
	adcs \chain, \chain, x5
	adcs \chain, \chain, x6
	adcs \chain, \chain, x7
	adcs \chain, \chain, x8
	adcs \chain, \chain, x9
	adcs \chain, \chain, x10
	adcs \chain, \chain, x11
.endm

/* The chain in x12 joins the sum in x3. */
.macro end_chain
	adcs x3, x3, x12
	adc x3, x3, xzr
.endm

/* The sum in x3 and its carry, folded to 32 bits in w0. x3 + carry is at most 2^64 - 1, so the halves and the carry
   are at most 2^33 - 2, and the last carry does not wrap. */
.macro fold
	lsr x4, x3, #32
	adcs w0, w3, w4
	adc w0, w0, wzr
.endm

/* ---- uint32_t onesum_sum_fused(const void *data, size_t size, uint32_t seed) --------------------------------
   x0  the next byte		x3  the sum, at first the seed
   x1  size			x15 the chain of what is left over
   x13 turns of 256 bytes */

FUNCTION(onesum_sum_fused)
	mov w3, w2
	cmp x1, #64
	b.hi .Lsum_long

	adrp x2, zeros
	add x2, x2, :lo12:zeros
	lsr x14, x1, #6
	sub x1, x1, x14, lsl #3			/* 64 is 56 and a part of 8 */
	ands x13, x1, #32
	csel x12, x0, x2, ne
	add x0, x0, x13
	ldp x4, x5, [x12]
	ldp x6, x7, [x12, #16]
	ands x13, x1, #16
	csel x12, x0, x2, ne
	add x0, x0, x13
	ldp x8, x9, [x12]
	ands x13, x1, #8
	csel x12, x0, x2, ne
	add x0, x0, x13
	ldr x10, [x12]
	cmp x14, #0
	csel x12, x0, x2, ne
	ldr x11, [x12]
	ands x13, x1, #4
	csel x12, x0, x2, ne
	add x0, x0, x13
	ldr w15, [x12]
	add x3, x3, x15			/* four terms below 2^32 */
	ands x13, x1, #2
	csel x12, x0, x2, ne
	add x0, x0, x13
	ldrh w15, [x12]
	add x3, x3, x15
	tst x1, #1
	csel x12, x0, x2, ne
	ldrb w15, [x12]
	add x3, x3, x15
	begin64
	adcs x3, x3, x12
	fold
	ret

	.p2align 6
	.space 64 - 7 * 4			/* the loop, 7 instructions further on, begins a line */
.Lsum_long:
	sub x4, x1, #8
	ldr x15, [x0, x4]			/* the last 8 bytes: the last 0 to 7 of them count */
	lsr x15, x15, #1
	mvn w4, w1, lsl #3			/* 63 - 8 * (size mod 8), mod 64 */
	lsr x15, x15, x4
	lsr x13, x1, #8
	cbz x13, .Lsum_rest
.Lsum_turn:
	load64 x0, -256, 256
	begin64
	load64 x0, -192
	add64 x12
	end_chain
	load64 x0, -128
	begin64
	load64 x0, -64
	add64 x12
	end_chain
	sub x13, x13, #1
	cbnz x13, .Lsum_turn

.Lsum_rest:
	tbz x1, #7, 1f
	load64 x0, -128, 128
	begin64
	load64 x0, -64
	add64 x12
	end_chain
1:	adds x15, x15, xzr			/* no carry */
	tbz x1, #6, 1f
	load64 x0, -64, 64
	add64 x15
1:	tbz x1, #5, 1f
	ldp x4, x5, [x0], #32
	ldp x6, x7, [x0, #-16]
	adcs x15, x15, x4
	adcs x15, x15, x5
	adcs x15, x15, x6
	adcs x15, x15, x7
1:	tbz x1, #4, 1f
	ldp x4, x5, [x0], #16
	adcs x15, x15, x4
	adcs x15, x15, x5
1:	tbz x1, #3, 1f
	ldr x4, [x0]
	adcs x15, x15, x4
1:	adcs x3, x3, x15
	fold
	ret
FUNCTION_END(onesum_sum_fused)

/* ---- uint32_t onesum_copy_fused(void *dst, const void *src, size_t size, uint32_t seed) ---------------------
   x0  the next byte to write	x3  the sum, at first the seed
   x1  the next byte to read	x13 turns of 512 bytes
   x2  size			x15 the chain of what is left over */

FUNCTION(onesum_copy_fused)
	mov w3, w3				/* its upper half may hold anything */
	cmp x2, #64
	b.hi .Lcopy_long

	sub sp, sp, #32
	.cfi_adjust_cfa_offset 32
	mov x17, sp				/* where absent parts are stored */
	adrp x16, zeros
	add x16, x16, :lo12:zeros
	lsr x14, x2, #6
	sub x2, x2, x14, lsl #3			/* 64 is 56 and a part of 8 */
	ands x13, x2, #32
	csel x12, x1, x16, ne
	csel x15, x0, x17, ne
	add x1, x1, x13
	add x0, x0, x13
	ldp x4, x5, [x12]
	ldp x6, x7, [x12, #16]
	stp x4, x5, [x15]
	stp x6, x7, [x15, #16]
	ands x13, x2, #16
	csel x12, x1, x16, ne
	csel x15, x0, x17, ne
	add x1, x1, x13
	add x0, x0, x13
	ldp x8, x9, [x12]
	stp x8, x9, [x15]
	ands x13, x2, #8
	csel x12, x1, x16, ne
	csel x15, x0, x17, ne
	add x1, x1, x13
	add x0, x0, x13
	ldr x10, [x12]
	str x10, [x15]
	cmp x14, #0
	csel x12, x1, x16, ne
	csel x15, x0, x17, ne
	ldr x11, [x12]
	str x11, [x15]
	ands x13, x2, #4
	csel x12, x1, x16, ne
	csel x15, x0, x17, ne
	add x1, x1, x13
	add x0, x0, x13
	ldr w14, [x12]
	str w14, [x15]
	add x3, x3, x14			/* four terms below 2^32 */
	ands x13, x2, #2
	csel x12, x1, x16, ne
	csel x15, x0, x17, ne
	add x1, x1, x13
	add x0, x0, x13
	ldrh w14, [x12]
	strh w14, [x15]
	add x3, x3, x14
	tst x2, #1
	csel x12, x1, x16, ne
	csel x15, x0, x17, ne
	ldrb w14, [x12]
	strb w14, [x15]
	add x3, x3, x14
	add sp, sp, #32
	.cfi_adjust_cfa_offset -32
	begin64
	adcs x3, x3, x12
	fold
	ret

	.p2align 6
	.space 64 - 8 * 4			/* the loop, 8 instructions further on, begins a line */
.Lcopy_long:
	sub x4, x2, #8
	ldr x15, [x1, x4]			/* the last 8 bytes: the last 0 to 7 of them count */
	str x15, [x0, x4]
	lsr x15, x15, #1
	mvn w4, w2, lsl #3			/* 63 - 8 * (size mod 8), mod 64 */
	lsr x15, x15, x4
	lsr x13, x2, #9
	cbz x13, .Lcopy_rest
.Lcopy_turn:
	.rept 2
	load64 x1, -256, 256
	store64 x0, -256, 256
	begin64
	load64 x1, -192
	store64 x0, -192
	add64 x12
	end_chain
	load64 x1, -128
	store64 x0, -128
	begin64
	load64 x1, -64
	store64 x0, -64
	add64 x12
	end_chain
	.endr
	sub x13, x13, #1
	cbnz x13, .Lcopy_turn

.Lcopy_rest:
	tbz x2, #8, 1f
	load64 x1, -256, 256
	store64 x0, -256, 256
	begin64
	.irp at, -192, -128, -64
	load64 x1, \at
	store64 x0, \at
	add64 x12
	.endr
	end_chain
1:	adds x15, x15, xzr			/* no carry */
	tbz x2, #7, 1f
	load64 x1, -128, 128
	store64 x0, -128, 128
	add64 x15
	load64 x1, -64
	store64 x0, -64
	add64 x15
1:	tbz x2, #6, 1f
	load64 x1, -64, 64
	store64 x0, -64, 64
	add64 x15
1:	tbz x2, #5, 1f
	ldp x4, x5, [x1], #32
	ldp x6, x7, [x1, #-16]
	stp x4, x5, [x0], #32
	stp x6, x7, [x0, #-16]
	adcs x15, x15, x4
	adcs x15, x15, x5
	adcs x15, x15, x6
	adcs x15, x15, x7
1:	tbz x2, #4, 1f
	ldp x4, x5, [x1], #16
	stp x4, x5, [x0], #16
	adcs x15, x15, x4
	adcs x15, x15, x5
1:	tbz x2, #3, 1f
	ldr x4, [x1]
	str x4, [x0]
	adcs x15, x15, x4
1:	adcs x3, x3, x15
	fold
	ret
FUNCTION_END(onesum_copy_fused)
