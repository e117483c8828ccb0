/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/target.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

struct error *target_init(struct target *t, const struct target_ops *ops)
{
	t->ops = ops;
	t->memory = memory_new(ops->read, t, ops->line ? ops->line : MEMORY_PAGE);
	t->root = file_root_new();
	return t->memory && t->root ? NULL : &error_nomem;
}

static void thread_free(struct thread *th)
{
	free(th->name);
	free(th);
}

void target_fini(struct target *t)
{
	vec_for_each (th, &t->threads)
		thread_free(*th);
	vec_fini(&t->threads);
	memory_free(t->memory);
	file_root_free(t->root);
	free(t->exe);
	free(t->core);
}

/* Index of the first thread that does not stand before that LWP. */
static size_t place_of(const struct target *t, pid_t lwp)
{
	const uint32_t rank = lwp_rank(t->pid, lwp);

	return sorted_count(th, t->threads.items, t->threads.len,
			    lwp_rank(t->pid, (*th)->lwp) < rank);
}

struct thread *target_add_thread(struct target *t, pid_t lwp)
{
	struct thread *th = calloc(1, sizeof(*th));
	size_t at = place_of(t, lwp);

	if (!th || !vec_push(&t->threads, th)) {
		free(th);
		return NULL;
	}
	th->lwp = lwp;
	struct thread **place = t->threads.items + at;
	memmove(place + 1, place, (t->threads.len - 1 - at) * sizeof(*place));
	*place = th;
	return th;
}

void target_drop_gone(struct target *t)
{
	size_t kept = 0;

	vec_for_each (th, &t->threads) {
		if ((*th)->state == THREAD_GONE)
			thread_free(*th);
		else
			t->threads.items[kept++] = *th;
	}
	t->threads.len = kept;
}

struct thread *target_find_thread(const struct target *t, pid_t lwp)
{
	size_t at = place_of(t, lwp);

	if (at == t->threads.len || t->threads.items[at]->lwp != lwp)
		return NULL;
	return t->threads.items[at];
}

/* Calls what the kind of target has in a slot; without it, says what it cannot. */
#define CALL(t, what, slot, ...)                                                                   \
	((t)->ops->slot ? (t)->ops->slot(__VA_ARGS__)                                              \
			: error_new(ERROR_UNSUPPORTED, "a %s cannot %s", (t)->ops->name, what))

struct error *target_nothing_to_do(struct target *t)
{
	(void)t;
	return NULL;
}

struct error *target_just_look(struct target *t, visit_function *look, void *context)
{
	(void)t;
	return look(context);
}

void target_free(struct target *t)
{
	if (t)
		t->ops->free(t);
}

const char *target_thread_name(struct target *t, struct thread *th)
{
	char name[64] = "";

	if (!th->name) {
		t->ops->thread_name(t, th, name);
		th->name = strdup(name);
	}
	return th->name ? th->name : "";
}

struct error *target_read(struct target *t, taddr from, void *ret, size_t len)
{
	return memory_read(t->memory, from, ret, len);
}

struct error *target_examine(struct target *t, taddr from, void *ret, size_t len)
{
	if (from >= t->unseen && from < t->unseen_end)
		return error_new(ERROR_NO_ADDRESS, "no memory at 0x%" PRIxTADDR, from);
	return target_read(t, from, ret, len);
}

struct error *target_read_string(struct target *t, taddr from, size_t most, char **ret)
{
	return memory_read_string(t->memory, from, most, ret);
}

struct error *target_read_uint(struct target *t, taddr from, size_t size, uint64_t *ret)
{
	uint64_t value = 0;
	struct error *err = memory_read(t->memory, from, &value, size);

	if (!err)
		*ret = value;
	return err;
}

struct error *target_write(struct target *t, taddr to, const void *bytes, size_t len)
{
	struct error *err = CALL(t, "be written to", write, t, to, bytes, len);

	t->changes++;
	if (err)
		memory_flush(t->memory); /* part of it may be written */
	else
		memory_update(t->memory, to, bytes, len);
	return err;
}

struct error *target_general(struct target *t, struct thread *th, const uint8_t **ret)
{
	size_t len = sizeof(th->general);

	if (!th->general_valid) {
		struct error *err = t->ops->get_regset(t, th, REGSET_GENERAL, th->general, &len);
		if (err)
			return err;
		if (len < t->arch->general_size)
			return error_new(
				ERROR_BAD_DATA,
				"thread %d has only %zu bytes of general registers, not %zu",
				th->lwp, len, t->arch->general_size);
		th->general_valid = true;
	}
	*ret = th->general;
	return NULL;
}

