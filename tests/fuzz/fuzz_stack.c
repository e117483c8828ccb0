/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_stack: "ompdb stack --raw --json" of any bytes as a core file: unwinding over memory,
 * modules and unwind tables that the bytes describe.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "debugger/output/json_stack.h"
#include "fuzz.h"
#include "target/core/core.h"

/* Takes the target. */
static struct error *show(struct target *t)
{
	const struct session_options options = { .ompd_library = NULL };
	AUTO_SESSION *session = NULL;
	const struct picture none = { 0 };
	AUTO_STACKS *s = NULL;
	AUTO_BUF out = { 0 };

	struct error *err = session_new(t, &options, &session);
	if (!err)
		err = module_list_update(session->modules);
	if (!err)
		err = stack_collect(session, UNWIND_FRAMES_DEFAULT, &s);
	if (!err)
		err = stack_name(s);
	for (size_t i = 0; !err && i < s->threads.len; i++)
		err = stack_name_thread(s, i);
	if (err)
		return err;
	const struct view v = { .stacks = s, .picture = &none, .raw = true };
	json_stacks(&out, &v);
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_CLOSE int fd = memfd_create("core", MFD_CLOEXEC);
	struct target *t = NULL;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct error *err = core_open(path, NULL, &t);
	if (!err)
		err = show(t);
	error_free(err);
	return 0;
}
