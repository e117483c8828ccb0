/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/own_numbers.h"

#include "ompd/client/openmp.h"
#include "ompd/client/quiet.h"
#include "ompd/runtimes.h"
#include "target/process/opcode.h"

enum { RUNTIMES_MAX = 4 };

struct asking {
	const struct openmp_source *source;
	struct openmp *begun[RUNTIMES_MAX]; /* sessions of all                        */
	size_t nbegun;
	const struct openmp *items[RUNTIMES_MAX]; /* those that can be read           */
	size_t len;
	bool late;
};

/* ---- which runtimes --------------------------------------------------------------------- */

static struct error *add_runtime(struct asking *a, const struct runtime *r)
{
	AUTO_BUF unused = { 0 };
	struct openmp *o;

	if (a->nbegun == RUNTIMES_MAX)
		return error_new(ERROR_UNSUPPORTED, "there are too many OpenMP runtimes");
	struct error *err = openmp_begin(a->source, r, &o);
	if (err)
		return err;
	a->begun[a->nbegun++] = o;
	enum own_state state =
		r->ops->own_number ? r->ops->own_number(o, OWN_LEVEL, &unused) : OWN_UNKNOWN;
	if (state == OWN_UNKNOWN)
		return error_new(ERROR_UNSUPPORTED,
				 "where %s keeps the numbers of threads is not known: %s",
				 r->ops->name, o->status ? o->status : "unknown");
	a->late |= state == OWN_NOT_YET;
	if (state == OWN_KNOWN)
		a->items[a->len++] = o;
	return NULL;
}

static struct error *add_runtimes(struct asking *a)
{
	const struct runtime_list *l = a->source->runtimes;
	struct error *err = NULL;

	if (!l->len)
		return error_new(ERROR_TOO_EARLY, "no OpenMP runtime is in the process");
	for (size_t i = 0; i < l->len && !err; i++)
		err = add_runtime(a, &l->items[i]);
	return err;
}

/* ---- code ------------------------------------------------------------------------------- */

static void add_number(const struct asking *a, size_t i, enum own_number which, struct buf *out)
{
	const struct openmp *o = a->items[i];

	(void)o->ops->own_number(o, which, out);
}

static void go_wrong(struct buf *out)
{
	opcode_add_constant(out, 0);
	opcode_add_constant(out, 0);
	opcode_add(out, CONDITION_DIVIDE_U);
}

/* In a region of runtime i, if in one at all: and of no other that comes behind it. */
static void add_choice(const struct asking *a, size_t i, enum own_number which, struct buf *out)
{
	if (i + 1 >= a->len) {
		add_number(a, i, which, out);
		return;
	}
	add_number(a, i, OWN_LEVEL, out);
	size_t outside = opcode_jump(out, CONDITION_JUMP_ZERO);
	for (size_t other = i + 1; other < a->len; other++) {
		add_number(a, other, OWN_LEVEL, out);
		size_t fine = opcode_jump(out, CONDITION_JUMP_ZERO);
		go_wrong(out);
		opcode_add(out, CONDITION_DROP);
		opcode_land(out, fine);
	}
	add_number(a, i, which, out);
	size_t end = opcode_jump(out, CONDITION_JUMP);
	opcode_land(out, outside);
	add_choice(a, i + 1, which, out);
	opcode_land(out, end);
}

static struct error *compile(const struct openmp_source *source, enum own_number which,
			     struct buf *ret, struct own_numbers_known *ret_known)
{
	struct asking a = { .source = source };
	struct error *err = add_runtimes(&a);

	*ret_known = (struct own_numbers_known){ a.late, a.len > 1 };
	if (!err && !a.len && which == OWN_ASKED)
		err = error_new(ERROR_TOO_EARLY, "the OpenMP runtime has not begun");
	if (!err && a.len)
		add_choice(&a, 0, which, ret);
	else
		opcode_add_constant(ret, which == OWN_TEAM_SIZE);
	for (size_t i = 0; i < a.nbegun; i++)
		openmp_end(a.begun[i]);
	return err;
}

struct error *own_numbers_compile(const struct own_numbers_source *source, enum own_number which,
				  struct buf *ret, struct own_numbers_known *ret_known)
{
	struct runtime_list runtimes = { 0 };
	struct pthreads pthreads = { 0 };
	int output = quiet_begin();
	struct error *err =
		runtime_list_read(runtimes_known, source->modules, source->symbols, &runtimes);

	if (!err)
		err = pthreads_read(source->modules->target, NULL, &pthreads);
	const struct openmp_source from = {
		.runtimes = &runtimes,
		.pthreads = &pthreads,
		.symbols = source->symbols,
		.ompd_library = source->ompd_library,
	};
	if (!err)
		err = compile(&from, which, ret, ret_known);
	quiet_end(output);
	pthreads_fini(&pthreads);
	runtime_list_fini(&runtimes);
	return err;
}

/* ---- here ------------------------------------------------------------------------------- */

static size_t read_memory(void *context, taddr from, void *ret, size_t len)
{
	struct target *t = context;

	return memory_try_read(t->memory, from, ret, len) ? len : 0;
}

struct error *own_numbers_read(const struct own_numbers_source *source, enum own_number which,
			       struct thread *th, uint64_t *ret)
{
	struct target *t = source->modules->target;
	AUTO_BUF code = { 0 };
	const uint8_t *general;
	struct own_numbers_known known;
	struct error *err = own_numbers_compile(source, which, &code, &known);

	if (!err)
		err = target_general(t, th, &general);
	if (err)
		return err;
	const struct condition_subject subject = { t->arch, general, read_memory, t };
	if (!buf_ok(&code))
		return &error_nomem;
	if (!condition_value((const uint8_t *)code.data, code.len, &subject, ret))
		return error_new(ERROR_UNSUPPORTED, "what the runtime knows of the thread cannot "
						    "be read");
	return NULL;
}
