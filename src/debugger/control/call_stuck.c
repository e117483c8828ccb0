/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/call_stuck.h"

#include <string.h>

#include "debugger/look.h"
#include "debugger/wait_words.h"
#include "ompd/picture/pthreads.h"

enum { FRAMES_MAX = 32 };

/* Locks that do not record who has them, and the functions that take them: glibc's, and of those
 * who replace it under the same names. */
static const struct lock_row {
	const char *name;
	const char *functions[16]; /* without what the C library has in front of them */
	bool is_stream;
} rows[] = {
	{ "malloc's lock",
	  { "malloc", "calloc", "realloc", "free", "memalign", "posix_memalign", "aligned_alloc",
	    "malloc_consolidate", "sysmalloc", "malloc_trim", "mallinfo" } },
	{ "the dynamic linker's lock",
	  { "dlopen", "dlclose", "dlsym", "dl_iterate_phdr", "_dl_open", "_dl_close", "_dl_sym",
	    "tls_get_addr" } },
	{ "the lock of a stream",
	  { "flockfile", "puts", "printf", "vprintf", "fprintf", "vfprintf", "fputs", "fwrite",
	    "putchar", "putc", "fflush", "getc", "fgets", "fread", "getline" },
	  true },
	{ "the lock of exit()", { "exit", "atexit", "run_exit_handlers", "cxa_atexit" } },
};

struct holder {
	pid_t lwp;            /* 0: not known                                 */
	const char *function; /* that it is in; NULL: that does not matter    */
};

/* ---- by functions ----------------------------------------------------------------------- */

static bool takes(const struct lock_row *row, const char *function)
{
	static const char *const fronts[] = { "_IO_", "__libc_", "_int_", "__GI_", "__" };

	for (size_t i = 0; i < sizeof(fronts) / sizeof(*fronts); i++) {
		if (!strncmp(function, fronts[i], strlen(fronts[i]))) {
			function += strlen(fronts[i]);
			break;
		}
	}
	for (size_t i = 0; i < sizeof(row->functions) / sizeof(*row->functions); i++) {
		if (row->functions[i] && !strcmp(row->functions[i], function))
			return true;
	}
	return false;
}

/* The function of a thread's frames above that address which takes such a lock; NULL: none. */
static const char *find_function(struct control *c, struct thread *th, const struct lock_row *row,
				 taddr above)
{
	const struct unwind_frame *frame = NULL;
	struct symbol symbol;

	frames_select(&c->frames, c->live, th, 0);
	for (size_t i = 0; i < FRAMES_MAX; i++) {
		struct error *err = frames_raw(&c->frames, i, &frame);
		if (err || !frame) {
			error_ignore(err);
			return NULL;
		}
		taddr pc = frame->pc - !frame->exact;
		if (frame->cfa > above && symbol_at(c->live->symbols, pc, &symbol) &&
		    takes(row, symbol.name))
			return symbol.name;
	}
	return NULL;
}

static const struct lock_row *find_row(struct control *c, struct thread *th)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (find_function(c, th, &rows[i], 0))
			return &rows[i];
	}
	return NULL;
}

/* The thread itself, where it stood before the call, or another one. */
static struct holder find_user(struct control *c, struct thread *th, const struct lock_row *row)
{
	taddr before = 0;

	vec_for_each (one, &c->called) {
		if (one->lwp == th->lwp)
			before = one->sp;
	}
	const char *function = find_function(c, th, row, before);
	if (function)
		return (struct holder){ th->lwp, function };
	vec_for_each (other, &c->live->target->threads) {
		function = *other != th && (*other)->state == THREAD_STOPPED
				   ? find_function(c, *other, row, 0)
				   : NULL;
		if (function)
			return (struct holder){ (*other)->lwp, function };
	}
	return (struct holder){ 0 };
}

/* ---- by OpenMP's picture ---------------------------------------------------------------- */

static const struct picture_thread *find_thread(const struct picture *p, pid_t lwp)
{
	vec_for_each (th, &p->threads) {
		if (th->lwp == lwp)
			return th;
	}
	return NULL;
}

static const char waits[] = "waits ";

/* NULL: it waits for nothing of OpenMP's. Borrows from the look. */
static const struct picture_thread *find_wait(struct control *c, struct thread *th,
					      struct look *look)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .few_names = true,
						  .judged = true,
						  .footprints = true };
	struct error *err = look_once(c->live, &options, look);

	if (!err)
		err = snapshot_name(look->snapshot);
	const struct picture_thread *own =
		err ? NULL : find_thread(&look->snapshot->picture, th->lwp);
	error_ignore(err);
	if (!own || !own->wait.entry || own->wait.kind == WAIT_UNKNOWN ||
	    strncmp(wait_words(own->wait.kind)->one, waits, strlen(waits)) != 0)
		return NULL;
	return own;
}

