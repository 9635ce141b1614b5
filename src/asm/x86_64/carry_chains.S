/* Sums in general registers: adc and adx. SPDX-License-Identifier: MIT
 *
 * 2^64 is congruent to 1 modulo 0xffff: the carry out of a 64-bit addition may be added again at any place, to any of
 * several sums. Such a sum never becomes 0 unless all that it was made of is 0.
 *
 * adc  four sums, each of which takes four words and then lends its carry to a counter. The first of the four is an
 *      add, which needs no carry, so that the four chains do not wait for each other.
 * adx  two sums in one chain each, one through the carry flag (adcx), one through the overflow flag (adox). Both flags
 *      live through the whole loop: nothing else in it touches a flag.
 *
 * Both sum 128 bytes a turn, and then 0 to 127 bytes without a branch that depends on the size: an unpredictable size
 * costs nothing there. Copies take 64 bytes a turn and go through in one pass at any size, because the additions hold
 * them up more than the stores: a copy in blocks, by a string instruction and then a sum, was slower at 32 KiB to 1 MiB.
 */
#include "asm/x86_64/asm.h"

/* Whether the size has bit `bytes` decides whether the buffer holds a part of so many bytes, behind the larger parts.
   Its address is selected, not jumped to: `absent` is a register with the address to use where there is none.
   `part` and `part32` are the 64 and 32 bits of the same register, `size32` is the size. */
#define SELECT(bytes, size32, begin, absent, part, part32) \
	movl size32, part32;                 \
	andl $(128 - 2 * bytes), part32;     \
	addq begin, part;                    \
	testl $bytes, size32;                \
	cmovzq absent, part

/* ---- The sum's last 0 to 63 bytes -----------------------------------------------------------------------------
   rdi  where they are, if bit 6 of the size is 0;	rax  the sum so far, of 64 bits
        64 bytes before them, if it is 1		rsi  size; higher bits don't count
   Changes rcx, rdx and r8 to r11. */

TAIL(onesum_sum_tail)
	leaq .Lzeros(%rip), %r8
	SELECT(1, %esi, %rdi, %r8, %r9, %r9d)
	movzbl (%r9), %r9d
	SELECT(2, %esi, %rdi, %r8, %r10, %r10d)
	movzwl (%r10), %r10d
	SELECT(4, %esi, %rdi, %r8, %r11, %r11d)
	movl (%r11), %r11d
	addq %r10, %r9
	addq %r11, %r9			/* below 2^33 */
	SELECT(8, %esi, %rdi, %r8, %r10, %r10d)
	SELECT(16, %esi, %rdi, %r8, %r11, %r11d)
	SELECT(32, %esi, %rdi, %r8, %rcx, %ecx)
	addq %r9, %rax
	adcq (%r10), %rax
	adcq (%r11), %rax
	adcq 8(%r11), %rax
	adcq (%rcx), %rax
	adcq 8(%rcx), %rax
	adcq 16(%rcx), %rax
	adcq 24(%rcx), %rax
	adcq $0, %rax
	movq %rax, %rdx
	shrq $32, %rdx
	addl %edx, %eax
	adcl $0, %eax
	ret
FUNCTION_END(onesum_sum_tail)

/* ---- uint32_t onesum_sum_adc(const void *data, size_t size, uint32_t seed) -------------------------------------
   rdi  the next byte		rax, r9, r10, r11  the sums
   rsi  size			rcx  how many carries they gave
   rdx  bytes of whole turns that are left */

/* Four words from `at` bytes behind rdi, into one of the sums. */
#define ADC_WORDS(at, sum)                   \
	addq at(%rdi), sum;                  \
	adcq at + 8(%rdi), sum;              \
	adcq at + 16(%rdi), sum;             \
	adcq at + 24(%rdi), sum;             \
	adcq $0, %rcx

FUNCTION(onesum_sum_adc)
	movl %edx, %eax
	cmpq $64, %rsi
	jb onesum_sum_tail

	xorl %ecx, %ecx
	xorl %r9d, %r9d
	xorl %r10d, %r10d
	xorl %r11d, %r11d
	movq %rsi, %rdx
	andq $-128, %rdx
	jz .Ladc_64

	.p2align 6
