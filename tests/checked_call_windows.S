/* A call that looks at the registers which the convention of Windows makes a function keep. SPDX-License-Identifier: MIT
 *
 * void checked_call(struct CheckedCall *call): poisons those registers, calls, and writes down what came back. The
 * fields and their places are those in checked_call_windows_test.cc. */

#define TARGET 0
#define ARGUMENTS 8
#define POISON 40
#define RESULT 48
#define STACK 56
#define KEPT 64
#define VECTORS 128

	.text
	.globl checked_call
checked_call:
	pushq %rbx
	pushq %rbp
	pushq %rdi
	pushq %rsi
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	subq $200, %rsp			/* 32 bytes are the callee's, 160 hold vectors, 8 align */
	.irp n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups %xmm\n, 32 + 16 * (\n - 6)(%rsp)
	.endr
	movq %rcx, .Lcall(%rip)
	movq %rsp, .Lstack(%rip)

	movq POISON(%rcx), %rax
	.irp name, rbx, rbp, rdi, rsi, r12, r13, r14, r15, r10, r11
	movq %rax, %\name
	.endr
	movq %rax, %xmm6
	punpcklqdq %xmm6, %xmm6
	.irp n, 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movdqa %xmm6, %xmm\n
	.endr
	movq TARGET(%rcx), %rax
	movq ARGUMENTS + 8(%rcx), %rdx
	movq ARGUMENTS + 16(%rcx), %r8
	movq ARGUMENTS + 24(%rcx), %r9
	movq ARGUMENTS(%rcx), %rcx
	call *%rax

	movq .Lcall(%rip), %rcx
	movq %rax, RESULT(%rcx)
	movq %rsp, STACK(%rcx)
	movq .Lstack(%rip), %rsp
	subq %rsp, STACK(%rcx)
	cld
	movq %rbx, KEPT(%rcx)
	movq %rbp, KEPT + 8(%rcx)
	movq %rdi, KEPT + 16(%rcx)
	movq %rsi, KEPT + 24(%rcx)
	movq %r12, KEPT + 32(%rcx)
	movq %r13, KEPT + 40(%rcx)
	movq %r14, KEPT + 48(%rcx)
	movq %r15, KEPT + 56(%rcx)
	.irp n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups %xmm\n, VECTORS + 16 * (\n - 6)(%rcx)
	movups 32 + 16 * (\n - 6)(%rsp), %xmm\n
	.endr
	addq $200, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rsi
	popq %rdi
	popq %rbp
	popq %rbx
	ret

/* Functions that break the convention, each in one way: the check must see it. */
	.globl breaks_nothing, breaks_rbx, breaks_rdi, breaks_rsi, breaks_r15, breaks_xmm6, breaks_xmm15
breaks_nothing:
	pxor %xmm5, %xmm5
	xorl %ecx, %ecx
	ret
breaks_rbx:
	incq %rbx
	ret
breaks_rdi:
	movq %rcx, %rdi
	ret
breaks_rsi:
	movl %esi, %esi			/* clears the upper half */
	ret
breaks_r15:
	incq %r15
	ret
breaks_xmm6:
	pxor %xmm6, %xmm6
	ret
breaks_xmm15:
	psrldq $8, %xmm15
	ret

	.bss
	.p2align 3
.Lcall:
	.zero 8
.Lstack:
	.zero 8
