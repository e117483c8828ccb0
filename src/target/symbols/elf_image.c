/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { VDSO_MAX = 1 << 20 }; /* it has two pages */

/* Our own vdso. Its section headers are the last thing in it. */
static const void *own_vdso(size_t *ret_size)
{
	const Elf64_Ehdr *header = (const void *)getauxval(AT_SYSINFO_EHDR);

	*ret_size = header ? header->e_shoff + (size_t)header->e_shnum * header->e_shentsize : 0;
	return header;
}

static bool read_own(void *context, uint64_t from, void *ret, size_t len)
{
	size_t size;
	const char *own = own_vdso(&size);

	(void)context;
	if (from > size || len > size - from)
		return false;
	memcpy(ret, own + from, len);
	return true;
}

struct error *elf_image_of_vdso(struct target *t, const struct module *m, struct buf *ret)
{
	size_t own_size, size = m->end > m->start ? m->end - m->start : 0;
	const void *own = own_vdso(&own_size);
	struct build_id own_id;

	build_id_read(read_own, NULL, 0, true, &own_id);
	if (own_id.len && build_id_equal(&own_id, &m->build_id)) {
		buf_add(ret, own, own_size);
		return buf_ok(ret) ? NULL : &error_nomem;
	}
	if (!size || size > VDSO_MAX)
		return error_new(ERROR_BAD_DATA, "the vdso claims %zu bytes", size);
	AUTO_FREE void *copy = malloc(size);
	if (!copy)
		return &error_nomem;
	struct error *err = target_read(t, m->start, copy, size);
	if (err)
		return err;
	buf_add(ret, copy, size);
	return buf_ok(ret) ? NULL : &error_nomem;
}
