/* What bench/estimate compares arm64's fused copy with, beside memcpy: a sum in one chain of carries, done well.
 * SPDX-License-Identifier: MIT
 *
 * uint32_t one_chain(const void *data, size_t size, uint32_t seed), for 64 bytes and more. */
	.text
	.globl one_chain
	.type one_chain, %function
one_chain:
	mov w3, w2
	lsr x2, x1, #6
	adds x3, x3, xzr			/* no carry */
1:	ldp x6, x7, [x0], #64
	ldp x8, x9, [x0, #-48]
	ldp x10, x11, [x0, #-32]
	ldp x12, x13, [x0, #-16]
	adcs x3, x3, x6
	adcs x3, x3, x7
	adcs x3, x3, x8
	adcs x3, x3, x9
	adcs x3, x3, x10
	adcs x3, x3, x11
	adcs x3, x3, x12
	adcs x3, x3, x13
	sub x2, x2, #1
	cbnz x2, 1b
	tbz x1, #5, 1f
	ldp x6, x7, [x0], #32
	ldp x8, x9, [x0, #-16]
	adcs x3, x3, x6
	adcs x3, x3, x7
	adcs x3, x3, x8
	adcs x3, x3, x9
1:	tbz x1, #4, 1f
	ldp x6, x7, [x0], #16
	adcs x3, x3, x6
	adcs x3, x3, x7
1:	tbz x1, #3, 1f
	ldr x6, [x0], #8
	adcs x3, x3, x6
1:	tbz x1, #2, 1f
	ldr w6, [x0], #4
	adcs x3, x3, x6
1:	tbz x1, #1, 1f
	ldrh w6, [x0], #2
	adcs x3, x3, x6
1:	tbz x1, #0, 1f
	ldrb w6, [x0]
	adcs x3, x3, x6
1:	adc x3, x3, xzr
	ror x4, x3, #32
	add x3, x3, x4
	lsr x0, x3, #32
	ret
	.size one_chain, . - one_chain
	.section .note.GNU-stack, "", %progbits
