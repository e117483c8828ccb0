/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/still.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/process/gate.h"
#include "target/process/live.h"
#include "target/process/still_lines.h"

/* In lines, if nothing else is said. */
enum {
	PAGE = MEMORY_PAGE / MEMORY_LINE,
	SET_MAX = 64 << 10,      /* bytes of a set of registers                             */
	WANTED_MAX = PAGE << 13, /* besides                                                 */
	STACK_USUAL = 8 << 10,   /* bytes, with what is thread-local                        */
	TRIES = 2,               /* stops in a row that may take too little                 */
};

/* Registers of a thread that are not its general ones. */
struct set_copy {
	pid_t lwp;
	enum regset set;
	uint8_t *bytes; /* owned */
	size_t len;
};

struct still {
	struct target base;        /* its memory and root are the process's                   */
	struct target *process;    /* owned                                                 */
	struct map_list maps;      /* owned; all there were when it stood still; or before    */
	struct buf maps_text;      /* owned; what they are made of                           */
	struct buf auxv;           /* owned; of the same moment                              */
	bool maps_move;            /* they have changed between looks: read while it stands   */
	struct line_list wanted;   /* owned; sorted; what was read besides stacks             */
	bool asked[NUM_REGSETS];   /* sets that somebody has asked for: they are taken, too   */
	VEC(struct set_copy) sets; /* owned                                                 */
	unsigned int insufficient; /* stops in a row that took too little                   */
};

static struct still *still_of(struct target *t)
{
	return (struct still *)t;
}

/* ---- what memory lasts ------------------------------------------------------------------ */

static enum memory_kind judge(void *context, taddr line, taddr *ret_end)
{
	const struct still *s = context;
	const struct map *map = map_list_find(&s->maps, line);

	if (!map)
		return MEMORY_ABSENT;
	*ret_end = map->end;
	bool is_file = map->path[0] == '/' || !strcmp(map->path, "[vdso]");
	return is_file && !(map->flags & (MAP_WRITE | MAP_SHARED_)) ? MEMORY_LASTS : MEMORY_CHANGES;
}

/* Wants what was missed, too. */
static struct error *want_missed(struct still *s)
{
	struct line_list *missed = memory_missed(s->base.memory);

	if (s->wanted.len + missed->len > WANTED_MAX)
		s->wanted.len = 0;
	vec_for_each (line, missed) {
		if (s->wanted.len < WANTED_MAX && !vec_push(&s->wanted, *line))
			return &error_nomem;
	}
	missed->len = 0;
	still_lines_sort(&s->wanted);
	return NULL;
}

/* ---- taking it -------------------------------------------------------------------------- */

static void forget_sets(struct still *s)
{
	vec_for_each (set, &s->sets)
		free(set->bytes);
	s->sets.len = 0;
}

static void forget_threads(struct still *s)
{
	forget_sets(s);
	vec_for_each (th, &s->base.threads)
		(*th)->state = THREAD_GONE;
	target_drop_gone(&s->base);
}

/* What a thread does not have is missing, as it is where a thread stands. */
static struct error *copy_set(struct still *s, struct thread *from, enum regset set)
{
	struct set_copy copy = { .lwp = from->lwp, .set = set, .len = SET_MAX };
	AUTO_FREE uint8_t *bytes = malloc(SET_MAX);

	if (!bytes)
		return &error_nomem;
	struct error *err = s->process->ops->get_regset(s->process, from, set, bytes, &copy.len);
	if (err) {
		error_ignore(err);
		return NULL;
	}
	copy.bytes = malloc(copy.len + 1);
	if (!copy.bytes || !vec_push(&s->sets, copy)) {
		free(copy.bytes);
		return &error_nomem;
	}
	memcpy(copy.bytes, bytes, copy.len);
	return NULL;
}

static struct error *copy_sets(struct still *s, struct thread *from)
{
	struct error *err = NULL;

	for (int set = 0; !err && set < NUM_REGSETS; set++) {
		if (s->asked[set])
			err = copy_set(s, from, (enum regset)set);
	}
	return err;
}

static struct error *copy_thread(struct still *s, struct thread *from)
{
	struct thread *th = target_add_thread(&s->base, from->lwp);
	const uint8_t *general;

	if (!th)
		return &error_nomem;
	th->state = from->state;
	th->stop = from->stop;
	th->kernel_worker = from->kernel_worker;
	if (!thread_state_stands(th->state))
		return NULL;
	struct error *err = target_general(s->process, from, &general);
	if (!err)
		memcpy(th->general, general, sizeof(th->general));
	th->general_valid = !err;
	if (!err)
		return copy_sets(s, from);
	if (!error_is(err, ERROR_GONE))
		return err;
	th->state = THREAD_GONE; /* killed where it stood */
	error_free(err);
	return NULL;
}

static struct error *take_threads(struct still *s)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < s->process->threads.len; i++)
		err = copy_thread(s, s->process->threads.items[i]);
	return err;
}