.Ladc_turn:
	ADC_WORDS(0, %rax)
	ADC_WORDS(32, %r9)
	ADC_WORDS(64, %r10)
	ADC_WORDS(96, %r11)
	subq $-128, %rdi		/* 128 itself would take four bytes */
	addq $-128, %rdx
	jnz .Ladc_turn

.Ladc_64:				/* 64 bytes more, or as many zeros */
	leaq .Lzeros(%rip), %r8
	testl $64, %esi
	cmovnzq %rdi, %r8
	addq (%r8), %rax
	adcq 8(%r8), %rax
	adcq 16(%r8), %rax
	adcq 24(%r8), %rax
	adcq $0, %rcx
	addq 32(%r8), %r9
	adcq 40(%r8), %r9
	adcq 48(%r8), %r9
	adcq 56(%r8), %r9
	adcq %r10, %rax
	adcq %r11, %rax
	adcq %r9, %rax
	adcq %rcx, %rax
	adcq $0, %rax
	jmp onesum_sum_tail
FUNCTION_END(onesum_sum_adc)

/* ---- uint32_t onesum_sum_adx(const void *data, size_t size, uint32_t seed) -------------------------------------
   rdi  the next byte		rax, r9  the sums
   rsi  size			rcx  turns that are left, 0 in the end */

#define ADX_WORDS(at)                        \
	adcxq at(%rdi), %rax;                \
	adoxq at + 8(%rdi), %r9;             \
	adcxq at + 16(%rdi), %rax;           \
	adoxq at + 24(%rdi), %r9

FUNCTION(onesum_sum_adx)
	movl %edx, %eax
	cmpq $64, %rsi
	jb onesum_sum_tail

	leaq .Lzeros(%rip), %r8		/* the 64 bytes behind the turns, or as many zeros */
	movq %rsi, %rcx
	andq $-128, %rcx
	addq %rdi, %rcx
	testl $64, %esi
	cmovnzq %rcx, %r8
	movq %rsi, %rcx
	shrq $7, %rcx
	xorl %r9d, %r9d			/* clears both flags */
	jrcxz .Ladx_64
	jmp .Ladx_turn

.Ladx_64:
	adcxq (%r8), %rax
	adoxq 8(%r8), %r9
	adcxq 16(%r8), %rax
	adoxq 24(%r8), %r9
	adcxq 32(%r8), %rax
	adoxq 40(%r8), %r9
	adcxq 48(%r8), %rax
	adoxq 56(%r8), %r9
	adcxq %rcx, %rax
	adoxq %rcx, %r9
	addq %r9, %rax
	adcq $0, %rax
	jmp onesum_sum_tail

	.p2align 6
.Ladx_turn:
	ADX_WORDS(0)
	ADX_WORDS(32)
	ADX_WORDS(64)
	ADX_WORDS(96)
	leaq 128(%rdi), %rdi
	leaq -1(%rcx), %rcx
	jrcxz .Ladx_last
	jmp .Ladx_turn
.Ladx_last:
	jmp .Ladx_64
FUNCTION_END(onesum_sum_adx)

/* ---- The copy's last 0 to 63 bytes ----------------------------------------------------------------------------
   rdi  where they go		rax  the sum so far, of 64 bits
   rsi  where they are		rdx  size; bits 0 to 5 count
   An absent part is copied from the zeros (r8) to the red zone of the stack (r9), which nobody reads.
   Changes rcx and r8 to r11. */

#define SELECT_COPY(bytes)                   \
	movl %edx, %ecx;                     \
	andl $(64 - 2 * bytes), %ecx;        \
	leaq (%rsi, %rcx), %r10;             \
	addq %rdi, %rcx;                     \
	testl $bytes, %edx;                  \
	cmovzq %r8, %r10;                    \
	cmovzq %r9, %rcx

