/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of test_flow.c: what each holds at HERE or, without that, can leave held.
 *
 *     CASE "name", "a lock; b ? maybe"      what is held by the call before TAKEN (a), TAKEN_TOO (b):
 *     ...                                   the lock, or what is not known; on some ways only
 *     END
 *
 * Code runs at CODE_AT, its unlikely part or another function at OTHER_AT. Those are constants, as
 * are all other places: a distance from the start of the case, "0b". Its own labels are 6 to 8.
 */
#include "flow_cases.h"

#define AT(address)     0b + (address) - CODE_AT
#define OTHER           AT(OTHER_AT)
#define TAKE            AT(TAKE_AT)
#define GIVE            AT(GIVE_AT)
#define TRY             AT(TRY_AT)
#define WORK            AT(WORK_AT)
#define GIVE_OTHER_KIND AT(GIVE_OTHER_KIND_AT)
#define ABORT           AT(END_AT)
#define LOCK            AT(LOCK_AT)
#define POINTER         AT(POINTER_AT)
#define TABLE           AT(TABLE_AT)

#define OTHER_PART 9: .org OTHER; 1
#define HERE       2
#define TAKEN      4
#define TAKEN_TOO  5

/* Labels that a case does without are those of one before: they lie before its start. */
	.text
1: 2: 4: 5: 9:

.macro	CASE name, expected
	.pushsection .rodata
10:	.asciz	"\name"
11:	.asciz	"\expected"
	.popsection
	.balign	16
0:
.endm

.macro	END
3:	.pushsection .data.rel.ro, "aw"
	.quad	10b, 11b, 0b, 1b, 2b, 3b, 4b, 5b, 9b
	.popsection
.endm

/* What is at TABLE, in all cases: where one of them jumps. */
.macro	ROWS first, second, third
	.pushsection .rodata
	.balign	4
	.globl	flow_rows
flow_rows:
	.long	\first - 0b + CODE_AT - TABLE_AT
	.long	\second - 0b + CODE_AT - TABLE_AT
	.long	\third - 0b + CODE_AT - TABLE_AT
	.popsection
.endm

	.pushsection .data.rel.ro, "aw"
	.balign	8
	.globl	flow_cases
flow_cases:
	.popsection

CASE "a call that takes", "a lock"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:
HERE:	call	WORK
	ret
END

CASE "before the call", ""
	lea	LOCK(%rip), %rdi
HERE:	call	TAKE
	ret
END

CASE "given back", ""
	lea	LOCK(%rip), %rdi
	call	TAKE
	lea	LOCK(%rip), %rdi
	call	GIVE
HERE:	ret
END

CASE "given back on one way", "a lock maybe"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	cmpl	$0, (%rax)
	je	6f
	lea	LOCK(%rip), %rdi
	call	GIVE
6:
HERE:	ret
END

CASE "by what registers say", ""
	lea	LOCK(%rip), %rdi
	call	TAKE
	test	%ebx, %ebx
	je	6f
	lea	LOCK(%rip), %rdi
	call	GIVE
6:
HERE:	ret
END

CASE "in the turn that registers say", "a lock"
	mov	$LOCK_AT, %r12d
	mov	$LOCK_AT + 0x2ff, %ebx
6:	mov	%r12, %rdi
	call	TAKE
TAKEN:	add	$8, %r12
	inc	%ebx
HERE:	cmp	$LOCK_AT + 0x302, %ebx
	jne	6b
	ret
END

CASE "taken on both ways", "a lock"
	lea	LOCK(%rip), %rdi
	test	%ebx, %ebx
	je	6f
	call	TAKE
TAKEN:	jmp	7f
6:	call	TAKE
7:
HERE:	ret
END

CASE "each turn of a loop", ""
	mov	$5, %ebx
6:	lea	LOCK(%rip), %rdi
	call	TAKE
	lea	LOCK(%rip), %rdi
	call	GIVE
HERE:	dec	%ebx
	jne	6b
	ret
END

CASE "within a turn of a loop", "a lock"
	mov	$5, %ebx
6:	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:
HERE:	nop
	lea	LOCK(%rip), %rdi
	call	GIVE
	dec	%ebx
	jne	6b
	ret
END

CASE "something else each turn", "a lock+0x2f8; a ? maybe"
	mov	$LOCK_AT, %ebx
6:	mov	%rbx, %rdi
	call	TAKE
TAKEN:	add	$8, %rbx
	cmp	$LOCK_AT + 0x18, %rbx
	jne	6b
