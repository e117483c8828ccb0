/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/crashes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ompd/wait.h"
#include "target/code/code.h"

enum {
	PAGE = 4096,
	STEP_MAX = 1 << 21, /* bytes: how far from the stack pointer the end of a full stack is   */
	STACK_MAX = 1 << 20,   /* bytes of a stack that are searched                              */
	DEPTH_MAX = 1 << 26,   /* ... in which its end is looked for                              */
	FRAME_LARGE = 1 << 16, /* bytes that one call takes                                     */
	TEXT_MAX = 1 << 10,
	LEFT_MAX = 1 << 15, /* bytes below a stack that are searched for what was written     */
};

/* A thread that may have crashed. */
struct suspect {
	struct walk *w;
	int index;
	struct thread *thread;
	const struct unwind_stack *raw;
	size_t frame; /* raw frame in which it happened */
	taddr sp;     /* then                           */
	struct picture_crash crash;
};

static bool read_memory(const struct suspect *s, taddr from, void *ret, size_t len)
{
	return memory_try_read(s->w->target->memory, from, ret, len);
}

static bool read_word(const struct suspect *s, taddr from, uint64_t *ret)
{
	return read_memory(s, from, ret, sizeof(*ret));
}

/* ---- signals ---------------------------------------------------------------------------- */

static bool judge(struct suspect *s, const void *info, size_t len)
{
	s->crash.cause =
		crash_by_siginfo(info, len, s->w->target->pid, &s->crash.signal, &s->crash.address);
	return s->crash.cause != CRASH_NOT;
}

/* Whether the instruction may fault like that: the fault may be one of long ago. */
static bool may_fault(const struct suspect *s, const struct arch_fault *fault)
{
	struct insn insn;
	uint8_t byte;

	if (!code_insn_at(s->w->target, fault->pc, &insn))
		return fault->address == fault->pc; /* it has jumped to nowhere */
	if (fault->signal == SIGFPE && fault->code == FPE_INTDIV)
		return insn.kind == INSN_DIVIDE;
	if (fault->signal != SIGSEGV)
		return insn.kind == INSN_OTHER || insn.kind == INSN_END;
	if (fault->code == SEGV_MAPERR && read_memory(s, fault->address, &byte, 1))
		return false;
	return insn.reads != INSN_READS_NOTHING || insn.stores || insn.kind == INSN_OTHER ||
	       insn.kind == INSN_CALL || insn.kind == INSN_PUSH;
}

/* For handlers that do not ask for siginfo the kernel writes none. */
static bool find_fault(struct suspect *s, const uint8_t *frame)
{
	struct arch_fault fault;

	if (!s->w->target->arch->signal_fault(frame, &fault) || !may_fault(s, &fault))
		return false;
	const siginfo_t info = { .si_signo = fault.signal,
				 .si_code = fault.code,
				 .si_addr = (void *)(uintptr_t)fault.address };
	return judge(s, &info, sizeof(info));
}

/* The signal in whose handler it is: the kernel puts what it says of it onto the stack. */
static bool find_handled(struct suspect *s)
{
	enum { FRAME_MAX = 1024 };
	const struct arch *arch = s->w->target->arch;
	const size_t size = arch->signal_info + sizeof(siginfo_t);
	uint8_t bytes[FRAME_MAX];
	uint64_t sp;

	for (size_t i = 1; arch->signal_info && size <= FRAME_MAX && i + 1 < s->raw->len; i++) {
		taddr frame = s->raw->items[i - 1].cfa;
		if (!s->raw->items[i].signal || !frame || !read_memory(s, frame, bytes, size) ||
		    !read_word(s, frame + arch->signal_sp, &sp) ||
		    (!judge(s, bytes + arch->signal_info, sizeof(siginfo_t)) &&
		     !find_fault(s, bytes)))
			continue;
		s->frame = i + 1;
		s->sp = sp;
		s->crash.handled = true;
		return true;
	}
	return false;
}