TAIL(onesum_copy_tail)
	leaq .Lzeros(%rip), %r8
	leaq -64(%rsp), %r9
	SELECT_COPY(1)
	movzbl (%r10), %r11d
	movb %r11b, (%rcx)
	SELECT_COPY(2)
	movzwl (%r10), %r10d
	movw %r10w, (%rcx)
	addq %r10, %r11
	SELECT_COPY(4)
	movl (%r10), %r10d
	movl %r10d, (%rcx)
	addq %r10, %r11			/* below 2^33 */
	SELECT_COPY(8)
	movq (%r10), %r10
	movq %r10, (%rcx)
	addq %r10, %r11
	adcq $0, %r11
	addq %r11, %rax
	adcq $0, %rax
	SELECT_COPY(16)
	movq (%r10), %r11
	movq 8(%r10), %r10
	movq %r11, (%rcx)
	movq %r10, 8(%rcx)
	addq %r11, %rax
	adcq %r10, %rax
	adcq $0, %rax
	SELECT_COPY(32)
	movq (%r10), %r8
	movq 8(%r10), %r9
	movq 16(%r10), %r11
	movq 24(%r10), %r10
	movq %r8, (%rcx)
	movq %r9, 8(%rcx)
	movq %r11, 16(%rcx)
	movq %r10, 24(%rcx)
	addq %r8, %rax
	adcq %r9, %rax
	adcq %r11, %rax
	adcq %r10, %rax
	adcq $0, %rax
	movq %rax, %rcx
	shrq $32, %rcx
	addl %ecx, %eax
	adcl $0, %eax
	ret
FUNCTION_END(onesum_copy_tail)

/* ---- uint32_t onesum_copy_adc(void *dst, const void *src, size_t size, uint32_t seed) --------------------------
   rdi  the next byte to write	rax, r11  the sums
   rsi  the next byte to read	r10  how many carries they gave
   rdx  size			rcx  bytes of whole turns that are left
   r8, r9  words */

FUNCTION(onesum_copy_adc)
	movl %ecx, %eax
	cmpq $64, %rdx
	jb onesum_copy_tail

	xorl %r10d, %r10d
	xorl %r11d, %r11d
	movq %rdx, %rcx
	andq $-64, %rcx

	.p2align 6
.Ladc_copy_turn:
	movq (%rsi), %r8
	movq 8(%rsi), %r9
	movq %r8, (%rdi)
	movq %r9, 8(%rdi)
	addq %r8, %rax
	adcq %r9, %rax
	movq 16(%rsi), %r8
	movq 24(%rsi), %r9
	movq %r8, 16(%rdi)
	movq %r9, 24(%rdi)
	adcq %r8, %rax
	adcq %r9, %rax
	adcq $0, %r10
	movq 32(%rsi), %r8
	movq 40(%rsi), %r9
	movq %r8, 32(%rdi)
	movq %r9, 40(%rdi)
	addq %r8, %r11
	adcq %r9, %r11
	movq 48(%rsi), %r8
	movq 56(%rsi), %r9
	movq %r8, 48(%rdi)
	movq %r9, 56(%rdi)
	adcq %r8, %r11
	adcq %r9, %r11
	adcq $0, %r10
	addq $64, %rsi
	addq $64, %rdi
	subq $64, %rcx
	jnz .Ladc_copy_turn

	addq %r11, %rax
	adcq %r10, %rax
	adcq $0, %rax
	jmp onesum_copy_tail
FUNCTION_END(onesum_copy_adc)

/* ---- uint32_t onesum_copy_adx(void *dst, const void *src, size_t size, uint32_t seed) --------------------------
   rdi  the next byte to write	rax, r11  the sums
   rsi  the next byte to read	rcx  turns that are left, 0 in the end
   rdx  size			r8, r9  words */

#define ADX_COPY(at)                         \
	movq at(%rsi), %r8;                  \
	movq at + 8(%rsi), %r9;              \
	movq %r8, at(%rdi);                  \
	movq %r9, at + 8(%rdi);              \
	adcxq %r8, %rax;                     \
	adoxq %r9, %r11

FUNCTION(onesum_copy_adx)
	movl %ecx, %eax
	cmpq $64, %rdx
	jb onesum_copy_tail

	movq %rdx, %rcx
	shrq $6, %rcx
	xorl %r11d, %r11d		/* clears both flags */

	.p2align 6
.Ladx_copy_turn:
	ADX_COPY(0)
	ADX_COPY(16)
	ADX_COPY(32)
	ADX_COPY(48)
	leaq 64(%rsi), %rsi
	leaq 64(%rdi), %rdi
	leaq -1(%rcx), %rcx
	jrcxz .Ladx_copy_end
	jmp .Ladx_copy_turn

.Ladx_copy_end:
	adcxq %rcx, %rax
	adoxq %rcx, %r11
	addq %r11, %rax
	adcq $0, %rax
	jmp onesum_copy_tail
FUNCTION_END(onesum_copy_adx)

	CONSTANTS
	.p2align 6
.Lzeros:
	.zero 64
