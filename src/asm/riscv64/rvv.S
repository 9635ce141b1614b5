/* Sum and copy with RISC-V's vectors (V 1.0), of any length. SPDX-License-Identifier: MIT
 *
 * `vwaddu.wv` adds 32-bit words to 64-bit lanes: nothing is lost. A turn takes two groups of four registers; what it
 * leaves over, which is less, is loaded into the same eight registers after they are cleared, so that no branch depends
 * on how much it is. Bytes are what is loaded and stored, because those may lie at any address; changing the width of
 * the elements afterwards costs nothing but the instruction.
 *
 * What four registers hold goes another way, because the lanes cost more to clear and to join than such a sum itself:
 * cleared, loaded and reduced at once, without a branch. With registers of 128 bits that is up to 64 bytes.
 *
 * Everything is an exact integer: the 32-bit words of 4 GiB, which is what one round takes at most, sum up to less than
 * 2^62. (A test takes rounds of 2^ROUND_BITS bytes that are shorter.)
 */
#ifndef ROUND_BITS
#define ROUND_BITS 32
#endif

	.option arch, +v
	.section .note.GNU-stack, "", %progbits
	.text

/* A function that the library does not export. */
#define FUNCTION(name)                       \
	.p2align 6;                          \
	.globl name;                         \
	.hidden name;                        \
	.type name, %function;               \
name:                                        \
	.cfi_startproc

#define FUNCTION_END(name)                   \
	.cfi_endproc;                        \
	.size name, . - name

/* v8 to v23 are the lanes, v0 to v7 what is loaded. */
.macro clear_lanes
	vsetvli t0, zero, e64, m8, ta, ma
	vmv.v.i v8, 0
	vmv.v.i v16, 0
	vsetvli t0, zero, e32, m4, ta, ma
.endm

.macro add_words
	vwaddu.wv v8, v8, v0
	vwaddu.wv v16, v16, v4
.endm

/* The 64-bit sum \sum and all lanes, folded to 32 bits, which the calling convention extends by their sign. The first
   addition leaves at most 2^33 - 2, so that the second does not carry. */
.macro fold sum
	srli t0, \sum, 32
	slli \sum, \sum, 32
	srli \sum, \sum, 32
	add \sum, \sum, t0
	srli t0, \sum, 32
	addw \sum, \sum, t0
.endm

.macro join_lanes sum
	vsetvli t0, zero, e64, m8, ta, ma
	vadd.vv v8, v8, v16
	vmv.s.x v0, \sum
	vredsum.vs v0, v8, v0
	vmv.x.s \sum, v0
	fold \sum
.endm

/* The upper half of a 32-bit argument is its sign. */
.macro extend sum
	slli \sum, \sum, 32
	srli \sum, \sum, 32
.endm

/* \size of the next round out of the \left bytes that are left. */
.macro next_round size, left
	li \size, 1
	slli \size, \size, ROUND_BITS
	bgeu \left, \size, 1f
	mv \size, \left
1:	sub \left, \left, \size
.endm

/* ---- uint32_t onesum_sum_rvv(const void *data, size_t size, uint32_t seed) ----------------------------------
   a0  the next byte		t1  bytes of a turn, eight registers
   a1  size, then that of this	t2  bytes of half a turn
       round			t3  bytes after this round
   a2  the sum, at first seed */

FUNCTION(onesum_sum_rvv)
	extend a2
	vsetvli t2, zero, e8, m4, ta, ma
	bgtu a1, t2, .Lsum_long
	vmv.v.i v0, 0
	vsetvli zero, a1, e8, m4, tu, ma
	vle8.v v0, (a0)
.Lreduce:
	vsetvli t0, zero, e32, m4, ta, ma
	vmv.v.i v8, 0
	vwredsumu.vs v8, v0, v8
	vsetivli zero, 1, e64, m1, ta, ma
	vmv.x.s a0, v8
	add a0, a0, a2				/* below 2^46: registers have 2^16 bits at most */
	fold a0
	ret

.Lsum_long:
	slli t1, t2, 1
	mv t3, a1
.Lsum_round:
	next_round a1, t3
	clear_lanes
	bltu a1, t1, .Lsum_left
	add a3, a0, t2
	sub a1, a1, t1
	.p2align 6
.Lsum_turn:
	vl4re8.v v0, (a0)
	vl4re8.v v4, (a3)
	add a0, a0, t1
	add a3, a3, t1
	sub a1, a1, t1
	add_words
	bgez a1, .Lsum_turn
	add a1, a1, t1

.Lsum_left:
	vsetvli t0, zero, e8, m8, ta, ma
	vmv.v.i v0, 0
	vsetvli zero, a1, e8, m8, tu, ma
	vle8.v v0, (a0)
	vsetvli t0, zero, e32, m4, ta, ma
	add_words
	add a0, a0, a1
	join_lanes a2
	beqz t3, .Lsum_end
	extend a2
	j .Lsum_round
.Lsum_end:
	mv a0, a2
	ret
FUNCTION_END(onesum_sum_rvv)

/* ---- uint32_t onesum_copy_rvv(void *dst, const void *src, size_t size, uint32_t seed) -----------------------
   a0  the next byte to write	t1  bytes of a turn, eight registers
   a1  the next byte to read	t2  bytes of half a turn
   a2  size, then the sum	t3  bytes after this round
   a3  the seed, then bytes of this round
   a4, a5  half a turn after a0 and a1 */

FUNCTION(onesum_copy_rvv)
	vsetvli t2, zero, e8, m4, ta, ma
	extend a3
	bgtu a2, t2, .Lcopy_long
	vmv.v.i v0, 0
	vsetvli zero, a2, e8, m4, tu, ma
	vle8.v v0, (a1)
	vse8.v v0, (a0)
	mv a2, a3
	j .Lreduce

.Lcopy_long:
	slli t1, t2, 1
	mv t3, a2
	mv a2, a3
.Lcopy_round:
	next_round a3, t3
	clear_lanes
	bltu a3, t1, .Lcopy_left
	add a4, a0, t2
	add a5, a1, t2
	sub a3, a3, t1
	.p2align 6
.Lcopy_turn:
	vl4re8.v v0, (a1)
	vl4re8.v v4, (a5)
	add a1, a1, t1
	add a5, a5, t1
	vs4r.v v0, (a0)
	vs4r.v v4, (a4)
	add a0, a0, t1
	add a4, a4, t1
	sub a3, a3, t1
	add_words
	bgez a3, .Lcopy_turn
	add a3, a3, t1

.Lcopy_left:
	vsetvli t0, zero, e8, m8, ta, ma
	vmv.v.i v0, 0
	vsetvli zero, a3, e8, m8, tu, ma
	vle8.v v0, (a1)
	vse8.v v0, (a0)
	vsetvli t0, zero, e32, m4, ta, ma
	add_words
	add a0, a0, a3
	add a1, a1, a3
	join_lanes a2
	beqz t3, .Lcopy_end
	extend a2
	j .Lcopy_round
.Lcopy_end:
	mv a0, a2
	ret
FUNCTION_END(onesum_copy_rvv)