static bool read_register(const struct suspect *s, const struct reg *reg, uint64_t *ret)
{
	struct error *err = target_get_uint(s->w->target, s->thread, reg, ret);

	error_free(err);
	return !err;
}

static bool register_or_none(const struct suspect *s, uint8_t number, uint64_t *ret)
{
	return number == INSN_NO_REG ||
	       read_register(s, s->w->target->arch->code_regs[number], ret);
}

/* The address in memory that the instruction at its pc uses. */
static bool used_address(const struct suspect *s, taddr *ret)
{
	const struct arch *arch = s->w->target->arch;
	struct insn insn;
	uint64_t pc, base = 0, index = 0;

	if (!read_register(s, arch->pc, &pc) || !code_insn_at(s->w->target, pc, &insn))
		return false;
	if (insn.kind == INSN_PUSH || (insn.kind == INSN_CALL && insn.via == INSN_VIA_ADDRESS)) {
		*ret = s->sp - sizeof(uint64_t);
		return true;
	}
	if (insn.thread_local || insn.reads == INSN_READS_SOMEWHERE ||
	    (insn.reads == INSN_READS_NOTHING &&
	     (!insn.stores || insn.stores == INSN_STORES_SOMEWHERE)) ||
	    !register_or_none(s, insn.base, &base) || !register_or_none(s, insn.index, &index))
		return false;
	*ret = base + index * insn.scale + insn.displacement;
	return true;
}

/*
 * What the kernel does not tell can be seen: a handler has sent the signal again, and has returned
 * to where it came from; or the stack has no room for a handler's frame.
 */
static void find_untold(struct suspect *s)
{
	enum { USER_BITS = 47 };
	siginfo_t info = { .si_signo = s->crash.signal, .si_code = SEGV_MAPERR };
	taddr address;
	uint8_t byte;

	if ((s->crash.cause != CRASH_RAISED && s->crash.cause != CRASH_WILD) ||
	    s->crash.signal != SIGSEGV || !used_address(s, &address) || address >> USER_BITS ||
	    read_memory(s, address, &byte, 1))
		return;
	info.si_addr = (void *)(uintptr_t)address;
	judge(s, &info, sizeof(info));
}

/* The signal that has stopped it. Of a process that is only looked at nobody is asked. */
static bool find_stopped(struct suspect *s)
{
	struct target *t = s->w->target;
	uint8_t info[sizeof(siginfo_t)] = { 0 };
	size_t len = sizeof(info);
	bool told = t->core || (s->thread->stop.kind == STOP_SIGNAL &&
				crash_signal((int)s->thread->stop.value));

	if (!told || !t->ops->get_regset)
		return false;
	struct error *err = t->ops->get_regset(t, s->thread, REGSET_SIGINFO, info, &len);
	bool found = !err && judge(s, info, len);
	error_ignore(err);
	if (found && !read_register(s, t->arch->sp, &s->sp))
		s->sp = 0;
	find_untold(s);
	return found;
}

/* ---- stacks ----------------------------------------------------------------------------- */

/* The lowest page that can be read without a gap down from "from"; 0: it is not nearby. */
static taddr lowest_page(const struct suspect *s, taddr from)
{
	taddr page = from & ~(taddr)(PAGE - 1);
	uint8_t byte;

	if (!read_memory(s, page, &byte, 1))
		return 0;
	for (taddr end = page; page > PAGE && end - page < DEPTH_MAX; page -= PAGE) {
		if (!read_memory(s, page - PAGE, &byte, 1))
			return page;
	}
	return 0;
}

/* What was used lies just below the memory in which the stack is, or its end does not. cfa: of the
 * innermost frame. */
