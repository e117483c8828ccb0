/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/value.h"

enum direction { READS, WRITES };
static struct error *through_pieces(const struct scope *s, const struct value *v,
				    enum direction how, uint8_t *bytes, size_t n);

/* A register of an outer frame is where the functions further in have saved it, or is what it was
 * when they were called. */
static struct error *settle_place(const struct scope *s, const struct value *v, struct value *ret)
{
	taddr saved = 0;

	*ret = *v;
	if (v->place != VALUE_REGISTER || !s->frame || v->reg == s->session->target->arch->sp)
		return NULL;
	if (v->reg->set != REGSET_GENERAL ||
	    !unwind_saved(s->session->unwinder, s->thread, s->frame, v->reg, &saved))
		return error_new(ERROR_UNSUPPORTED,
				 "where register %s of this frame is kept is not known, so it "
				 "cannot be set: it can in \"frame 0\"",
				 v->reg->name);
	if (saved) {
		ret->place = VALUE_MEMORY;
		ret->addr = saved + v->reg_offset;
	}
	return NULL;
}

/* The register that a value is in, and how many of n bytes it has of it: a number of x87 has more
 * in memory. */
static struct error *read_register(const struct scope *s, const struct value *v,
				   uint8_t ret[ARCH_REGISTER_MAX], size_t *ret_size, size_t *n)
{
	struct error *err =
		target_get_register(s->session->target, s->thread, v->reg, ret, ret_size);
	size_t room = !err && v->reg_offset < *ret_size ? *ret_size - v->reg_offset : 0;

	*n = *n < room ? *n : room;
	return err;
}

/* Reads so many bytes of where a value is, or writes them. */
static struct error *transfer(const struct scope *s, const struct value *v, enum direction how,
			      uint8_t *bytes, size_t n)
{
	struct target *t = s->session->target;
	uint8_t whole[ARCH_REGISTER_MAX];
	uint64_t word = 0;
	struct value at;
	size_t size;

	if (v->place == VALUE_PIECES)
		return through_pieces(s, v, how, bytes, n);
	struct error *err = settle_place(s, v, &at);
	if (!err && at.place != VALUE_REGISTER)
		return how == WRITES ? target_write(t, at.addr, bytes, n)
				     : target_examine(t, at.addr, bytes, n);
	if (!err)
		err = read_register(s, &at, whole, &size, &n);
	if (err)
		return err;
	if (how == READS) {
		memcpy(bytes, whole + at.reg_offset, n);
		return NULL;
	}
	memcpy(whole + at.reg_offset, bytes, n);
	if (at.reg->set != REGSET_GENERAL)
		return target_set_register(t, s->thread, at.reg, whole, size);
	memcpy(&word, whole, size);
	return target_set_uint(t, s->thread, at.reg, word);
}

/* So many bytes of a piece, "from" bytes behind its begin, as a value of its own. */
static bool find_piece(const struct scope *s, const struct location_part *p, uint64_t from,
		       size_t n, struct value *ret)
{
	const struct arch *arch = s->session->target->arch;
	const uint64_t at = p->bit_offset / 8 + from;

	*ret = (struct value){ .addr = p->addr + at, .place = VALUE_MEMORY };
	if (p->kind == LOCATION_REGISTER) {
		ret->place = VALUE_REGISTER;
		ret->reg_offset = (uint16_t)at;
		ret->reg = arch_find_wide_reg(arch, p->dwarf_reg, at + n);
	}
	return p->kind == LOCATION_MEMORY || ret->reg;
}

static struct error *through_pieces(const struct scope *s, const struct value *v,
				    enum direction how, uint8_t *bytes, size_t n)
{
	const uint64_t end = v->addr + n;
	uint64_t begin = 0;
	struct error *err = NULL;

	for (size_t i = 0; i < v->pieces->n && begin < end && !err; i++) {
		const struct location_part *p = &v->pieces->parts[i];
		const uint64_t next = p->bits ? begin + p->bits / 8 : end;
		const uint64_t from = v->addr > begin ? v->addr : begin;
		const uint64_t to = next < end ? next : end;
		struct value piece;
		if (p->bits % 8 || p->bit_offset % 8)
			return error_new(ERROR_UNSUPPORTED,
					 "the value is made of pieces that are no whole bytes");
		if (from < to && !find_piece(s, p, from - begin, to - from, &piece))
			return error_new(ERROR_USAGE, "a piece of the value is nowhere: "
						      "the compiler has optimized it out");
		if (from < to)
			err = transfer(s, &piece, how, bytes + (from - v->addr), to - from);
		begin = next;
	}
	return err;
}

static struct error *write_bits(const struct scope *s, const struct value *to,
				const struct value *from)
{
	uint8_t bytes[VALUE_BITS_BYTES_MAX] = { 0 };
	size_t n = value_bit_bytes(to);
	struct error *err = transfer(s, to, READS, bytes, n);

	if (err)
		return err;
	for (unsigned int i = 0; i < to->bit_size; i++) {
		unsigned int at = to->bit_offset + i;
		bool on = from->bytes[i / 8] >> i % 8 & 1;
		bytes[at / 8] &= (uint8_t) ~(1u << at % 8);
		bytes[at / 8] |= (uint8_t)(on << at % 8);
	}
	return transfer(s, to, WRITES, bytes, n);
}

struct error *value_write(const struct scope *s, const struct value *to, const struct value *from)
{
	uint64_t size = type_size(to->type);

	if (to->bit_size)
		return write_bits(s, to, from);
	/* The second half: what is there now. */
	AUTO_FREE uint8_t *bytes = size <= VALUE_KEEP_MAX ? calloc(2, size + 1) : NULL;
	if (!bytes)
		return error_new(ERROR_USAGE, "the value is too large to be assigned");
	struct error *err = value_copy(s, from, bytes, size);
	/* All pieces, or none. */
	if (!err && to->place == VALUE_PIECES)
		err = transfer(s, to, READS, bytes + size, size);
	return err ? err : transfer(s, to, WRITES, bytes, size);
}

struct error *value_read_again(const struct scope *s, struct value *v)
{
	uint8_t bytes[VALUE_BITS_BYTES_MAX] = { 0 };

	if (!v->bit_size && v->place != VALUE_MEMORY && !v->block)
		return transfer(s, v, READS, v->bytes, v->size);
	if (!v->bit_size)
		return value_read(s, v->type, v->addr, v);
	struct error *err = transfer(s, v, READS, bytes, value_bit_bytes(v));
	if (!err)
		value_set_bits(v, bytes);
	return err;
}
