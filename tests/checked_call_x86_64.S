/* A call of a function that looks at everything the convention makes it keep. SPDX-License-Identifier: MIT
 *
 * void checked_call(struct CheckedCall *call): sets every register as a caller might leave it, calls, and writes down
 * what came back. The fields and their places are those in checked_call_test.cc. Nothing is judged here.
 */
#include "asm/x86_64/asm.h"

/* Places in struct CheckedCall. */
#define TARGET 0
#define ARGUMENTS 8
#define POISON 40
#define FLAGS 48
#define VECTORS 56
#define MXCSR 60
#define X87_CONTROL 64
#define RESULT 72
#define KEPT 80
#define STACK 128
#define ABOVE 136
#define FLAGS_AFTER 144
#define MXCSR_AFTER 152
#define X87_AFTER 160
#define VECTORS_AFTER 192

/* Words of the caller's own above the return address. */
#define CANARIES 32

FUNCTION(checked_call)
	pushq %rbx
	pushq %rbp
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	subq $8, %rsp
	stmxcsr (%rsp)
	fnstcw 4(%rsp)
	movq %rdi, .Lcall(%rip)
	movq %rsp, .Lstack(%rip)

	movq POISON(%rdi), %rax
	.rept CANARIES
	pushq %rax
	.endr

	/* Vectors: the upper halves clear, as the convention has them, and the rest poisoned. */
	cmpl $1, VECTORS(%rdi)
	jb .Lno_vectors
	je .Lclear_upper
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	kxnorw %k\n, %k\n, %k\n
	.endr
	.irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	vpternlogd $0xff, %zmm\n, %zmm\n, %zmm\n
	.endr
.Lclear_upper:
	vzeroupper
.Lno_vectors:
	movq %rax, %xmm0
	punpcklqdq %xmm0, %xmm0
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movdqa %xmm0, %xmm\n
	.endr

	ldmxcsr MXCSR(%rdi)
	fldcw X87_CONTROL(%rdi)
	movq %rax, %rbx
	movq %rax, %rbp
	movq %rax, %r8
	movq %rax, %r9
	movq %rax, %r10
	movq %rax, %r12
	movq %rax, %r13
	movq %rax, %r14
	movq %rax, %r15
	movq TARGET(%rdi), %r11
	movq ARGUMENTS + 8(%rdi), %rsi
	movq ARGUMENTS + 16(%rdi), %rdx
	movq ARGUMENTS + 24(%rdi), %rcx
	pushq FLAGS(%rdi)
	popfq
	movq ARGUMENTS(%rdi), %rdi
	call *%r11

	/* Nothing is known of any register now. Up to pushfq nothing changes a flag. */
	movq .Lcall(%rip), %rdi
	movq %rax, RESULT(%rdi)
	movq %rsp, STACK(%rdi)
	movq .Lstack(%rip), %rsp
	leaq -8 * CANARIES(%rsp), %rsp
	pushfq
	popq %rax
	cld
	movq %rax, FLAGS_AFTER(%rdi)
	subq %rsp, STACK(%rdi)
	movq %rbx, KEPT(%rdi)
	movq %rbp, KEPT + 8(%rdi)
	movq %r12, KEPT + 16(%rdi)
	movq %r13, KEPT + 24(%rdi)
	movq %r14, KEPT + 32(%rdi)
	movq %r15, KEPT + 40(%rdi)
	stmxcsr MXCSR_AFTER(%rdi)
	fnstenv X87_AFTER(%rdi)

	movq $0, ABOVE(%rdi)
	movq POISON(%rdi), %rax
	.rept CANARIES
	popq %rcx
	xorq %rax, %rcx
	orq %rcx, ABOVE(%rdi)
	.endr

	cmpl $1, VECTORS(%rdi)
	jb .Lrestore
	je .Lstore_32
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovups %zmm\n, VECTORS_AFTER + 64 * \n(%rdi)
	.endr
	jmp .Lupper
.Lstore_32:
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovups %ymm\n, VECTORS_AFTER + 64 * \n(%rdi)
	.endr
.Lupper:
	vzeroupper

.Lrestore:
	fninit
	ldmxcsr (%rsp)
	fldcw 4(%rsp)
	addq $8, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbp
	popq %rbx
	ret
FUNCTION_END(checked_call)

/* ---- Functions that break the convention, each in one way: the check must see it. -------------------------------
   As sums of no bytes they are right: each returns the seed. */

#define BREAKS(name)                         \
	FUNCTION(name);                      \
	movl %edx, %eax

#define BREAKS_END(name)                     \
	ret;                                 \
	FUNCTION_END(name)

BREAKS(breaks_nothing)
	xorl %ecx, %ecx
BREAKS_END(breaks_nothing)

BREAKS(breaks_rbx)
	incq %rbx
BREAKS_END(breaks_rbx)

BREAKS(breaks_rbp)
	movl %ebp, %ebp		/* clears the upper half */
BREAKS_END(breaks_rbp)

BREAKS(breaks_r12)
	movl %edx, %r12d
BREAKS_END(breaks_r12)

BREAKS(breaks_r13)
	xorl %r13d, %r13d
BREAKS_END(breaks_r13)

BREAKS(breaks_r14)
	incq %r14
BREAKS_END(breaks_r14)

BREAKS(breaks_r15)
	incq %r15
BREAKS_END(breaks_r15)

BREAKS(breaks_direction)
	std
BREAKS_END(breaks_direction)

BREAKS(breaks_above)
	incb 15(%rsp)
BREAKS_END(breaks_above)

BREAKS(breaks_above_far)
	incb 100(%rsp)
BREAKS_END(breaks_above_far)

BREAKS(breaks_x87)
	fld1
BREAKS_END(breaks_x87)

BREAKS(breaks_mmx)
	movd %eax, %mm0
BREAKS_END(breaks_mmx)

BREAKS(breaks_upper_half)
	addq %rdx, %rax
	shrq $32, %rdx
	addl %edx, %eax
BREAKS_END(breaks_upper_half)

BREAKS(breaks_flags)
	jnc 1f
	incl %eax
1:
BREAKS_END(breaks_flags)

BREAKS(breaks_ymm)
	vpcmpeqd %xmm15, %xmm15, %xmm15
	vinsertf128 $1, %xmm15, %ymm15, %ymm15
BREAKS_END(breaks_ymm)

BREAKS(breaks_zmm)
	vpternlogd $0xff, %zmm3, %zmm3, %zmm3
	vextracti64x4 $1, %zmm3, %ymm4
	vxorps %xmm3, %xmm3, %xmm3
	vinsertf64x4 $1, %ymm4, %zmm3, %zmm3
	vxorps %xmm4, %xmm4, %xmm4
BREAKS_END(breaks_zmm)

BREAKS(breaks_mxcsr)
	stmxcsr -8(%rsp)
	xorl $0x2000, -8(%rsp)
	ldmxcsr -8(%rsp)
BREAKS_END(breaks_mxcsr)

BREAKS(breaks_control)
	fnstcw -8(%rsp)
	xorw $0x400, -8(%rsp)
	fldcw -8(%rsp)
BREAKS_END(breaks_control)

FUNCTION(breaks_stack)
	movl %edx, %eax
	ret $8
FUNCTION_END(breaks_stack)

	.bss
	.p2align 3
.Lcall:	.zero 8
.Lstack: .zero 8
