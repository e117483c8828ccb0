/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/eh_frame.h"

#include <stdlib.h>

#include "base/buf.h"

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
	LEB_MAX = 10, /* bytes of a 64-bit LEB128 */
	AUGMENTATION_MAX = 16,
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

/* A place in the section; reading beyond its end, or unreadable memory, makes it bad for good. */
struct reader {
	struct memory *memory;
	taddr at, end;
	bool bad;
};

static uint64_t read_uint(struct reader *r, size_t size)
{
	uint64_t value = 0;

	if (r->bad || r->end - r->at < size || !memory_try_read(r->memory, r->at, &value, size)) {
		r->bad = true;
		return 0;
	}
	r->at += size;
	return value;
}

static uint64_t read_leb(struct reader *r)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < LEB_MAX; i++) {
		uint64_t byte = read_uint(r, 1);
		value |= (byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return value;
	}
	r->bad = true;
	return 0;
}

/* DW_EH_PE: a pointer as compilers encode it for x86-64 code. */
static taddr read_pointer(struct reader *r, uint8_t encoding)
{
	taddr here = r->at, value;

	switch (encoding & ENCODING_FORMAT) {
	case ENCODING_ABSOLUTE:
	case 0x04: /* udata8 */
	case 0x0c: /* sdata8 */
		value = read_uint(r, 8);
		break;
	case ENCODING_UDATA4:
		value = read_uint(r, 4);
		break;
	case ENCODING_SDATA4:
		value = (taddr)(int64_t)(int32_t)read_uint(r, 4);
		break;
	default:
		r->bad = true;
		return 0;
	}
	if ((encoding & ENCODING_BASE) == ENCODING_PCREL)
		return here + value;
	if ((encoding & ENCODING_BASE) != 0)
		r->bad = true;
	return value;
}

/* One CIE or FDE: where its contents begin and end, and its CIE pointer. */
struct entry {
	taddr start, id_at, end;
	uint32_t id;
};

static bool read_entry(struct reader *r, struct entry *ret)
{
	ret->start = r->at;
	uint64_t len = read_uint(r, 4);
	if (len == 0xffffffff)
		len = read_uint(r, 8);
	ret->id_at = r->at;
	if (r->bad || len < 4 || len > r->end - r->at)
		return false;
	ret->end = r->at + len;
	ret->id = (uint32_t)read_uint(r, 4);
	return !r->bad;
}

/* The encoding of addresses in FDEs of this CIE ('R' augmentation); OMIT: not understood. */
static uint8_t read_cie_encoding(struct reader *r)
{
	char augmentation[AUGMENTATION_MAX];
	size_t n = 0;
	uint8_t encoding = ENCODING_ABSOLUTE;

	read_uint(r, 1); /* version */
	do
		augmentation[n] = (char)read_uint(r, 1);
	while (!r->bad && augmentation[n] && ++n < AUGMENTATION_MAX);
	if (r->bad || n == AUGMENTATION_MAX)
		return ENCODING_OMIT;
	read_leb(r); /* code alignment   */
	read_leb(r); /* data alignment   */
	read_leb(r); /* return register  */
	if (augmentation[0] != 'z')
		return augmentation[0] ? ENCODING_OMIT : encoding;
	read_leb(r); /* length of what follows */
	for (const char *a = augmentation + 1; *a; a++) {
		if (*a == 'R')
			encoding = (uint8_t)read_uint(r, 1);
		else if (*a == 'L')
			read_uint(r, 1);
		else if (*a == 'P')
			read_pointer(r, (uint8_t)read_uint(r, 1) & 0x7f);
		else if (*a != 'S' && *a != 'B')
			return ENCODING_OMIT;
	}
	return r->bad ? ENCODING_OMIT : encoding;
}

static uint8_t encoding_of(const struct reader *section, taddr section_start,
			   const struct entry *fde)
{
	taddr cie = fde->id_at - fde->id;
	struct reader r = { section->memory, cie, section->end, false };
	struct entry e;

	if (cie < section_start || cie >= fde->start || !read_entry(&r, &e) || e.id != 0)
		return ENCODING_OMIT;
	r.end = e.end;
	return read_cie_encoding(&r);
}

static int compare_rows(const void *a, const void *b)
{
	int32_t x = ((const struct eh_frame_row *)a)->start;
	int32_t y = ((const struct eh_frame_row *)b)->start;

	return (x > y) - (x < y);
}

bool eh_frame_scan(struct memory *m, taddr section, uint64_t size, struct eh_frame_table *ret)
{
	struct reader r = { m, section, section + size, false };
	struct {
		struct eh_frame_row *items;
		size_t len, cap;
	} rows = { 0 };
	struct entry e;

	if (size > SECTION_MAX || section + size < section)
		return false;
	while (r.at < r.end && rows.len < ROWS_MAX && read_entry(&r, &e)) {
		struct reader in = { m, r.at, e.end, false };
		uint8_t encoding = e.id ? encoding_of(&r, section, &e) : ENCODING_OMIT;
		r.at = e.end;
		if (encoding == ENCODING_OMIT)
			continue;
		int64_t start = (int64_t)(read_pointer(&in, encoding) - section);
		struct eh_frame_row row = { (int32_t)start, (int32_t)(e.start - section) };
		if (in.bad || start != row.start)
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
