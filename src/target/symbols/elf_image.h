/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Elf_image: what a target's memory still tells of a module whose file is not to be had.
 *
 * The vdso is an ELF file in memory, whole. Of other modules only the segments are there, and
 * among them what the dynamic linker needs: the symbols that the module exports.
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

/*
 * A small ELF file made out of the dynamic symbols of a module (PT_DYNAMIC). Its addresses are
 * those of the module's file. BAD_DATA: they make no sense. NO_ADDRESS: they are not readable.
 */
MUST_CHECK struct error *elf_image_of_exports(struct target *t, const struct module *m,
					      struct buf *ret);

#endif
