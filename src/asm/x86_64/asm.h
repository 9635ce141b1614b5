/* What every assembly file of this folder needs; the System V calling convention. SPDX-License-Identifier: MIT */

#if defined(__CET__) && (__CET__ & 1)
#define LANDING endbr64
#else
#define LANDING
#endif

/* A function that the library does not export. */
#define FUNCTION(name)                       \
	.p2align 6;                          \
	.globl name;                         \
	.hidden name;                        \
	.type name, @function;               \
name:                                        \
	.cfi_startproc;                      \
	LANDING

#define FUNCTION_END(name)                   \
	.cfi_endproc;                        \
	.size name, . - name

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
	.text