/* "for critical 'name'" */
static void add_wait(const struct picture *p, const struct picture_wait *wait, struct buf *out,
		     struct holder *ret)
{
	buf_adds(out, wait_words(wait->kind)->one + strlen(waits));
	if (wait->name)
		buf_addf(out, " '%s'", wait->name);
	if (wait->holder >= 0 && (size_t)wait->holder < p->threads.len)
		ret->lwp = p->threads.items[wait->holder].lwp;
}

/* ---- in words --------------------------------------------------------------------------- */

static void add_function(struct control *c, struct buf *out, struct thread *th)
{
	const struct frame *frame = NULL;

	frames_select(&c->frames, c->live, th, 0);
	struct error *err = frames_get(&c->frames, 0, &frame);
	if (!err && frame && frame->function)
		buf_addf(out, " in %s()", symbol_shown_name(c->live->symbols, frame->function));
	error_ignore(err);
}

/* _IO_lock_t of glibc: a word, a count, and the thread, by the address of its control block. */
static pid_t owner_of_stream(const struct control *c, taddr word)
{
	enum { OWNER_AT = 8 };
	struct target *t = c->live->target;
	uint64_t owner = 0, own;
	struct error *err = target_read_uint(t, word + OWNER_AT, sizeof(owner), &owner);

	error_ignore(err);
	vec_for_each (th, &t->threads) {
		err = target_get_uint(t, *th, t->arch->thread_pointer, &own);
		if (!err && owner && own == owner)
			return (*th)->lwp;
		error_ignore(err);
	}
	return 0;
}

static void add_lock(struct control *c, struct thread *th, taddr word, struct buf *out,
		     struct holder *ret)
{
	pid_t owner = pthreads_mutex_owner(c->live->target, word);
	const struct lock_row *row = threads_by_lwp(&c->threads, owner) ? NULL : find_row(c, th);

	ret->lwp = owner;
	if (row)
		*ret = find_user(c, th, row);
	owner = row && row->is_stream ? owner_of_stream(c, word) : 0;
	if (owner)
		*ret = (struct holder){ .lwp = owner };
	buf_adds(out, "for ");
	if (row)
		buf_addf(out, "%s, ", row->name);
	buf_addf(out, "something at 0x%" PRIx64, word);
}

static void add_holder(struct control *c, const struct thread *th, const struct holder *holder,
		       struct buf *out)
{
	const struct numbered_thread *known =
		holder->lwp ? threads_by_lwp(&c->threads, holder->lwp) : NULL;

	if (!known)
		return;
	if (holder->lwp == th->lwp)
		buf_adds(out, ", which its own thread has taken");
	else
		buf_addf(out, ", which thread %d (LWP %d) %s", known->number, known->lwp,
			 holder->function ? "probably holds" : "holds");
	if (holder->function)
		buf_addf(out, " (in %s)", holder->function);
}

static struct error *is_given_up(struct control *c, struct thread *th, const struct buf *what,
				 const struct holder *holder)
{
	AUTO_BUF text = { 0 };

	buf_addf(&text, "The function waits %s", buf_text(what));
	add_function(c, &text, th);
	add_holder(c, th, holder, &text);
	buf_adds(&text,
		 ": only another thread can wake it, and those are held while a function "
		 "is called.\nThe call is given up, and the thread stands where it did before; "
		 "what the function has done by then stays done.");
	return buf_ok(&text) ? error_new(ERROR_ABANDONED, "%s", buf_text(&text)) : &error_nomem;
}

struct error *call_stuck(struct control *c, struct thread *th, taddr word)
{
	AUTO_BUF what = { 0 };
	AUTO_LOOK look = { 0 };
	struct holder holder = { 0 };
	const struct picture_thread *own = find_wait(c, th, &look);

	if (own)
		add_wait(&look.snapshot->picture, &own->wait, &what, &holder);
	else
		add_lock(c, th, word, &what, &holder);
	return is_given_up(c, th, &what, &holder);
}

struct error *call_stuck_spinning(struct control *c, struct thread *th)
{
	AUTO_BUF what = { 0 };
	AUTO_LOOK look = { 0 };
	struct holder holder = { 0 };
	const struct picture_thread *own = find_wait(c, th, &look);
	const uint64_t before = c->plan.footprint;

	c->plan.footprint = own && own->wait.spinning ? (uint64_t)th->lwp + own->footprint : 0;
	if (!c->plan.footprint || c->plan.footprint != before)
		return NULL;
	add_wait(&look.snapshot->picture, &own->wait, &what, &holder);
	return is_given_up(c, th, &what, &holder);
}
