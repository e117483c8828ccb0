/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/control.h"

#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "debugger/control/task_values.h"
#include "debugger/values/compile.h"
#include "debugger/values/eval.h"
#include "target/core/program_file.h"

const char *const locking_names[] = { "off", "on", "step", NULL };
const char *const omp_step_names[] = { "into", "over", NULL };

struct control *control_new(const struct session_options *options)
{
	struct control *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->options = *options;
	c->options.lasting_ids = true;
	c->inferior = c->last_inferior = 1;
	signals_init(&c->signals);
	c->values = convenience_new();
	c->probes = probes_new();
	if (!c->values || !c->probes) {
		control_free(c);
		return NULL;
	}
	return c;
}

void kept_process_fini(struct kept_process *p)
{
	threads_fini(&p->threads);
	session_free(p->session);
	*p = (struct kept_process){ 0 };
}

void control_forget_team(struct control *c)
{
	if (c->kept_team.team)
		c->kept_team.free(c->kept_team.team);
	c->kept_team.team = NULL;
}

void control_free(struct control *c)
{
	if (!c)
		return;
	frames_fini(&c->frames);
	plan_forget(&c->plan);
	called_forget(&c->called);
	vec_fini(&c->deferred);
	session_free(c->live); /* detaches or kills */
	vec_for_each (p, &c->kept)
		kept_process_fini(p);
	vec_fini(&c->kept);
	vec_for_each (of, &c->candidates)
		session_free(of->session);
	vec_fini(&c->candidates);
	session_free(c->file);
	breakpoints_fini(&c->breakpoints);
	vec_fini(&c->choosers);
	probes_free(c->probes);
	threads_fini(&c->threads);
	order_record_fini(&c->order);
	races_fini(&c->races);
	control_forget_team(c);
	vec_fini_all(&c->settings.environment);
	vec_fini_all(&c->settings.unset);
	vec_fini_all(&c->skips);
	free(c->settings.args);
	free(c->settings.directory);
	free(c->settings.terminal);
	free(c->settings.sysroot);
	free(c->settings.search_path);
	convenience_free(c->values);
	free(c->program);
	free(c);
}

/* ---- the program ------------------------------------------------------------------------ */

/* Links in the folders are followed; that of the file itself is kept, as in gdb: many a wrapper
 * does what it is called. */
static char *full_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	AUTO_FREE char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	AUTO_FREE char *real = folder ? realpath(folder, NULL) : NULL;
	AUTO_BUF full = { 0 };

	buf_addf(&full, "%s/%s", real && real[1] ? real : "", slash ? slash + 1 : path);
	return real && buf_ok(&full) && !access(buf_text(&full), F_OK) ? strdup(buf_text(&full))
								       : NULL;
}

/* A command as a shell would find it; NULL: it does not. */
static char *search_path(const char *name)
{
	AUTO_BUF file = { 0 };

	return file_in_path(name, &file) && buf_ok(&file) ? full_path(buf_text(&file)) : NULL;
}

static struct error *open_program(const struct control *c, const char *path, struct session **ret)
{
	struct target *t;
	struct error *err = program_open(path, &t);

	if (!err)
		err = session_new(t, &c->options, ret);
	if (err)
		return err;
	err = module_list_update((*ret)->modules);
	if (err) {
		session_free(*ret);
		*ret = NULL;
	}
	return err;
}

char *control_find_program(const char *path)
{
	char *found = full_path(path);

	return found || strchr(path, '/') ? found : search_path(path);
}

struct error *control_set_program(struct control *c, const char *path)
{
	AUTO_FREE char *found = control_find_program(path);
	struct session *s = NULL;
	struct stat now = { 0 };
	(void)!stat(found ? found : path,
		    &now); /* before it is read: it may be written to meanwhile */
	struct error *err = open_program(c, found ? found : path, &s);
	if (err)
		return err;
	c->program_then = now;
	session_free(c->file);
	c->file = s;
	free(c->program);
	c->program = found ? TAKE(found) : strdup(path);
	return c->program ? NULL : &error_nomem;
}

