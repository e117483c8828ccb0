/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Elf_image: the ELF file that the kernel maps into every program, the vdso.
 *
 * There is no file of it, but all of one is in memory.
 */
#ifndef TARGET_ELF_IMAGE_H
#define TARGET_ELF_IMAGE_H

#include "base/buf.h"
#include "target/modules/module.h"

/*
 * The vdso of the target: a copy of our own where it is the same (same kernel, same
 * build-id), so that the target need not be stopped, else out of its memory.
 */
MUST_CHECK struct error *elf_image_of_vdso(struct target *t, const struct module *m,
					   struct buf *ret);

#endif
