/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/eh_frame.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/sorted.h"

enum {
	ENCODING_ABSOLUTE = 0x00, /* DW_EH_PE_absptr   */
	ENCODING_UDATA4 = 0x03,
	ENCODING_SDATA4 = 0x0b,
	ENCODING_PCREL = 0x10,
	ENCODING_DATAREL = 0x30,
	ENCODING_FORMAT = 0x0f,
	ENCODING_BASE = 0x70,
	ENCODING_OMIT = 0xff,

	SECTION_MAX = 256 << 20,
	ROWS_MAX = 4 << 20,
};

void eh_frame_table_fini(struct eh_frame_table *t)
{
	free(t->own);
	*t = (struct eh_frame_table){ 0 };
}

bool eh_frame_read_hdr(struct memory *m, taddr hdr, uint64_t size, struct eh_frame_table *ret)
{
	struct {
		uint8_t version, eh_frame_encoding, count_encoding, table_encoding;
		int32_t eh_frame;
		uint32_t count;
	} h;

	/* Linkers write this one form; any other is left to the section scan. */
	if (size < sizeof(h) || !memory_try_read(m, hdr, &h, sizeof(h)) || h.version != 1 ||
	    h.eh_frame_encoding != (ENCODING_PCREL | ENCODING_SDATA4) ||
	    h.count_encoding != ENCODING_UDATA4 ||
	    h.table_encoding != (ENCODING_DATAREL | ENCODING_SDATA4))
		return false;
	uint64_t room = (size - sizeof(h)) / sizeof(struct eh_frame_row);
	*ret = (struct eh_frame_table){
		.segbase = hdr,
		.len = h.count < room ? h.count : room,
		.rows = hdr + sizeof(h),
	};
	return true;
}

/* A copy of the section. */
struct section {
	taddr start;
	uint8_t *bytes; /* owned */
	size_t size;
};

static void section_fini(struct section *s)
{
	free(s->bytes);
}

/* DW_EH_PE: a pointer as compilers encode it for 64-bit code. */
static taddr read_pointer(const struct section *s, struct cursor *c, uint8_t encoding)
{
	taddr here = s->start + (taddr)(c->p - s->bytes), value;

	switch (encoding & ENCODING_FORMAT) {
	case ENCODING_ABSOLUTE:
	case 0x04: /* udata8 */
	case 0x0c: /* sdata8 */
		value = cursor_uint(c, 8);
		break;
	case ENCODING_UDATA4:
		value = cursor_uint(c, 4);
		break;
	case ENCODING_SDATA4:
		value = (taddr)(int64_t)(int32_t)cursor_uint(c, 4);
		break;
	default:
		c->bad = true;
		return 0;
	}
	if ((encoding & ENCODING_BASE) == ENCODING_PCREL)
		return here + value;
	if ((encoding & ENCODING_BASE) != 0)
		c->bad = true;
	return value;
}

/* One CIE or FDE. */
struct entry {
	size_t start, id_at;    /* of it, and of its CIE pointer, in the section */
	uint32_t id;            /* its CIE pointer; 0: it is a CIE               */
	struct cursor contents; /* what follows                                  */
};

/* The entry at a cursor, which moves on to the next one. false: there are no more. */
static bool read_entry(const struct section *s, struct cursor *c, struct entry *ret)
{
	ret->start = (size_t)(c->p - s->bytes);
	uint64_t len = cursor_uint(c, 4);
	if (len == 0xffffffff)
		len = cursor_uint(c, 8);
	ret->id_at = (size_t)(c->p - s->bytes);
	ret->contents = cursor_of(cursor_take(c, len), len);
	ret->id = (uint32_t)cursor_uint(&ret->contents, 4);
	return !c->bad && !ret->contents.bad;
}

/* The encoding of addresses in FDEs of this CIE ('R' augmentation); OMIT: not understood. */
static uint8_t read_cie_encoding(const struct section *s, struct cursor *c)
{
	uint8_t encoding = ENCODING_ABSOLUTE;

	cursor_take(c, 1); /* version */
	const char *augmentation = cursor_string(c);
	cursor_uleb128(c); /* code alignment   */
	cursor_uleb128(c); /* data alignment   */
	cursor_uleb128(c); /* return register  */
	if (!augmentation || (*augmentation && *augmentation != 'z'))
		return ENCODING_OMIT;
	if (*augmentation)
		cursor_uleb128(c); /* length of what follows */
	for (const char *a = augmentation; *a; a++) {
		if (*a == 'R')
			encoding = (uint8_t)cursor_uint(c, 1);
		else if (*a == 'L')
			cursor_take(c, 1);
		else if (*a == 'P')
			read_pointer(s, c, (uint8_t)cursor_uint(c, 1) & 0x7f);
		else if (*a != 'S' && *a != 'B' && a != augmentation)
			return ENCODING_OMIT;
	}
	return c->bad ? ENCODING_OMIT : encoding;
}

static uint8_t encoding_of(const struct section *s, const struct entry *fde)
{
	size_t cie = fde->id_at - fde->id;
	struct cursor c = cursor_of(s->bytes, s->size);
	struct entry e;

	if (fde->id > fde->id_at || cie >= fde->start || !cursor_take(&c, cie) ||
	    !read_entry(s, &c, &e) || e.id != 0)
		return ENCODING_OMIT;
	return read_cie_encoding(s, &e.contents);
}

static int compare_rows(const void *a, const void *b)
{
	const struct eh_frame_row *x = a, *y = b;

	return sorted_order(x->start, y->start);
}

bool eh_frame_scan(struct memory *m, taddr section, uint64_t size, struct eh_frame_table *ret)
{
	AUTO(section_fini) struct section s = { .start = section, .size = size };
	VEC(struct eh_frame_row) rows = { 0 };
	struct entry e;

	if (size > SECTION_MAX || section + size < section)
		return false;
	s.bytes = malloc(size + 1);
	if (!s.bytes || !memory_try_read(m, section, s.bytes, size))
		return false;
	struct cursor c = cursor_of(s.bytes, size);
	while (cursor_left(&c) && rows.len < ROWS_MAX && read_entry(&s, &c, &e)) {
		uint8_t encoding = e.id ? encoding_of(&s, &e) : ENCODING_OMIT;
		if (encoding == ENCODING_OMIT)
			continue;
		int64_t start = (int64_t)(read_pointer(&s, &e.contents, encoding) - section);
		struct eh_frame_row row = { (int32_t)start, (int32_t)e.start };
		if (e.contents.bad || start != row.start)
			continue;
		if (!vec_push(&rows, row))
			break;
	}
	if (!rows.len) {
		vec_fini(&rows);
		return false;
	}
	qsort(rows.items, rows.len, sizeof(*rows.items), compare_rows);
	*ret = (struct eh_frame_table){ .segbase = section, .len = rows.len, .own = rows.items };
	return true;
}