bool control_program_has_changed(const struct control *c)
{
	const struct stat *then = &c->program_then;
	struct stat now;

	return c->program && !stat(c->program, &now) &&
	       (now.st_dev != then->st_dev || now.st_ino != then->st_ino ||
		now.st_size != then->st_size || now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != then->st_mtim.tv_nsec);
}

struct session *control_session(const struct control *c)
{
	return c->live ? c->live : c->file;
}

bool control_is_live(const struct control *c)
{
	return c->live && c->runs;
}

struct error *control_need_session(const struct control *c, struct session **ret)
{
	*ret = control_session(c);
	return *ret ? NULL
		    : error_new(ERROR_USAGE, "no symbol table is loaded: use the \"file\" command");
}

void control_look_anew(struct control *c)
{
	const struct session *s = control_session(c);

	if (s)
		source_cache_look_again(s->sources);
	if (control_is_live(c))
		memory_flush(c->live->target->memory);
}

struct error *control_look(struct control *c, const struct snapshot_options *options,
			   struct look *ret)
{
	struct error *err = control_need_stack(c);

	ret->progress = (struct progress){ .stands = true, .looks = 1 };
	if (!err)
		err = snapshot_take(c->live, options, &ret->snapshot);
	if (err)
		return err;
	threads_mark_held(&c->threads, &ret->snapshot->picture);
	return snapshot_name(ret->snapshot);
}

struct error *control_need_live(const struct control *c)
{
	if (control_is_live(c))
		return NULL;
	if (c->live)
		return error_new(ERROR_UNSUPPORTED, "a core file cannot run: 'run' starts its "
						    "program anew");
	return error_new(ERROR_USAGE, "The program is not being run.");
}

struct error *control_need_stack(const struct control *c)
{
	return c->live ? NULL : error_new(ERROR_USAGE, "No stack.");
}

/* ---- what is selected ------------------------------------------------------------------- */

struct thread *control_selected_thread(const struct control *c)
{
	return c->live && c->selected ? target_find_thread(c->live->target, c->selected) : NULL;
}

void control_select_lwp(struct control *c, pid_t lwp, size_t hidden)
{
	c->selected = lwp;
	c->level = 0;
	c->stitched.lwp = 0;
	frames_select(&c->frames, c->live, control_selected_thread(c), hidden);
}

struct control_selection control_selection(const struct control *c)
{
	return (struct control_selection){ c->selected, c->level, c->frames.hidden, c->stitched };
}

void control_select_again(struct control *c, const struct control_selection *before)
{
	control_select_lwp(c, before->lwp, before->hidden);
	c->level = before->level;
	c->stitched = before->stitched;
}

struct error *control_select_thread(struct control *c, int number)
{
	const struct numbered_thread *th = threads_by_number(&c->threads, number);

	if (!c->live)
		return error_new(ERROR_USAGE, "No threads.");
	if (!th)
		return error_new(ERROR_NOT_FOUND, "Unknown thread %d: 'info threads' lists them.",
				 number);
	if (th->lwp != c->selected)
		control_select_lwp(c, th->lwp, 0);
	c->level = 0;
	c->stitched.lwp = 0;
	return NULL;
}

struct error *control_select_frame(struct control *c, size_t level)
{
	const struct frame *frame;
	struct error *err = control_need_stack(c);

	if (!err)
		err = frames_get(&c->frames, level, &frame);
	if (!err && !frame)
		err = error_new(ERROR_NOT_FOUND,
				"No frame at level %zu: the thread has %zu of its own.", level,
				c->frames.items.len);
	if (!err)
		c->level = level;
	if (!err)
		c->stitched.lwp = 0;
	return err;
}

