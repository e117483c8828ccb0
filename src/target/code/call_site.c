/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/call_site.h"

#include <string.h>

enum {
	INSN_MAX = 16,    /* bytes of one instruction of any processor                     */
	REGS_MAX = 32,    /* general registers of any processor                            */
	BEFORE_MAX = 64,  /* bytes before a call that are looked at                        */
	AROUND_MAX = 192, /* bytes of code on each side in which jumps are looked for      */
	LOOP_MAX = 256,   /* bytes of a loop that waits                                    */
	OPINIONS_MAX = 8,
	JUMPS_MAX = 8, /* that follow one another                                       */
};

/* A piece of the target's code. */
struct code {
	const struct arch *arch;
	taddr start;
	size_t len;
	uint8_t bytes[2 * LOOP_MAX + INSN_MAX];
};

/* Reads [start, end), or what there is of it behind the last page border that has nothing. */
static bool read_code(struct target *t, taddr start, taddr end, struct code *ret)
{
	taddr border = end & ~(taddr)(MEMORY_PAGE - 1);

	if (!t->arch || !t->arch->decode || end <= start || end - start > sizeof(ret->bytes))
		return false;
	*ret = (struct code){ .arch = t->arch, .start = start, .len = end - start };
	if (memory_try_read(t->memory, start, ret->bytes, ret->len))
		return true;
	if (border <= start || border >= end)
		return false;
	ret->start = border;
	ret->len = end - border;
	return memory_try_read(t->memory, border, ret->bytes, ret->len);
}

/* The same where the end may not be there either. */
static bool read_some(struct target *t, taddr start, taddr end, struct code *ret)
{
	taddr border = end & ~(taddr)(MEMORY_PAGE - 1);

	return read_code(t, start, end, ret) || read_code(t, start, border, ret);
}

static bool decode(const struct code *c, taddr at, struct insn *ret)
{
	size_t offset = at - c->start;

	return at >= c->start && offset < c->len &&
	       c->arch->decode(c->bytes + offset, c->len - offset, at, ret);
}

/* The instruction at an address, which may be the last one of its mapping. */
static bool insn_at(struct target *t, taddr at, struct insn *ret)
{
	struct code c;

	return read_some(t, at, at + INSN_MAX, &c) && decode(&c, at, ret);
}

static bool jumps_to(const struct insn *insn, taddr from, taddr to)
{
	return (insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH) &&
	       insn->via == INSN_VIA_ADDRESS && insn->value >= from && insn->value <= to;
}

static bool ends_code(const struct insn *insn)
{
	return insn->kind == INSN_RETURN || insn->kind == INSN_END;
}

/* ---- where jumps lead ---------------------------------------------------------------------- */

/* The next instruction that does something. */
static bool next_insn(struct target *t, taddr at, struct insn *ret)
{
	for (unsigned int n = 0; n < JUMPS_MAX; n++) {
		if (!insn_at(t, at, ret))
			return false;
		if (ret->kind != INSN_NOTHING)
			return true;
		at += ret->size;
	}
	return false;
}

/*
 * Before the dynamic linker has bound a slot, it leads back into the PLT, to what pushes the number
 * of the relocation and goes on to the dynamic linker (System V ABI, AMD64 supplement, 5.2).
 */
static bool is_unbound(struct target *t, taddr to)
{
	struct insn insn;

	return next_insn(t, to, &insn) && insn.kind == INSN_PUSH_CONSTANT &&
	       next_insn(t, to + insn.size, &insn);
}

/* What is in a slot; 0: nothing, or nothing yet. */
static taddr slot_target(struct target *t, taddr slot)
{
	uint64_t to;

	if (!memory_try_read(t->memory, slot, &to, sizeof(to)))
		return 0;
	return is_unbound(t, to) ? 0 : to;
}

static bool is_stub(struct target *t, taddr at, taddr *ret_slot)
{
	struct insn insn;

	if (!next_insn(t, at, &insn) || insn.kind != INSN_JUMP || insn.via != INSN_VIA_SLOT)
		return false;
	*ret_slot = insn.value;
	return true;
}

/*
 * Through the stubs of the PLT. A jump to one is followed, other jumps are not: the function that
 * begins with one is what was called.
 */
static taddr through_stubs(struct target *t, taddr pc)
{
	struct insn insn;
	taddr slot;

	if (next_insn(t, pc, &insn) && insn.kind == INSN_JUMP && insn.via == INSN_VIA_ADDRESS &&
	    is_stub(t, insn.value, &slot))
		pc = insn.value;
	for (unsigned int n = 0; n < JUMPS_MAX && is_stub(t, pc, &slot); n++)
		pc = slot_target(t, slot);
	return pc;
}