struct error *target_get_uint(struct target *t, struct thread *th, const struct reg *r,
			      uint64_t *ret)
{
	const uint8_t *set;
	struct error *err = target_general(t, th, &set);

	if (!err)
		*ret = arch_get(r, set);
	return err;
}

enum { SET_MAX = 64 * 1024 }; /* of registers: an XSAVE area with AMX is 11 KiB */

struct error *target_get_register(struct target *t, struct thread *th, const struct reg *r,
				  uint8_t ret[ARCH_REGISTER_MAX], size_t *ret_size)
{
	const uint8_t *general;

	if (r->set == REGSET_GENERAL) {
		struct error *err = target_general(t, th, &general);
		if (err)
			return err;
		return arch_copy(r, general, t->arch->general_size, ret, ret_size);
	}
	AUTO_FREE uint8_t *set = malloc(SET_MAX);
	size_t len = SET_MAX;
	if (!set)
		return &error_nomem;
	struct error *err = t->ops->get_regset(t, th, r->set, set, &len);
	if (!err)
		err = arch_copy(r, set, len, ret, ret_size);
	return error_add(err, "reading register %s", r->name);
}

struct error *target_set_register(struct target *t, struct thread *th, const struct reg *r,
				  const void *bytes, size_t size)
{
	AUTO_FREE uint8_t *set = malloc(SET_MAX);
	size_t len = SET_MAX;

	if (!set)
		return &error_nomem;
	struct error *err = t->ops->get_regset(t, th, r->set, set, &len);
	if (!err)
		err = arch_store(t->arch, r, set, len, bytes, size);
	t->changes++;
	if (!err)
		err = CALL(t, "be given other registers", set_regset, t, th, r->set, set, len);
	return error_add(err, "setting register %s", r->name);
}

struct error *target_set_uint(struct target *t, struct thread *th, const struct reg *r,
			      uint64_t value)
{
	const uint8_t *set;

	if (r->set != REGSET_GENERAL)
		return error_new(ERROR_UNSUPPORTED, "register %s cannot be set", r->name);
	struct error *err = target_general(t, th, &set);
	if (err)
		return err;
	arch_put(r, th->general, value);
	/* A system call that was to be made again would be, two bytes before the new place. */
	if (r == t->arch->pc && t->arch->call_number)
		arch_put(t->arch->call_number, th->general, UINT64_MAX);
	t->changes++;
	err = CALL(t, "be given other registers", set_regset, t, th, REGSET_GENERAL, th->general,
		   t->arch->general_size);
	if (err)
		th->general_valid = false;
	return error_add(err, "setting register %s", r->name);
}

void register_sets_fini(struct register_sets *r)
{
	for (size_t i = 0; i < NUM_REGSETS; i++)
		free(r->bytes[i]);
	*r = (struct register_sets){ 0 };
}

static struct error *save_set(struct target *t, struct thread *th, enum regset set,
			      struct register_sets *ret)
{
	size_t len = SET_MAX;

	ret->bytes[set] = malloc(SET_MAX);
	if (!ret->bytes[set])
		return &error_nomem;
	struct error *err = t->ops->get_regset(t, th, set, ret->bytes[set], &len);
	ret->len[set] = err ? 0 : len;
	return err;
}

struct error *target_save_registers(struct target *t, struct thread *th, struct register_sets *ret)
{
	struct register_sets sets = { 0 };
	struct error *err = save_set(t, th, REGSET_GENERAL, &sets);

	/* A processor without extended ones has those of x87 and SSE alone. */
	if (!err && (err = save_set(t, th, REGSET_EXTENDED, &sets))) {
		error_ignore(err);
		err = save_set(t, th, REGSET_FLOAT, &sets);
	}
	if (!err)
		err = save_set(t, th, REGSET_SIGMASK, &sets);
	if (err)
		register_sets_fini(&sets);
	else
		*ret = sets;
	return err;
}

struct error *target_load_registers(struct target *t, struct thread *th,
				    const struct register_sets *r)
{
	struct error *err = NULL;

	t->changes++;
	for (size_t i = 0; i < NUM_REGSETS && !err; i++) {
		if (r->len[i])
			err = CALL(t, "be given other registers", set_regset, t, th, (enum regset)i,
				   r->bytes[i], r->len[i]);
	}
	th->general_valid = false;
	return err;
}

struct error *target_keep_registers(struct target *t, pid_t lwp, const struct register_sets *r)
{
	struct error *err = NULL;

	if (!t->ops->keep_regset)
		return NULL;
	if (!r)
		return t->ops->keep_regset(t, lwp, REGSET_GENERAL, NULL, 0);
	for (size_t i = 0; i < NUM_REGSETS && !err; i++) {
		if (r->len[i])
			err = t->ops->keep_regset(t, lwp, (enum regset)i, r->bytes[i], r->len[i]);
	}
	return err;
}