void control_tell_values(const struct control *c, pid_t lwp)
{
	const struct numbered_thread *th = threads_by_lwp(&c->threads, lwp);

	convenience_set_int(c->values, "_thread", th ? th->number : 0);
	convenience_set_int(c->values, "_gthread", th ? th->number : 0);
	convenience_set_int(c->values, "_inferior", c->inferior ? c->inferior : 1);
}

struct eval_context control_evaluator(struct control *c, const struct scope *s)
{
	return (struct eval_context){
		.scope = s,
		.values = c->values,
		.call = c->call,
		.caller = c,
		.objects = c->settings.objects,
	};
}

struct error *control_scope(struct control *c, struct scope *ret)
{
	control_tell_values(c, c->selected);
	if (c->live && c->frames.thread) {
		struct error *err = frames_scope(&c->frames, c->level, ret);
		if (!err)
			task_values_know(ret);
		return err;
	}
	if (!control_session(c))
		return error_new(ERROR_USAGE, "No symbol table is loaded.  Use the \"file\" "
					      "command.");
	*ret = (struct scope){ .session = control_session(c) };
	return NULL;
}

/* ---- for linespecs and breakpoints ------------------------------------------------------ */

static pid_t lwp_of(void *context, int thread)
{
	const struct control *c = context;
	const struct numbered_thread *th = threads_by_number(&c->threads, thread);

	return th ? th->lwp : 0;
}

static struct error *compile(void *context, const char *const *conditions, taddr pc,
			     struct buf *ret, struct compiled *ret_how)
{
	const struct control *c = context;

	return compile_conditions(control_session(c), pc, conditions, ret, ret_how);
}

/* The file of main() is what lines mean as long as nothing runs: not that of a header with whose
 * code main() may begin. */
static struct linespec_default default_of_main(struct session *s)
{
	struct places_query query = { .name = places_main(s->symbols) };
	struct linespec_default ret = { 0 };
	struct code_places places = { 0 };
	const struct source_frame *levels;
	size_t len = 0;
	struct error *err = places_of_function(s->symbols, &query, &places);

	if (!err && places.len) {
		const struct code_place *first = &places.items[0];
		ret = (struct linespec_default){ .file = first->file, .line = first->line };
		err = symbol_locate(s->symbols, first->addr, &levels, &len);
	}
	const struct source_frame *outer = !err && len ? &levels[len - 1] : NULL;
	if (outer && outer->declared_file && !text_same(outer->declared_file, ret.file))
		ret = (struct linespec_default){ .file = outer->declared_file,
						 .line = outer->declared_line };
	error_ignore(err);
	vec_fini(&places);
	return ret;
}

static struct error *evaluate(void *context, const char *expression, taddr *ret)
{
	struct control *c = context;
	struct scope scope;
	struct error *err = control_scope(c, &scope);

	if (err)
		return err;
	const struct eval_context where = control_evaluator(c, &scope);
	return eval_address(&where, expression, ret);
}

struct linespec_context control_linespecs(struct control *c)
{
	struct linespec_context ret = {
		.session = control_session(c), .evaluate = evaluate, .context = c, .resembles = true
	};
	const struct frame *frame = NULL;
	struct error *err =
		c->live && c->frames.thread ? frames_get(&c->frames, c->level, &frame) : NULL;

	error_ignore(err);
	if (frame && frame->file)
		ret.here = (struct linespec_default){ .file = frame->file, .line = frame->line };
	else if (ret.session)
		ret.here = default_of_main(ret.session);
	ret.here.pc = frame ? frame->pc : 0;
	return ret;
}

struct breakpoint_context control_breakpoints(struct control *c)
{
	return (struct breakpoint_context){
		.where = { .session = control_session(c), .evaluate = evaluate, .context = c },
		.target = control_is_live(c) ? c->live->target : NULL,
		.next_point = &c->next_point,
		.lwp_of = lwp_of,
		.compile = compile,
		.context = c,
	};
}