static bool is_full(const struct suspect *s, taddr end, taddr cfa)
{
	taddr at = s->crash.address;
	uint8_t byte;

	if (!read_memory(s, s->sp, &byte, 1))
		return true;
	/* Of a process that runs the pages that guard stacks can be read; a stack is not protected.
	 */
	if (s->crash.cause == CRASH_PROTECTED && at < cfa && at + STEP_MAX >= s->sp)
		return true;
	return s->crash.cause != CRASH_WILD && end && at < end && at + STEP_MAX >= s->sp &&
	       at <= s->sp + STEP_MAX && s->sp <= end + PAGE;
}

/*
 * A thread's own data, to which its thread pointer leads, is at the upper end of the stack that it
 * was made with. The kernel lets the first thread's stack grow as long as it is used page by page.
 */
static void find_full_stack(struct suspect *s)
{
	struct picture_crash *crash = &s->crash;
	uint64_t own;
	uint8_t byte;

	if (!s->sp || s->raw->len <= s->frame)
		return;
	taddr mine = s->raw->items[s->frame].cfa, cfa = s->raw->items[s->raw->len - 1].cfa;
	if (mine <= s->sp || cfa < mine || !read_memory(s, mine - 1, &byte, 1))
		return;
	taddr end = lowest_page(s, mine - 1);
	if (!is_full(s, end, mine))
		return;
	crash->cause = CRASH_STACK;
	crash->calls = s->raw->len - s->frame;
	crash->deeper = s->raw->cut;
	crash->frame_size = mine - s->sp < FRAME_LARGE ? 0 : mine - s->sp;
	struct error *err =
		target_get_uint(s->w->target, s->thread, s->w->target->arch->thread_pointer, &own);
	crash->first_stack = err || own < cfa;
	error_ignore(err);
	if (!s->w->target->core)
		return;
	if (end && !crash->first_stack)
		crash->stack_size = own - end;
	else if (end && !crash->deeper && !crash->frame_size)
		crash->stack_size = cfa - end;
}

/* ---- why abort() was called ------------------------------------------------------------- */

/* The first line, which the message takes, without its full stop. */
static void take_line(struct suspect *s, char *text)
{
	size_t len = strcspn(text, "\n");

	text[len && text[len - 1] == '.' ? len - 1 : len] = '\0';
	if (*text)
		s->crash.message = text;
	else
		free(text);
}

/* glibc's struct abort_msg_s: its size, then the text. */
static void find_message(struct suspect *s)
{
	const struct export *e =
		s->w->runtimes.libc ? exports_find(s->w->runtimes.libc, "__abort_msg") : NULL;
	uint64_t at;
	char *text;

	if (!e || !read_word(s, e->addr, &at) || !at)
		return;
	struct error *err =
		memory_read_string(s->w->target->memory, at + sizeof(uint32_t), TEXT_MAX, &text);
	error_ignore(err);
	if (!err)
		take_line(s, text);
}

/* The runtime whose code has called abort(), not by way of the program's; NULL: none. */
static const struct runtime_ops *aborting(const struct suspect *s)
{
	for (size_t i = s->frame; i < s->raw->len; i++) {
		const struct runtime *r = runtime_at(&s->w->runtimes, s->raw->items[i].pc);
		if (r)
			return r->ops;
		if (runtime_code_at(&s->w->runtimes, s->raw->items[i].pc) == CODE_USER)
			return NULL;
	}
	return NULL;
}

/*
 * What a runtime says before it ends the program goes to stderr, which has no buffer: the C library
 * puts it together on the stack of the thread that writes, and nobody has used that part since.
 */
static void find_last_words(struct suspect *s)
{
	const struct runtime_ops *ops = aborting(s);
	uint8_t bytes[LEFT_MAX] = { 0 };
	taddr from = (s->sp - LEFT_MAX) & ~(taddr)(PAGE - 1);

	if (!ops || s->sp < LEFT_MAX + PAGE)
		return;
	s->crash.by = ops->name;
	for (size_t at = 0; at < LEFT_MAX; at += PAGE)
		(void)read_memory(s, from + at, bytes + at, PAGE);
	const uint8_t *start =
		ops->last_words ? memmem(bytes, LEFT_MAX, ops->last_words, strlen(ops->last_words))
				: NULL;
	const uint8_t *end = start ? memchr(start, '\n', LEFT_MAX - (size_t)(start - bytes)) : NULL;
	if (!end || memchr(start, '\0', (size_t)(end - start)))
		return;
	char *text = strndup((const char *)start, (size_t)(end - start));
	if (text)
		take_line(s, text);
}

