/* The jump table of 2016. SPDX-License-Identifier: MIT
 *
 * A sum of more than 8 bytes enters an unrolled run of 64-bit add-with-carry at the point from which just size / 8
 * mod 8 words are left, goes on through blocks of 64 bytes with the carry kept, and folds to 32 bits; its last 0 to
 * 7 bytes, and all of a shorter one, go through a table of eight targets. Exactly 8 bytes are two additions.
 * Nothing is aligned. The table holds 32-bit distances, so the code may lie anywhere; it is indexed by the size
 * mod 8 alone.
 *
 * Between the first and the last adc only lea, dec, mov and jumps, none of which touches the carry.
 */
#include "asm/x86_64/asm.h"

/* A computed jump enters a run of equal steps some steps before its end. The assembler stops where the first step or
   the whole run is not exactly as long as the jump supposes. */
#define CHECK_LENGTH(begin, end, bytes)      \
	.if (end - begin) != (bytes);        \
	.error "a step of the run does not have the length that the jump into it relies on"; \
	.endif

/* ---- uint32_t onesum_sum_jump_table(const void *data, size_t size, uint32_t seed) ----------------------------
   rdi  the next byte		rax  the sum
   rsi  size			rcx  blocks of 64 bytes, plus 1
   r8   words before them	r11  target */

FUNCTION(onesum_sum_jump_table)
	movl %edx, %eax
	cmpq $8, %rsi
	jb .Lsum_tail
	je .Lsum_8

	movq %rsi, %rcx
	shrq $6, %rcx
	incq %rcx
	movl %esi, %r8d
	shrl $3, %r8d
	andl $7, %r8d
	leaq .Lsum_words_end(%rip), %r11
	leaq (, %r8, 4), %r9
	subq %r9, %r11			/* 4 bytes of code for each word */
	testl %eax, %eax		/* clears the carry */
	notrack jmp *%r11

.Lsum_words:
	adcq 48(%rdi), %rax
.Lsum_step:
	adcq 40(%rdi), %rax
	adcq 32(%rdi), %rax
	adcq 24(%rdi), %rax
	adcq 16(%rdi), %rax
	adcq 8(%rdi), %rax
	{disp8} adcq (%rdi), %rax	/* as long as the others */
.Lsum_words_end:
	CHECK_LENGTH(.Lsum_words, .Lsum_step, 4)
	CHECK_LENGTH(.Lsum_words, .Lsum_words_end, 7 * 4)
	leaq (%rdi, %r8, 8), %rdi
	jmp .Lsum_count

	.p2align 6
.Lsum_block:
	adcq (%rdi), %rax
	adcq 8(%rdi), %rax
	adcq 16(%rdi), %rax
	adcq 24(%rdi), %rax
	adcq 32(%rdi), %rax
	adcq 40(%rdi), %rax
	adcq 48(%rdi), %rax
	adcq 56(%rdi), %rax
	leaq 64(%rdi), %rdi
.Lsum_count:
	decq %rcx
	jnz .Lsum_block
	adcq $0, %rax

	movq %rax, %rdx			/* to 32 bits, so that the tail cannot overflow 64 */
	shrq $32, %rdx
	addl %edx, %eax
	adcl $0, %eax
	andl $7, %esi

/* rax: a sum below 2^32; rsi: 0 to 7. What the tail adds keeps it below 2^34. */
.Lsum_tail:
	leaq .Lsum_table(%rip), %r11
	movslq (%r11, %rsi, 4), %rcx
	addq %rcx, %r11
	notrack jmp *%r11

.Lsum_7:
	movzbl 6(%rdi), %ecx
	addq %rcx, %rax
.Lsum_6:
	movzwl 4(%rdi), %ecx
	addq %rcx, %rax
.Lsum_4:
	movl (%rdi), %ecx
	addq %rcx, %rax
	jmp .Lsum_fold
.Lsum_5:
	movzbl 4(%rdi), %ecx
	movl (%rdi), %edx
	addq %rcx, %rax
	addq %rdx, %rax
	jmp .Lsum_fold
.Lsum_3:
	movzbl 2(%rdi), %ecx
	addq %rcx, %rax
.Lsum_2:
	movzwl (%rdi), %ecx
	addq %rcx, %rax
	jmp .Lsum_fold
.Lsum_1:
	movzbl (%rdi), %ecx
	addq %rcx, %rax
.Lsum_fold:
	movq %rax, %rcx
	shrq $32, %rcx
	addl %ecx, %eax
	adcl $0, %eax
.Lsum_0:
	ret

.Lsum_8:
	addl (%rdi), %eax
	adcl 4(%rdi), %eax
	adcl $0, %eax
	ret
FUNCTION_END(onesum_sum_jump_table)

/* ---- uint32_t onesum_copy_jump_table(void *dst, const void *src, size_t size, uint32_t seed) -------------------
   rdi  the next byte to write	rax  the sum
   rsi  the next byte to read	rcx  blocks of 64 bytes, plus 1
   rdx  size			r8   words before them
   r10  a word			r11  target */