taddr call_site_follow(struct target *t, taddr pc)
{
	struct insn insn;

	for (unsigned int n = 0; n < JUMPS_MAX; n++) {
		if (!next_insn(t, pc, &insn) || insn.kind != INSN_JUMP ||
		    insn.via == INSN_VIA_OTHER)
			break;
		pc = insn.via == INSN_VIA_SLOT ? slot_target(t, insn.value) : insn.value;
	}
	return pc;
}

/* ---- calls --------------------------------------------------------------------------------- */

/* A call instruction may end at an address in several ways: some would be parts of others. */
struct candidates {
	struct insn items[INSN_MAX];
	unsigned int votes[INSN_MAX]; /* of starts that get to it */
	size_t len;
};

static bool same_call(const struct insn *a, const struct insn *b)
{
	return a->via == b->via && (a->via == INSN_VIA_OTHER || a->value == b->value);
}

/* A call to nowhere is none: four bytes are rarely a distance to something that is there. */
static bool is_plausible(struct target *t, const struct insn *call)
{
	uint8_t byte;

	return call->via == INSN_VIA_OTHER || memory_try_read(t->memory, call->value, &byte, 1);
}

static void find_candidates(struct target *t, const struct code *c, taddr end,
			    struct candidates *ret)
{
	struct insn insn;

	ret->len = 0;
	for (taddr size = 2; size < INSN_MAX && end - size >= c->start; size++) {
		if (decode(c, end - size, &insn) && insn.size == size && insn.kind == INSN_CALL &&
		    is_plausible(t, &insn))
			ret->items[ret->len++] = insn;
	}
}

/* Decodes from an address on; the instruction that ends exactly there. false: none does. */
static bool reach(const struct code *c, taddr from, taddr end, struct insn *ret)
{
	while (from < end) {
		if (!decode(c, from, ret))
			return false;
		from += ret->size;
	}
	return from == end;
}

/* Wherever one begins to decode, one is soon in step with the code. */
static void count_votes(const struct code *c, taddr end, struct candidates *all)
{
	struct insn insn;

	memset(all->votes, 0, sizeof(all->votes));
	for (taddr from = c->start; from + INSN_MAX < end; from++) {
		bool call = reach(c, from, end, &insn) && insn.kind == INSN_CALL;
		for (size_t i = 0; call && i < all->len; i++)
			all->votes[i] += all->items[i].size == insn.size;
	}
}

/* NULL: as many say this as say that. With a prefix or without it is the same call. */
static const struct insn *elect(const struct candidates *all)
{
	const struct insn *best = all->items;
	unsigned int most = all->votes[0];
	bool undecided = false;

	for (size_t i = 1; i < all->len; i++) {
		if (all->votes[i] < most)
			continue;
		undecided =
			all->votes[i] == most && (undecided || !same_call(best, &all->items[i]));
		most = all->votes[i];
		best = &all->items[i];
	}
	return undecided ? NULL : best;
}

/* The call that ends at an address. c is the code before it. */
static bool find_call(struct target *t, const struct code *c, taddr end, struct insn *ret)
{
	struct candidates all;

	find_candidates(t, c, end, &all);
	if (all.len > 1)
		count_votes(c, end, &all);
	const struct insn *call = all.len > 1 ? elect(&all) : all.items;
	if (!all.len || !call)
		return false;
	*ret = *call;
	return true;
}

taddr call_site_target(struct target *t, const struct insn *insn)
{
	taddr to = 0;

	if (insn->via == INSN_VIA_SLOT)
		to = slot_target(t, insn->value);
	else if (insn->via == INSN_VIA_ADDRESS)
		to = insn->value;
	return to ? through_stubs(t, to) : 0;
}

struct call_site call_site_before(struct target *t, taddr return_address)
{
	struct call_site site = { .kind = CALL_NONE };
	struct code c;
	struct insn insn;
	taddr slot;