/* Before an exception's unwind header: its type, and in how many handlers it is. */
enum { TYPE_BEFORE = 80, COUNT_BEFORE = 40, HEADER_SIZE = 32 };

/* The name of the type of an exception that is being handled; NULL: there is none. */
static char *exception_at(const struct suspect *s, taddr header)
{
	static const uint64_t classes[] = {
		UINT64_C(0x474e5543432b2b00), /* "GNUCC++": libstdc++ */
		UINT64_C(0x434c4e47432b2b00), /* "CLNGC++": libc++    */
	};
	uint64_t class, type, name;
	int32_t handlers;
	char *text;

	if (header < TYPE_BEFORE || !read_word(s, header, &class) ||
	    (class != classes[0] && class != classes[1]) ||
	    !read_memory(s, header - COUNT_BEFORE, &handlers, sizeof(handlers)) || handlers <= 0 ||
	    !read_word(s, header - TYPE_BEFORE, &type) ||
	    !read_word(s, type + sizeof(uint64_t), &name))
		return NULL;
	struct error *err = memory_read_string(s->w->target->memory, name, TEXT_MAX, &text);
	error_ignore(err);
	return err ? NULL : text;
}

/* Whoever throws it keeps where it is, or its header, on the stack. */
static void find_exception(struct suspect *s)
{
	char *name = NULL;
	uint64_t word;

	for (taddr at = s->sp & ~(taddr)7;
	     !name && at < s->sp + STACK_MAX && read_word(s, at, &word); at += sizeof(word)) {
		name = exception_at(s, word);
		if (!name && word > HEADER_SIZE)
			name = exception_at(s, word - HEADER_SIZE);
	}
	if (!name)
		return;
	s->crash.cause = CRASH_EXCEPTION;
	s->crash.message = name;
}

/* ---- all -------------------------------------------------------------------------------- */

static void examine(struct suspect *s)
{
	if (s->crash.cause == CRASH_UNMAPPED || s->crash.cause == CRASH_PROTECTED ||
	    s->crash.cause == CRASH_WILD)
		find_full_stack(s);
	if (s->crash.cause == CRASH_ABORT)
		find_message(s);
	if (s->crash.cause == CRASH_ABORT && !s->crash.message)
		find_last_words(s);
	if (s->crash.cause == CRASH_ABORT && !s->crash.message && !s->crash.by)
		find_exception(s);
	s->crash.sites = wait_sites(s->w, s->index, s->frame, s->raw->len);
}

void crashes_find(struct walk *w)
{
	for (int i = 0; i < (int)w->picture->threads.len; i++) {
		struct picture_thread *th = picture_thread(w->picture, i);
		struct suspect s = { .w = w,
				     .index = i,
				     .thread = w->target->threads.items[i],
				     .raw = &w->raw[i],
				     .crash = { .thread = i } };
		if (!s.raw->len || (!find_handled(&s) && !find_stopped(&s)))
			continue;
		examine(&s);
		w->picture->crash = s.crash;
		free(th->wait.name);
		th->wait = (struct picture_wait){
			.kind = WAIT_CRASHED,
			.source = SOURCE_MEMORY,
			.name = strdup(crash_signal(s.crash.signal)),
			.fd = -1,
			.holder = -1,
			.hold = -1,
			.place = { .pc = s.crash.sites.pcs[0] },
		};
		w->failed |= !th->wait.name;
		return;
	}
}