#define COPY_WORD(offset)                    \
	{disp8} movq offset(%rsi), %r10;     \
	{disp8} movq %r10, offset(%rdi);     \
	adcq %r10, %rax

FUNCTION(onesum_copy_jump_table)
	movl %ecx, %eax
	cmpq $8, %rdx
	jb .Lcopy_tail
	je .Lcopy_8

	movq %rdx, %rcx
	shrq $6, %rcx
	incq %rcx
	movl %edx, %r8d
	shrl $3, %r8d
	andl $7, %r8d
	leaq .Lcopy_words_end(%rip), %r11
	leaq (%r8, %r8, 4), %r9
	leaq (%r8, %r9, 2), %r9
	subq %r9, %r11			/* 11 bytes of code for each word */
	testl %eax, %eax		/* clears the carry */
	notrack jmp *%r11

.Lcopy_words:
	COPY_WORD(48)
.Lcopy_step:
	COPY_WORD(40)
	COPY_WORD(32)
	COPY_WORD(24)
	COPY_WORD(16)
	COPY_WORD(8)
	COPY_WORD(0)
.Lcopy_words_end:
	CHECK_LENGTH(.Lcopy_words, .Lcopy_step, 11)
	CHECK_LENGTH(.Lcopy_words, .Lcopy_words_end, 7 * 11)
	leaq (%rsi, %r8, 8), %rsi
	leaq (%rdi, %r8, 8), %rdi
	jmp .Lcopy_count

	.p2align 6
.Lcopy_block:
	COPY_WORD(0)
	COPY_WORD(8)
	COPY_WORD(16)
	COPY_WORD(24)
	COPY_WORD(32)
	COPY_WORD(40)
	COPY_WORD(48)
	COPY_WORD(56)
	leaq 64(%rsi), %rsi
	leaq 64(%rdi), %rdi
.Lcopy_count:
	decq %rcx
	jnz .Lcopy_block
	adcq $0, %rax

	movq %rax, %rcx
	shrq $32, %rcx
	addl %ecx, %eax
	adcl $0, %eax
	andl $7, %edx

/* rax: a sum below 2^32; rdx: 0 to 7. What the tail adds keeps it below 2^34. */
.Lcopy_tail:
	leaq .Lcopy_table(%rip), %r11
	movslq (%r11, %rdx, 4), %rcx
	addq %rcx, %r11
	notrack jmp *%r11

.Lcopy_7:
	movzbl 6(%rsi), %ecx
	movb %cl, 6(%rdi)
	addq %rcx, %rax
.Lcopy_6:
	movzwl 4(%rsi), %ecx
	movw %cx, 4(%rdi)
	addq %rcx, %rax
.Lcopy_4:
	movl (%rsi), %ecx
	movl %ecx, (%rdi)
	addq %rcx, %rax
	jmp .Lcopy_fold
.Lcopy_5:
	movzbl 4(%rsi), %ecx
	movl (%rsi), %edx
	movb %cl, 4(%rdi)
	movl %edx, (%rdi)
	addq %rcx, %rax
	addq %rdx, %rax
	jmp .Lcopy_fold
.Lcopy_3:
	movzbl 2(%rsi), %ecx
	movb %cl, 2(%rdi)
	addq %rcx, %rax
.Lcopy_2:
	movzwl (%rsi), %ecx
	movw %cx, (%rdi)
	addq %rcx, %rax
	jmp .Lcopy_fold
.Lcopy_1:
	movzbl (%rsi), %ecx
	movb %cl, (%rdi)
	addq %rcx, %rax
.Lcopy_fold:
	movq %rax, %rcx
	shrq $32, %rcx
	addl %ecx, %eax
	adcl $0, %eax
.Lcopy_0:
	ret

.Lcopy_8:
	movl (%rsi), %ecx
	movl 4(%rsi), %edx
	movl %ecx, (%rdi)
	movl %edx, 4(%rdi)
	addl %ecx, %eax
	adcl %edx, %eax
	adcl $0, %eax
	ret
FUNCTION_END(onesum_copy_jump_table)

	CONSTANTS
	.p2align 5
.Lsum_table:
	.long .Lsum_0 - .Lsum_table, .Lsum_1 - .Lsum_table, .Lsum_2 - .Lsum_table, .Lsum_3 - .Lsum_table
	.long .Lsum_4 - .Lsum_table, .Lsum_5 - .Lsum_table, .Lsum_6 - .Lsum_table, .Lsum_7 - .Lsum_table
.Lcopy_table:
	.long .Lcopy_0 - .Lcopy_table, .Lcopy_1 - .Lcopy_table, .Lcopy_2 - .Lcopy_table, .Lcopy_3 - .Lcopy_table
	.long .Lcopy_4 - .Lcopy_table, .Lcopy_5 - .Lcopy_table, .Lcopy_6 - .Lcopy_table, .Lcopy_7 - .Lcopy_table
