/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Dwo_image: .dwo files as libdw reads them, made of others that it does not.
 *
 * Of a section that is there several times it reads the first alone: gcc writes one for each type
 * (-fdebug-types-section). And elfutils 0.188 knows no packages of .dwo files (.dwp, DWARF 5
 * section 7.3.5): the parts of one unit, and of the types that came from the same file, are such a
 * file.
 */
#ifndef TARGET_DWO_IMAGE_H
#define TARGET_DWO_IMAGE_H

#include "target/symbols/elf_file.h"

/* Some section of debug information is there more than once. */
bool dwo_image_is_needed(const struct elf_file *dwo);

/* The same file with each section once. It spends what that takes. */
MUST_CHECK struct error *dwo_image_merge(const struct elf_file *dwo, struct spending *spending,
					 struct buf *ret);

/* The unit of that identity in a package. NOT_FOUND: it has none. */
MUST_CHECK struct error *dwo_image_extract(const struct elf_file *package, uint64_t id,
					   struct spending *spending, struct buf *ret);

/* The identity of the unit that has come into a package with that type. false: none has. */
bool dwo_image_unit_of_type(const struct elf_file *package, uint64_t signature, uint64_t *ret_id);

#endif