static struct error *take_memory(struct still *s)
{
	struct line_list lines = { 0 };
	bool ok = still_lines_usual(&s->base, &s->maps, &lines);

	if (ok) {
		memory_take(s->base.memory, live_gather, s->process, lines.items, lines.len);
		memory_take(s->base.memory, live_gather, s->process, s->wanted.items,
			    s->wanted.len);
		lines.len = 0;
		ok = !s->base.deep || still_lines_in_hand(&s->base, &s->maps, &lines);
	}
	if (ok && lines.len)
		memory_take(s->base.memory, live_gather, s->process, lines.items, lines.len);
	vec_fini(&lines);
	return ok ? NULL : &error_nomem;
}

/* ---- its mappings ----------------------------------------------------------------------- */

/* With what the kernel has told the program. */
static struct error *read_maps(struct still *s, struct buf *ret)
{
	struct error *err = live_maps_text(s->process, ret);

	if (err || !ret->len)
		return err;
	s->auxv.len = 0;
	error_ignore(s->process->ops->auxv(s->process, &s->auxv));
	return NULL;
}

/* Takes the text. ret_new: it is another one than before. */
static struct error *set_maps(struct still *s, struct buf *text, bool *ret_new)
{
	struct map_list maps = { 0 };

	*ret_new = !s->maps.len || text->len != s->maps_text.len ||
		   memcmp(text->data, s->maps_text.data, text->len) != 0;
	if (!*ret_new)
		return NULL;
	struct error *err = live_parse_maps(s->process, text, &maps);
	if (err)
		return err;
	map_list_fini(&s->maps);
	buf_fini(&s->maps_text);
	s->maps = maps;
	s->maps_text = *text;
	*text = (struct buf){ 0 };
	return NULL;
}

static struct error *set_program(struct still *s)
{
	char *exe = s->process->exe ? strdup(s->process->exe) : NULL;

	if (s->process->exe && !exe)
		return &error_nomem;
	free(s->base.exe);
	s->base.exe = exe;
	s->base.arch = s->process->arch;
	return NULL;
}

struct still_visit {
	struct still *still;
	visit_function *look;
	void *context;
	struct buf maps; /* owned; the text of the mappings; none: not read yet */
	bool holds;      /* the process stands while it is looked at */
};

/*
 * Mappings that are the same before the stop and behind it count as the same at the stop, and need
 * no time of it; most are. Where they have moved, they are read while it stands from now on. A
 * process that has ended meanwhile has no others.
 */
static struct error *look(struct still_visit *v)
{
	struct still *s = v->still;
	const bool is_later = !v->maps.len;
	struct error *err = NULL;
	bool is_new = false;

	if (is_later)
		error_ignore(read_maps(s, &v->maps));
	if (v->maps.len)
		err = set_maps(s, &v->maps, &is_new);
	if (err || !is_later || !is_new)
		return err ? err : v->look(v->context);
	s->maps_move = true;
	s->base.lacks = true;
	return NULL;
}

/* While the process stands still: nothing but registers, memory, and what /proc says of it. */
static struct error *take(void *context)
{
	struct still_visit *v = context;
	struct still *s = v->still;
	struct error *err = set_program(s);

	if (!err)
		err = take_threads(s);
	if (!err)
		err = take_memory(s);
	if (!err && (s->maps_move || v->holds))
		err = read_maps(s, &v->maps);
	return !err && v->holds ? look(v) : err;
}

/* The memory is the process's, too: what target_visit() forgets has to be kept. */
static struct error *still_visit(struct target *t, visit_function *function, void *context)
{
	struct still *s = still_of(t);
	struct still_visit v = { s, function, context, { 0 }, s->insufficient >= TRIES };
	struct error *err = want_missed(s);

	if (err)
		return err;
	memory_prepare(t->memory, s->wanted.len * MEMORY_LINE + t->threads.len * STACK_USUAL);
	memory_watch(t->memory, v.holds ? NULL : judge, s);
	forget_threads(s);
	t->lacks = false;
	t->runs = false;
	s->process->gate = t->gate;
	err = s->process->ops->visit(s->process, take, &v);
	if (!err) /* else others need not wait: it leaves them */
		gate_meet(t->gate, GATE_RELEASED);
	if (!err && !v.holds)
		err = look(&v);
	memory_watch(t->memory, judge, s);
	s->insufficient = target_is_whole(t) ? 0 : s->insufficient + 1;
	buf_fini(&v.maps);
	return err;
}

/* ---- the other ops ---------------------------------------------------------------------- */

static size_t still_read(void *context, taddr from, void *ret, size_t len)
{
	struct target *process = still_of(context)->process;

	return process->ops->read(process, from, ret, len);
}