struct error *target_maps(struct target *t, struct map_list *ret)
{
	return t->ops->maps(t, ret);
}

struct error *target_auxv(struct target *t, uint64_t type, uint64_t *ret)
{
	AUTO_BUF raw = { 0 };
	struct error *err = t->ops->auxv(t, &raw);
	Elf64_auxv_t entry;

	*ret = 0;
	if (err)
		return err;
	for (size_t at = 0; at + sizeof(entry) <= raw.len; at += sizeof(entry)) {
		memcpy(&entry, raw.data + at, sizeof(entry));
		if (entry.a_type == AT_NULL)
			break;
		if (entry.a_type == type) {
			*ret = entry.a_un.a_val;
			break;
		}
	}
	return NULL;
}

struct error *target_open_file(struct target *t, const struct map *map, struct file *ret)
{
	return t->ops->open_file(t, map, ret);
}

struct error *target_check_own(struct target *t)
{
	return t->ops->check_own(t);
}

struct error *target_check_paths(struct target *t)
{
	return t->ops->check_paths(t);
}

struct error *target_resume(struct target *t, struct thread *th, enum resume_how how)
{
	memory_flush(t->memory);
	t->changes++;
	return CALL(t, "run", resume, t, th, how);
}

struct error *target_stop_all(struct target *t)
{
	memory_flush(t->memory);
	return t->ops->stop_all(t);
}

struct error *target_wait(struct target *t, long timeout_us, struct event *ret)
{
	memory_flush(t->memory);
	return CALL(t, "run", wait, t, timeout_us, ret);
}

struct error *target_attach(struct target *t)
{
	memory_flush(t->memory);
	return CALL(t, "be attached to", attach, t);
}

struct error *target_take_child(struct target *t, pid_t pid, struct target **ret)
{
	return CALL(t, "have children", take_child, t, pid, ret);
}

struct error *target_visit(struct target *t, visit_function *look, void *context)
{
	memory_flush(t->memory);
	struct error *err = t->ops->visit(t, look, context);
	memory_flush(t->memory);
	return err;
}

bool target_is_whole(const struct target *t)
{
	return !t->lacks && !memory_missed(t->memory)->len;
}

int target_wait_fd(struct target *t)
{
	return t->ops->wait_fd ? t->ops->wait_fd(t) : -1;
}

struct error *target_plant(struct target *t, taddr at)
{
	return CALL(t, "be given traps", plant, t, at);
}

struct error *target_unplant(struct target *t, taddr at)
{
	return CALL(t, "be given traps", unplant, t, at);
}

struct error *target_set_point(struct target *t, const struct point *p)
{
	return CALL(t, "be given points", set_point, t, p);
}

struct error *target_clear_point(struct target *t, unsigned int id)
{
	return CALL(t, "be given points", clear_point, t, id);
}

struct error *target_point_state(struct target *t, unsigned int id, struct point_state *ret)
{
	return CALL(t, "be given points", point_state, t, id, ret);
}

struct error *target_count_hit(struct target *t, unsigned int id, bool *ret_stops)
{
	return CALL(t, "be given points", count_hit, t, id, ret_stops);
}

struct error *target_point_tally(struct target *t, unsigned int id, struct tally *ret)
{
	return CALL(t, "be given points", point_tally, t, id, ret);
}

struct error *target_note(struct target *t, const struct note *note)
{
	return CALL(t, "be given points", note, t, note);
}

struct error *target_step_range(struct target *t, struct thread *th, taddr start, taddr end)
{
	return target_step_ranges(t, &(struct range_step){ th, start, end }, 1);
}

struct error *target_step_ranges(struct target *t, const struct range_step *steps, size_t n)
{
	memory_flush(t->memory);
	t->changes++;
	return CALL(t, "run", step_ranges, t, steps, n);
}

struct error *target_pass_signals(struct target *t, uint64_t signals)
{
	return CALL(t, "run", pass_signals, t, signals);
}

struct error *target_trace_calls(struct target *t, const struct call_set *calls)
{
	return CALL(t, "run", trace_calls, t, calls);
}

struct error *target_lend(struct target *t, taddr start, taddr end)
{
	return CALL(t, "be given traps", lend, t, start, end);
}

struct error *target_detach(struct target *t)
{
	struct error *err = t->ops->detach(t);

	memory_flush(t->memory);
	return err;
}

struct error *target_kill(struct target *t)
{
	struct error *err = CALL(t, "be killed", kill, t);

	memory_flush(t->memory);
	return err;
}
