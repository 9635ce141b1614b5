/* What every assembly file of this folder needs; little-endian arm64, AAPCS64. SPDX-License-Identifier: MIT */

/* A function that the library does not export. Its first instruction is `bti c`, written as the hint it is, so that
   no assembler asks for a newer architecture. None of them calls another or saves the link register, so there is no
   return address in memory to sign. */
#define FUNCTION(name)                       \
	.p2align 6;                          \
	.globl name;                         \
	.hidden name;                        \
	.type name, %function;               \
name:                                        \
	.cfi_startproc;                      \
	hint #34

#define FUNCTION_END(name)                   \
	.cfi_endproc;                        \
	.size name, . - name

/* No assembly of this library wants an executable stack, and all of it may run under branch target identification
   and pointer authentication: the linker keeps those properties only if every object file says so. */
	.section .note.GNU-stack, "", %progbits
	.section .note.gnu.property, "a", %note
	.p2align 3
	.long 4, 16, 5		/* sizes of the name and of what follows it; NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.long 0xc0000000, 4, 3, 0	/* GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI 1, PAC 2 */
	.text