	if (!read_code(t, return_address - BEFORE_MAX, return_address, &c) ||
	    !find_call(t, &c, return_address, &insn))
		return site;
	site.kind = insn.via == INSN_VIA_OTHER ? CALL_INDIRECT : CALL_DIRECT;
	if (insn.via == INSN_VIA_ADDRESS && !is_stub(t, insn.value, &slot))
		site.function = insn.value;
	site.target = call_site_target(t, &insn);
	return site;
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* What is known of a register. */
struct known {
	enum { UNTOUCHED, CONSTANT, CHANGED } state;
	uint64_t value;
	taddr set_at; /* end of the instruction that wrote it */
};

static void apply(const struct code *c, const struct insn *insn, taddr next, struct known *regs)
{
	struct known from = insn->kind == INSN_COPY ? regs[insn->from] : (struct known){ 0 };

	for (size_t i = 0; i < c->arch->ncode_regs; i++) {
		if (insn->writes >> i & 1)
			regs[i] = (struct known){ .state = CHANGED, .set_at = next };
	}
	if (insn->kind == INSN_CONSTANT)
		regs[insn->to] = (struct known){ CONSTANT, insn->value, next };
	else if (insn->kind == INSN_COPY && from.state == CONSTANT)
		regs[insn->to] = (struct known){ CONSTANT, from.value & insn->value, from.set_at };
	/* What follows is reached from elsewhere. */
	for (size_t i = 0; i < c->arch->ncode_regs && (insn->kind == INSN_JUMP || ends_code(insn));
	     i++)
		regs[i] = (struct known){ .state = CHANGED, .set_at = next };
}

/* What is known of a register at an address, if decoding from "from" on gets there. */
static bool known_from(const struct code *c, taddr from, taddr at, uint8_t reg, struct known *ret)
{
	struct known regs[REGS_MAX] = { 0 };
	struct insn insn;

	while (from < at) {
		if (!decode(c, from, &insn))
			return false;
		from += insn.size;
		apply(c, &insn, from, regs);
	}
	*ret = regs[reg];
	return from == at;
}

/* The first place from which decoding gets to an address; that address: none. */
static taddr in_step(const struct code *c, taddr with)
{
	struct insn insn;
	taddr from = c->start;

	while (from < with && !reach(c, from, with, &insn))
		from++;
	return from;
}

/* A jump to between the constant and its use may bring along another value. */
static bool is_joined(struct target *t, taddr set_at, taddr end)
{
	struct code c;
	struct insn insn;

	if (!read_some(t, set_at - AROUND_MAX, end + AROUND_MAX, &c))
		return true;
	for (taddr at = in_step(&c, set_at); at < c.start + c.len; at += insn.size) {
		if (!decode(&c, at, &insn))
			insn = (struct insn){ .size = 1 };
		if (jumps_to(&insn, set_at, end))
			return true;
	}
	return false;
}

/* What decoding from some bytes on says of the register. */
struct opinion {
	struct known known;
	unsigned int votes;
};

static bool same_known(const struct known *a, const struct known *b)
{
	return a->state == b->state && a->value == b->value && a->set_at == b->set_at;
}

/* Adds a vote; opinions that find no room any more are as good as none. */
static void vote(struct opinion *opinions, const struct known *known)
{
	for (size_t i = 0; i < OPINIONS_MAX; i++) {
		if (opinions[i].votes && !same_known(&opinions[i].known, known))
			continue;
		opinions[i].known = *known;
		opinions[i].votes++;
		return;
	}
}

/*
 * Code cannot be read backwards. So it is decoded from every byte before the address: wherever one
 * begins, one is soon in step with the code. Of the starts before the place that sets the register
 * and from which the address is reached, nearly all must say the same.
 */
static bool agree(const struct code *c, taddr at, uint8_t reg, struct known *ret)
{
	struct opinion opinions[OPINIONS_MAX] = { 0 };
	const struct opinion *best = opinions;
	struct known known;
	unsigned int asked = 0;

	for (taddr from = c->start; from < at; from++) {
		if (known_from(c, from, at, reg, &known) && known.state != UNTOUCHED)
			vote(opinions, &known);
	}
	for (size_t i = 0; i < OPINIONS_MAX; i++)
		best = opinions[i].votes > best->votes ? &opinions[i] : best;
	for (taddr from = c->start; from < best->known.set_at; from++)
		asked += known_from(c, from, at, reg, &known);
	*ret = best->known;
	return best->known.state == CONSTANT && best->votes > 1 && 4 * best->votes >= 3 * asked;
}

bool call_site_constant(struct target *t, taddr at, const struct reg *r, uint64_t *ret)
{
	struct code c;
	struct known known;
	uint8_t reg = 0;

	if (!read_code(t, at - BEFORE_MAX, at, &c))
		return false;
	while (reg < t->arch->ncode_regs && t->arch->code_regs[reg] != r)
		reg++;
	if (reg == t->arch->ncode_regs || !agree(&c, at, reg, &known) ||
	    is_joined(t, known.set_at, at))
		return false;
	*ret = known.value;
	return true;
}

bool call_site_argument(struct target *t, taddr return_address, unsigned int n, taddr *ret)
{
	struct code c;
	struct insn call;

	return n < sizeof(t->arch->arguments) / sizeof(*t->arch->arguments) &&
	       read_code(t, return_address - BEFORE_MAX, return_address, &c) &&
	       find_call(t, &c, return_address, &call) &&
	       call_site_constant(t, return_address - call.size, t->arch->arguments[n], ret);
}

bool call_site_tail(struct target *t, taddr start, taddr end,
		    bool (*wanted)(void *context, taddr target), void *context, taddr *ret)
{
	taddr found = 0;
	struct insn insn;

	for (taddr at = start; at < end; at += insn.size) {
		if (!insn_at(t, at, &insn))
			return false;
		if ((insn.kind != INSN_JUMP && insn.kind != INSN_BRANCH) ||
		    insn.via == INSN_VIA_OTHER ||
		    (insn.via == INSN_VIA_ADDRESS && insn.value >= start && insn.value < end))
			continue;
		taddr to = call_site_target(t, &insn);
		if (!to || to == found || !wanted(context, to))
			continue;
		if (found)
			return false;
		found = to;
	}
	*ret = found;
	return found;
}

/* ---- loops that wait ----------------------------------------------------------------------- */

/* What happens in a loop. */
struct loop {
	bool pauses, passes_pc, unclear;
	uint32_t writes;
	struct insn read; /* the one that reads memory of others; size 0: none */
};

static bool same_place(const struct insn *a, const struct insn *b)
{
	return a->base == b->base && a->index == b->index && a->scale == b->scale &&
	       a->displacement == b->displacement;
}

static void note_insn(const struct insn *insn, struct loop *ret)
{
	ret->pauses |= insn->kind == INSN_PAUSE;
	ret->writes |= insn->writes;
	if (insn->reads == INSN_READS_SOMEWHERE)
		ret->unclear = true;
	if (insn->reads != INSN_READS_SHARED)
		return;
	if (ret->read.size && !same_place(&ret->read, insn))
		ret->unclear = true;
	ret->read = *insn;
}

static bool read_loop(const struct code *c, taddr start, taddr end, taddr pc, struct loop *ret)
{
	struct insn insn;

	*ret = (struct loop){ 0 };
	for (taddr at = start; at < end; at += insn.size) {
		if (!decode(c, at, &insn))
			return false;
		ret->passes_pc |= at == pc;
		note_insn(&insn, ret);
	}
	return ret->passes_pc;
}

/* Where the code that jumps back into [start, end) from behind it ends; end: none does. */
static taddr extended(const struct code *c, taddr start, taddr end)
{
	struct insn insn;

	for (taddr at = end; decode(c, at, &insn); at += insn.size) {
		if (jumps_to(&insn, start, end - 1))
			end = at + insn.size;
	}
	return end;
}

/*
 * The smallest loop around pc that pauses: from where a jump behind pc leads, to that jump; with
 * what jumps into it from behind: a loop within a larger one waits for what the larger one looks
 * at.
 */
static bool find_loop(const struct code *c, taddr pc, struct loop *ret)
{
	struct insn insn;

	for (taddr at = pc; decode(c, at, &insn) && !ends_code(&insn); at += insn.size) {
		taddr start = insn.value, end = at + insn.size;
		if (jumps_to(&insn, c->start, pc) && read_loop(c, start, end, pc, ret) &&
		    ret->pauses)
			return read_loop(c, start, extended(c, start, end), pc, ret);
	}
	return false;
}

/* The value of a register that a loop leaves alone; no register is 0. */
static bool steady_value(struct target *t, struct thread *th, const struct loop *loop, uint8_t reg,
			 uint64_t *ret)
{
	*ret = 0;
	if (reg == INSN_NO_REG)
		return true;
	if (reg >= t->arch->ncode_regs || (loop->writes >> reg & 1))
		return false;
	struct error *err = target_get_uint(t, th, t->arch->code_regs[reg], ret);
	error_free(err);
	return !err;
}

bool call_site_polls(struct target *t, struct thread *th, taddr *ret)
{
	uint64_t pc, base, index;
	struct code c;
	struct loop loop;
	struct error *err = target_get_uint(t, th, t->arch->pc, &pc);

	if (err) {
		error_free(err);
		return false;
	}
	if (!read_some(t, pc - LOOP_MAX, pc + LOOP_MAX, &c) || !find_loop(&c, pc, &loop) ||
	    loop.unclear || !loop.read.size || !steady_value(t, th, &loop, loop.read.base, &base) ||
	    !steady_value(t, th, &loop, loop.read.index, &index))
		return false;
	*ret = base + index * loop.read.scale + loop.read.displacement;
	return true;
}