/* ---- for plans -------------------------------------------------------------------------- */

static bool skips(void *context, const char *function, const char *file)
{
	const struct control *c = context;

	vec_for_each (skip, &c->skips) {
		const char *name = *skip;
		if (!strncmp(name, "file:", 5)) {
			size_t len = strlen(name + 5), all = file ? strlen(file) : 0;
			if (all >= len && !strcmp(file + all - len, name + 5))
				return true;
		} else if (function &&
			   text_same(symbol_shown_name(c->live->symbols, function), name)) {
			return true;
		}
	}
	return false;
}

struct plan_context control_plans(struct control *c)
{
	return (struct plan_context){
		.session = c->live,
		.frames = &c->frames,
		.next_point = &c->next_point,
		.stands = &c->stands,
		.skips = skips,
		.context = c,
		.passes_tasks = c->settings.omp_step == OMP_STEP_OVER,
	};
}

struct probe_context control_probes(struct control *c)
{
	return (struct probe_context){
		.session = control_is_live(c) ? c->live : NULL,
		.next_point = &c->next_point,
	};
}

/* ---- reports ---------------------------------------------------------------------------- */

struct error *control_report(struct control *c, struct stop_report *ret)
{
	const struct numbered_thread *th = threads_by_lwp(&c->threads, c->selected);
	const struct frame *frame;

	ret->kind = STOPPED_STANDS;
	ret->pid = c->pid;
	ret->lwp = c->selected;
	ret->thread = th ? th->number : 0;
	ret->many = threads_are_many(&c->threads);
	ret->new_frame = true;
	if (!c->frames.thread)
		return NULL;
	struct error *err = frames_get(&c->frames, c->level, &frame);
	return err || !frame ? err : frames_place(&c->frames, frame, &ret->place);
}

void control_notice(const struct control *c, const struct notice *n)
{
	if (c->listener.notice)
		c->listener.notice(c->listener.context, n);
}

void control_warn(const struct control *c, struct error *err)
{
	if (err)
		control_notice(
			c, &(struct notice){ .kind = NOTICE_WARNING, .text = error_message(err) });
	error_free(err);
}

/* ---- the environment -------------------------------------------------------------------- */

static bool is_variable(const char *entry, const char *name, size_t len)
{
	return !strncmp(entry, name, len) && entry[len] == '=';
}

struct error *control_unset_environment(struct control *c, const char *name)
{
	struct control_settings *s = &c->settings;
	size_t kept = 0, len = strlen(name);

	for (size_t i = 0; i < s->environment.len; i++) {
		if (is_variable(s->environment.items[i], name, len))
			free(s->environment.items[i]);
		else
			s->environment.items[kept++] = s->environment.items[i];
	}
	s->environment.len = kept;
	char *copy = strdup(name);
	if (copy && vec_push(&s->unset, copy))
		return NULL;
	free(copy);
	return &error_nomem;
}

/* As gdb: "NAME = VALUE", "NAME VALUE", "NAME". */
struct error *control_set_environment(struct control *c, const char *text)
{
	size_t len = strcspn(text, "= \t");
	const char *value = text + len;
	AUTO_FREE char *name = strndup(text, len);
	AUTO_BUF entry = { 0 };

	if (!name)
		return &error_nomem;
	if (!*name)
		return error_new(ERROR_USAGE, "a name is missing: 'set environment NAME = VALUE'");
	value += strspn(value, " \t");
	if (*value == '=')
		value += 1 + strspn(value + 1, " \t");
	struct error *err = control_unset_environment(c, name);
	if (err)
		return err;
	free(c->settings.unset.items[--c->settings.unset.len]);
	buf_addf(&entry, "%s=%s", name, value);
	if (!buf_ok(&entry) || !vec_push(&c->settings.environment, entry.data))
		return &error_nomem;
	entry = (struct buf){ 0 };
	return NULL;
}