HERE:	ret
END

CASE "tried and got", "a lock"
	lea	LOCK(%rip), %rdi
	call	TRY
TAKEN:	test	%eax, %eax
	je	6f
HERE:	nop
6:	ret
END

CASE "tried and not got", ""
	lea	LOCK(%rip), %rdi
	call	TRY
	test	%eax, %eax
	jne	6f
HERE:	nop
6:	ret
END

CASE "tried and not looked", "a lock maybe"
	lea	LOCK(%rip), %rdi
	call	TRY
TAKEN:
HERE:	ret
END

CASE "tried until got", "a lock"
6:	lea	LOCK(%rip), %rdi
	call	TRY
TAKEN:	test	%eax, %eax
	je	6b
HERE:	ret
END

CASE "tried by a truth value", "a lock"
	push	%rbp
	mov	%rsp, %rbp
	sub	$0x10, %rsp
	lea	LOCK(%rip), %rdi
	call	TRY
TAKEN:	cmp	$0, %eax
	setne	%al
	xor	$0xff, %al
	and	$1, %al
	movzbl	%al, %eax
	mov	%eax, -0x8(%rbp)
	cmpl	$0, -0x8(%rbp)
	jne	6f
HERE:	nop
6:	leave
	ret
END

CASE "nested once given back", "a lock"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	lea	LOCK(%rip), %rdi
	call	TAKE
	lea	LOCK(%rip), %rdi
	call	GIVE
HERE:	ret
END

CASE "an unknown object", "a ?"
	mov	(%rsi), %rdi
	call	TAKE
TAKEN:
HERE:	ret
END

CASE "an unknown object given back", ""
	mov	(%rsi), %rdi
	call	TAKE
	call	WORK
	mov	(%rax), %rdi
	call	GIVE
HERE:	ret
END

CASE "an unknown object is given back", "a lock maybe"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	call	WORK
	mov	(%rax), %rdi
	call	GIVE
HERE:	ret
END

CASE "another object is given back", "a lock"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	lea	LOCK+0x8(%rip), %rdi
	call	GIVE
HERE:	ret
END

CASE "another kind is given back", "a lock"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	lea	LOCK(%rip), %rdi
	call	GIVE_OTHER_KIND
HERE:	ret
END

CASE "a register still has it", "a lock+0x300"
	mov	%rdi, %rbx
	call	TAKE
TAKEN:	xor	%edi, %edi
HERE:	nop
	ret
END

CASE "a register has its element", "a lock+0x28"
	mov	%rdi, %rbx
	mov	0x8(%rbx), %rdi
	call	TAKE
TAKEN:	xor	%edi, %edi
HERE:	nop
	ret
END

CASE "a stack slot has it", "a lock+0x300"
	push	%rbp
	mov	%rsp, %rbp
	sub	$0x10, %rsp
	mov	%rdi, -0x8(%rbp)
	mov	-0x8(%rbp), %rdi
	call	TAKE
TAKEN:
HERE:	leave
	ret
END

CASE "a stack slot has changed", "a ?"
	push	%rbp
	mov	%rsp, %rbp
	sub	$0x10, %rsp
	mov	-0x8(%rbp), %rdi
	call	TAKE
TAKEN:	addq	$8, -0x8(%rbp)
HERE:	leave
	ret
END

CASE "a pointer in memory", "a lock+0x38"
	mov	POINTER(%rip), %rdi
	call	TAKE
TAKEN:
HERE:	ret
END

CASE "a pointer in memory has changed", "a ?"
	mov	POINTER(%rip), %rdi
	call	TAKE
TAKEN:	call	WORK
	mov	%rax, POINTER(%rip)
HERE:	ret
END

CASE "an element of an array", "a lock+0x18"
	mov	$0xd, %eax
	cltd
	mov	$5, %ecx
	idiv	%ecx
	movslq	%edx, %rdx
	lea	LOCK(%rip), %rax
	lea	(%rax,%rdx,8), %rdi
	call	TAKE
TAKEN:
HERE:	ret
END

CASE "a jump through a table", "a lock"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	cmp	$2, %ebx
	ja	8f
	mov	%ebx, %eax
	lea	TABLE(%rip), %rdx
	movslq	(%rdx,%rax,4), %rax
	add	%rdx, %rax
	jmp	*%rax
6:	lea	LOCK(%rip), %rdi
	call	GIVE
	ret
7:
HERE:	ret
8:	ret
	ROWS	6b, 7b, 8b