static struct error *still_get_regset(struct target *t, struct thread *th, enum regset set,
				      void *ret, size_t *len)
{
	struct still *s = still_of(t);

	vec_for_each (copy, &s->sets) {
		if (copy->lwp != th->lwp || copy->set != set)
			continue;
		*len = copy->len < *len ? copy->len : *len;
		memcpy(ret, copy->bytes, *len);
		return NULL;
	}
	/* It is taken at the next stop. */
	if (!s->asked[set] && set != REGSET_GENERAL && thread_state_stands(th->state)) {
		s->asked[set] = true;
		t->lacks = true;
	}
	return error_new(thread_state_is_over(th->state) ? ERROR_GONE : ERROR_UNSUPPORTED,
			 "thread %d is not stopped: its registers cannot be read", th->lwp);
}

/* As procfs_parse_maps() does: what has neither a name nor code is left out. */
static struct error *still_maps(struct target *t, struct map_list *ret)
{
	struct error *err = NULL;

	vec_for_each (map, &still_of(t)->maps) {
		struct map copy = *map;
		if (err || (!map->path[0] && !(map->flags & MAP_EXEC)))
			continue;
		copy.path = strdup(map->path);
		err = map_list_take(ret, copy);
	}
	return err;
}

static struct error *still_auxv(struct target *t, struct buf *ret)
{
	const struct buf *auxv = &still_of(t)->auxv;

	buf_add(ret, auxv->data, auxv->len);
	return buf_ok(ret) ? NULL : &error_nomem;
}

static struct error *still_open_file(struct target *t, const struct map *map, struct file *ret)
{
	return target_open_file(still_of(t)->process, map, ret);
}

static struct error *still_check_own(struct target *t)
{
	return target_check_own(still_of(t)->process);
}

static struct error *still_check_paths(struct target *t)
{
	return target_check_paths(still_of(t)->process);
}

static void still_thread_name(struct target *t, struct thread *th, char ret[64])
{
	struct target *process = still_of(t)->process;

	process->ops->thread_name(process, th, ret);
}

static void still_free(struct target *t)
{
	struct still *s = still_of(t);

	t->memory = NULL;
	t->root = NULL;
	target_fini(t);
	target_free(s->process);
	map_list_fini(&s->maps);
	buf_fini(&s->maps_text);
	vec_fini(&s->wanted);
	forget_sets(s);
	vec_fini(&s->sets);
	buf_fini(&s->auxv);
	free(s);
}

static const struct target_ops still_ops = {
	.name = "process",
	.free = still_free,
	.read = still_read,
	.get_regset = still_get_regset,
	.maps = still_maps,
	.auxv = still_auxv,
	.open_file = still_open_file,
	.check_own = still_check_own,
	.check_paths = still_check_paths,
	.stop_all = target_nothing_to_do,
	.thread_name = still_thread_name,
	.visit = still_visit,
	.detach = target_nothing_to_do,
};

/* ---- before the first stop -------------------------------------------------------------- */

/*
 * What glibc gives the kernel as a thread's list of robust mutexes is a part of its struct pthread,
 * which begins at the thread pointer, with that address (nptl/descr.h). 0: it is not known.
 */
static taddr read_thread_pointer(struct still *s, pid_t lwp)
{
	enum { ROBUST_HEAD = 736 };
	struct robust_list_head *head = NULL;
	size_t size;
	taddr self;

	if (syscall(SYS_get_robust_list, lwp, &head, &size) < 0 || !head)
		return 0;
	taddr tp = (taddr)(uintptr_t)head - ROBUST_HEAD;
	return memory_try_read(s->base.memory, tp, &self, sizeof(self)) && self == tp ? tp : 0;
}

/* All threads, as far as they are known of a process that runs. */
static struct error *find_threads(struct still *s)
{
	AUTO(lwp_list_fini) struct lwp_list lwps = { 0 };

	error_ignore(procfs_tasks(s->base.pid, &lwps)); /* attaching will tell why */
	vec_for_each (lwp, &lwps) {
		struct thread *th = target_add_thread(&s->base, *lwp);
		if (!th)
			return &error_nomem;
		th->state = THREAD_STOPPED;
		th->general_valid = true;
		arch_put(s->base.arch->thread_pointer, th->general,
			 read_thread_pointer(s, th->lwp));
	}
	return NULL;
}

struct error *still_new(struct target *process, struct target **ret)
{
	struct still *s = calloc(1, sizeof(*s));
	AUTO_BUF maps = { 0 };
	bool is_new;

	if (!s) {
		target_free(process);
		return &error_nomem;
	}
	s->process = process;
	s->base.ops = &still_ops;
	s->base.arch = process->arch;
	s->base.pid = process->pid;
	s->base.memory = process->memory;
	s->base.root = process->root;
	/* Attaching will tell why they cannot be read. */
	error_ignore(read_maps(s, &maps));
	error_ignore(set_maps(s, &maps, &is_new));
	s->base.runs = true;
	memory_watch(s->base.memory, judge, s);
	struct error *err = set_program(s);
	if (!err)
		err = find_threads(s);
	if (err)
		still_free(&s->base);
	else
		*ret = &s->base;
	return err;
}
