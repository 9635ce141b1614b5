/* What every assembly file of this folder needs. SPDX-License-Identifier: MIT
 *
 * The code follows the System V calling convention: arguments in rdi, rsi, rdx and rcx, no register saved. Windows has
 * another one (rcx, rdx, r8 and r9; rdi and rsi belong to the caller), so there each function begins with an entry that
 * moves the arguments and calls the code. What the code writes below the stack pointer it never reads: on Windows, where
 * that space belongs to the system, nothing is lost. */

#if defined(__CET__) && (__CET__ & 1) && !defined(_WIN32)
#define LANDING endbr64
#else
#define LANDING
#endif

/* FUNCTION begins a function that the library does not export, TAIL one that the others jump to. */
#if defined(_WIN32)

#define TAIL(name)                           \
	.p2align 6;                          \
name:

#define FUNCTION(name)                       \
	.p2align 6;                          \
	.globl name;                         \
	.def name; .scl 2; .type 32; .endef; \
	.seh_proc name;                      \
name:                                        \
	pushq %rdi;                          \
	.seh_pushreg %rdi;                   \
	pushq %rsi;                          \
	.seh_pushreg %rsi;                   \
	.seh_endprologue;                    \
	movq %rcx, %rdi;                     \
	movq %rdx, %rsi;                     \
	movq %r8, %rdx;                      \
	movq %r9, %rcx;                      \
	call 77f;                            \
	popq %rsi;                           \
	popq %rdi;                           \
	ret;                                 \
	.seh_endproc;                        \
77:

#define FUNCTION_END(name)

#define CONSTANTS .section .rdata, "dr"

#else

#define FUNCTION(name)                       \
	.p2align 6;                          \
	.globl name;                         \
	.hidden name;                        \
	.type name, @function;               \
name:                                        \
	.cfi_startproc;                      \
	LANDING

#define TAIL FUNCTION

#define FUNCTION_END(name)                   \
	.cfi_endproc;                        \
	.size name, . - name

#define CONSTANTS .section .rodata

/* No assembly of this library wants an executable stack, and all of it may run under indirect branch tracking and
   with a shadow stack: the linker keeps those properties only if every object file says so. */
	.section .note.GNU-stack, "", @progbits
#if defined(__CET__) && (__CET__ & 3)
	.section .note.gnu.property, "a", @note
	.p2align 3
	.long 4, 16, 5		/* sizes of the name and of what follows it; NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.long 0xc0000002, 4, __CET__ & 3, 0
#endif

#endif
	.text