END

CASE "a jump to nobody knows", "a lock; incomplete"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	test	%ebx, %ebx
	je	6f
	jmp	*%rax
6:
HERE:	ret
END

CASE "an unlikely part", "a lock maybe"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	cmpl	$0, (%rax)
	jne	OTHER
6:
HERE:	ret
OTHER_PART:
	lea	LOCK(%rip), %rdi
	call	GIVE
	jmp	6b
END

CASE "in an unlikely part", "a lock"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	test	%ebx, %ebx
	jne	OTHER
6:	ret
OTHER_PART:
HERE:	lea	LOCK(%rip), %rdi
	call	GIVE
	jmp	6b
END

CASE "a function that takes", "a lock+0x10"
	sub	$8, %rsp
	lea	LOCK+0x10(%rip), %rdi
	call	OTHER
TAKEN:
HERE:	add	$8, %rsp
	ret
OTHER_PART:
	push	%rbx
	mov	%rdi, %rbx
	call	WORK
	mov	%rbx, %rdi
	pop	%rbx
	jmp	TAKE
END

CASE "a function that gives back", ""
	lea	LOCK(%rip), %rdi
	call	TAKE
	lea	LOCK(%rip), %rdi
	call	OTHER
HERE:	nop
	ret
OTHER_PART:
	push	%rbp
	mov	%rsp, %rbp
	sub	$0x10, %rsp
	mov	%rdi, -0x8(%rbp)
	mov	-0x8(%rbp), %rdi
	call	GIVE
	leave
	ret
END

CASE "a function that calls itself", ""
	lea	LOCK(%rip), %rdi
	call	TAKE
	call	OTHER
HERE:	nop
	ret
OTHER_PART:
	call	OTHER
	lea	LOCK(%rip), %rdi
	call	GIVE
	ret
END

/* ---- without HERE: what can be left held --------------------------------------------------- */

CASE "taken, tested, returned; else given back", "a lock maybe"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	test	%ebx, %ebx
	je	6f
	ret
6:	lea	LOCK(%rip), %rdi
	call	GIVE
	ret
END

CASE "the same, but given back by jumping to GIVE", "a lock maybe"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	test	%ebx, %ebx
	je	6f
	ret
6:	lea	LOCK(%rip), %rdi
	jmp	GIVE
END

CASE "taken, and given back by a jump under a condition; else it returns", "a lock maybe"
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	test	%ebx, %ebx
	je	GIVE
	ret
END

CASE "taken, and it ends", ""
	lea	LOCK(%rip), %rdi
	call	TAKE
	ud2
END

CASE "taken where what is called next never returns", ""
	test	%edx, %edx
	je	6f
	lea	LOCK(%rip), %rdi
	call	TAKE
	call	ABORT
6:
HERE:	call	WORK
	ret
END

CASE "taken where a function is called all of whose ways end or go in circles", "b lock+0x10"
	test	%edx, %edx
	je	6f
	lea	LOCK(%rip), %rdi
	call	TAKE
	call	OTHER
6:	lea	LOCK+0x10(%rip), %rdi
	call	TAKE
TAKEN_TOO:
HERE:	call	WORK
	ret
OTHER_PART:
	call	WORK
	test	%eax, %eax
	je	7f
	call	ABORT
7:	call	WORK
	jmp	7b
END

CASE "taken where a function is called that may return", "a lock maybe"
	test	%edx, %edx
	je	6f
	lea	LOCK(%rip), %rdi
	call	TAKE
TAKEN:	call	OTHER
6:
HERE:	call	WORK
	ret
OTHER_PART:
	test	%eax, %eax
	je	7f
	call	ABORT
7:	ret
END

CASE "not left behind by what jumps to the end", ""
	lea	LOCK(%rip), %rdi
	call	TAKE
	jmp	ABORT
END

CASE "taken by jumping to TAKE", "a lock"
	lea	LOCK(%rip), %rdi
	jmp	TAKE
TAKEN:
END

CASE "its argument is taken", "a ?"
	call	TAKE
TAKEN:	ret
END

CASE "its argument is given back", ""
	push	%rbx
	mov	%rdi, %rbx
	call	TAKE
	mov	%rbx, %rdi
	call	GIVE
	pop	%rbx
	ret
END

	.pushsection .data.rel.ro, "aw"
	.globl	flow_ncases
flow_ncases:
	.long	(flow_ncases - flow_cases) / 72
	.popsection

	.section .note.GNU-stack, "", @progbits
