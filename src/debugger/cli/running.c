/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/running.h"

#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "debugger/cli/displays.h"
#include "debugger/control/call.h"
#include "debugger/control/inferior.h"
#include "debugger/output/format_breakpoint.h"
#include "debugger/output/format_events.h"
#include "debugger/output/format_stop.h"
#include "debugger/output/format_value.h"
#include "debugger/output/json_stop.h"
#include "debugger/output/json_value.h"
#include "target/symbols/function_name.h"

void running_tell_breakpoint(struct cli *c, const struct breakpoint *b)
{
	struct json j;

	if (!c->json) {
		format_breakpoint_made(&c->out, b, &c->style);
		return;
	}
	cli_json_begin(c, &j, "breakpoint");
	json_stop_breakpoint(&j, b);
	cli_json_end(c, &j);
}

static void notice(void *context, const struct notice *n)
{
	struct cli *c = context;

	if (n->kind == NOTICE_WARNING) {
		cli_warn(c, "%s", n->text);
		return;
	}
	if (n->kind == NOTICE_PRINT) {
		AUTO_BUF line = { 0 };
		buf_addf(&line, "printf %s", n->text);
		struct error *err = cli_execute(c, buf_text(&line));
		if (err)
			cli_tell_error(c, error_add(err, "dprintf %d", n->number));
		error_ignore(cli_flush(c));
		return;
	}
	/* Scripts hear of it no more than from gdb. */
	if (n->kind == NOTICE_RESOLVED && !c->json && (c->batch || !c->keyboard->typed))
		return;
	const bool thread = n->kind == NOTICE_THREAD_NEW || n->kind == NOTICE_THREAD_END;
	if (thread && !c->settings.print.thread_events)
		return;
	if (n->kind == NOTICE_FORK && !c->settings.print.inferior_events)
		return;
	if (c->json) {
		struct json j;
		cli_json_begin(c, &j, "notice");
		json_stop_notice(&j, n);
		cli_json_end(c, &j);
	} else {
		format_stop_notice(&c->out, n, &c->style);
	}
	if (n->kind == NOTICE_RESOLVED)
		running_tell_breakpoint(c, breakpoint_find(&c->control->breakpoints, n->number));
	error_ignore(cli_flush(c));
}

struct error *running_let_pend(struct cli *c, struct error *err)
{
	const int how = c->settings.pending;
	const bool asks = c->keyboard && c->keyboard->typed && !c->batch;

	if (how != SETTING_ON && (how != SETTING_AUTO || !asks))
		return err;
	cli_warn(c, "%s", error_message(err));
	if (how == SETTING_AUTO &&
	    !cli_ask(c, "Make breakpoint pending on future shared library load? "))
		return err;
	error_free(err);
	return NULL;
}

/* The program was launched into the foreground, or comes back there. */
static void give_terminal(struct cli *c)
{
	const struct control *control = c->control;

	if (control->attached || control->settings.terminal || !control->pid || control->rests)
		return;
	if (c->terminal.fd >= 0 && tcgetpgrp(c->terminal.fd) == control->pid)
		terminal_given(&c->terminal, control->pid);
	else
		terminal_give(&c->terminal, control->pid);
	if (c->terminal.group)
		ear_join(&c->ear, control->pid, tcgetpgrp(c->terminal.fd));
	ear_take(&c->ear); /* of before it stopped */
}

void running_take_terminal(struct cli *c)
{
	struct terminal *t = &c->terminal;
	bool lost = t->fd >= 0 && !t->group && !terminal_is_ours(t);

	/* A program that could not be started, or that has not run yet, has it still. */
	if (lost && c->control->pid >= 0)
		terminal_given(t, c->control->pid ? c->control->pid : 1);
	terminal_take(t);
	ear_leave(&c->ear, c->control->pid);
}

static void runs(void *context, bool runs)
{
	struct cli *c = context;

	if (!runs) {
		running_take_terminal(c);
		return;
	}
	c->command_ran_program = true;
	error_ignore(cli_flush(c));
	give_terminal(c);
}

static void stopped(void *context, const struct stop_report *r)
{
	running_tell(context, r);
}

/* Long work can be given up, and says on a terminal that it is going on. */
static bool asks_whether_to_go_on(void *context)
{
	struct cli *c = context;

	console_progress(&c->progress, c->pages, "Reading debug information");
	return interrupt_is_pending();
}

void running_watch_long_work(struct cli *c)
{
	struct session *sessions[] = { c->control->file, c->control->live };

	console_progress_begin(&c->progress);
	for (size_t i = 0; i < 2; i++) {
		if (sessions[i])
			symbol_table_set_interrupt(sessions[i]->symbols, asks_whether_to_go_on, c);
	}
}

static int fd(void *context)
{
	(void)context;
	return interrupt_fd();
}

static bool take(void *context)
{
	(void)context;
	return interrupt_take();
}

static int heard_fd(void *context)
{
	const struct cli *c = context;

	return c->ear.fd;
}

static bool take_heard(void *context)
{
	struct cli *c = context;

	return ear_take(&c->ear);
}

struct error *running_init(struct cli *c, const struct session_options *options)
{
	terminal_open(&c->terminal);
	c->ear = (struct ear)EAR_NONE;
	c->control = control_new(options);
	if (!c->control)
		return &error_nomem;
	c->control->call = call_function;
	c->control->listener = (struct control_listener){
		.notice = notice,
		.runs = runs,
		.stopped = stopped,
		.interrupt_fd = fd,
		.take_interrupt = take,
		.heard_fd = heard_fd,
		.take_heard = take_heard,
		.context = c,
	};
	return NULL;
}

int running_tracer_fd(const struct cli *c)
{
	/* A command that asks something is in the middle of its work: it will find out. */
	if (c->depth)
		return -1;
	return c->elsewhere ? c->elsewhere->fd(c) : inferior_tracer_fd(c->control);
}

void running_tell_lost(struct cli *c)
{
	if (c->elsewhere) {
		c->elsewhere->tell(c);
		return;
	}
	cli_tell_error(c, inferior_lose(c->control));
}

/* The source line of a place, in ret; NULL: it cannot be had. */
static const char *source_of(struct cli *c, const struct report_place *p, struct buf *ret)
{
	struct session *s = control_session(c->control);
	bool has = s && p->file && source_cache_line(s->sources, p->file, p->line, ret);

	return has ? buf_text(ret) : NULL;
}

/* Values of a frame's arguments, in ret; nothing if they cannot be had. */
static const char *arguments_of(struct cli *c, struct frames *frames, size_t level, struct buf *ret)
{
	AUTO_SHOWN_VARIABLES l = { 0 };
	struct scope scope;
	struct error *err = frames_scope(frames, level, &scope);

	if (!err)
		err = shown_arguments(&scope, &c->settings.print.values, &l);
	if (!err)
		format_value_arguments(ret, &l,
				       (enum format_arguments)c->settings.print.frame_arguments,
				       (enum format_entry)c->settings.print.entry_values);
	error_ignore(err);
	return ret->len ? buf_text(ret) : NULL;
}

static struct error *show(struct cli *c, const struct value *v, struct shown *ret)
{
	const struct scope scope = { .session = control_session(c->control) };

	return shown_make(&scope, v, &c->settings.print.values, ret);
}

static const char *value_of(struct cli *c, const struct value *v, struct buf *ret)
{
	AUTO_SHOWN s = { 0 };
	struct error *err = show(c, v, &s);

	if (!err)
		format_value_top(ret, &s, 0);
	error_ignore(err);
	return ret->len ? buf_text(ret) : NULL;
}

/* The values of watchpoints that were hit; NULL: out of memory. */
static struct format_values *make_values(struct cli *c, const struct stop_report *r)
{
	struct format_values *ret = calloc(r->watches.len + 1, sizeof(*ret));

	for (size_t i = 0; ret && i < r->watches.len; i++) {
		const struct report_watch *w = &r->watches.items[i];
		if (w->was.type)
			value_of(c, &w->was, &ret[i].was);
		if (w->is.type)
			value_of(c, &w->is, &ret[i].is);
	}
	return ret;
}

static void free_values(struct format_values *values, const struct stop_report *r)
{
	for (size_t i = 0; values && i < r->watches.len; i++) {
		buf_fini(&values[i].was);
		buf_fini(&values[i].is);
	}
	free(values);
}

/* The first line of a breakpoint's lines may say that its stops are not told. */
static const char *behind_silent(const char *commands)
{
	const char *text = commands ? commands + strspn(commands, " \t\n") : "";

	if (strncmp(text, "silent", 6) != 0 || text[6 + strspn(text + 6, " \t")] != '\n')
		return NULL;
	return text + 6;
}

static void add_value_object(struct cli *c, struct json *j, const char *key, const struct value *v)
{
	AUTO_SHOWN s = { 0 };
	struct error *err = v ? show(c, v, &s) : NULL;

	if (!err && v) {
		json_add_object(j, key);
		json_value_members(j, &s, 0);
		json_end(j);
	}
	error_ignore(err);
}

static void add_both_values(struct cli *c, struct json *j, const struct report_watch *w)
{
	if (w->has_old && w->was.type)
		add_value_object(c, j, "old", &w->was);
	if (w->is.type)
		add_value_object(c, j, "new", &w->is);
}

/* The first one's values are the stop's, too. */
static void add_watch_objects(struct cli *c, struct json *j, const struct stop_report *r)
{
	json_add_array(j, "watchpoints");
	vec_for_each (w, &r->watches) {
		json_add_object(j, NULL);
		json_stop_watch(j, w);
		add_both_values(c, j, w);
		json_end(j);
	}
	json_end(j);
	if (r->watches.len)
		add_both_values(c, j, r->watches.items);
}

static void tell_as_json(struct cli *c, const struct stop_report *r, const struct value *returned,
			 const char *source)
{
	struct json j;

	cli_json_begin(c, &j, "stop");
	json_stop_add(&j, r);
	if (r->kind == STOPPED_WATCHPOINT)
		add_watch_objects(c, &j, r);
	if (returned)
		json_add_unsigned(&j, "result_number", r->result);
	add_value_object(c, &j, "result", returned);
	if (!stop_report_is_end(r) && c->control->frames.thread) {
		json_add_lines(&j, "source", source);
		error_ignore(running_add_frame_object(c, &j, "frame", &c->control->frames, 0));
	}
	cli_json_end(c, &j);
}

/* What catchpoints have counted until the end. */
static void tell_counts(struct cli *c)
{
	vec_for_each (b, &c->control->breakpoints.items) {
		if ((*b)->counts)
			format_events_counts(&c->out, *b, &c->style);
	}
}

void running_tell(struct cli *c, const struct stop_report *r)
{
	AUTO_BUF source = { 0 }, arguments = { 0 }, result = { 0 };
	struct format_values *values = make_values(c, r);
	const struct value *returned =
		r->result ? convenience_history(c->control->values, r->result) : NULL;
	struct format_place place = {
		.source = source_of(c, &r->place, &source),
		.values = values,
		.result = !c->settings.print.finish ? "<not displayed>"
			  : returned                ? value_of(c, returned, &result)
						    : NULL,
	};

	struct stop_report told = *r; /* borrows */
	told.ranked = c->ranked;
	told.many |= c->ranked;
	running_take_terminal(c);
	error_ignore(cli_execute_hook(c, "hook-", "stop"));
	if (r->kind == STOPPED_EXITED)
		c->child_status = (int)r->value;
	else if (r->kind == STOPPED_KILLED)
		c->child_status = 128 + r->signal;
	if (c->control->frames.thread && r->new_frame && !r->place.outlined)
		place.arguments = arguments_of(c, &c->control->frames, r->level, &arguments);
	const char *behind = behind_silent(r->commands);
	if (r->switched && r->many && !c->json && !behind && !c->ranked)
		buf_addf(&c->out, "[Switching to Thread %d (LWP %d)]\n", r->thread, r->lwp);
	if (c->json)
		tell_as_json(c, r, returned, place.source);
	else if (!behind && values)
		format_stop(&c->out, &told, &place, &c->style);
	free_values(values, r);
	c->stops++;
	if (stop_report_is_end(r) && !c->json)
		tell_counts(c);
	if (!stop_report_is_end(r))
		displays_show(c);
	if (!c->json && !behind)
		format_stop_result(&c->out, r, &place);
	if (r->commands)
		buf_adds(&c->stop_commands, behind ? behind : r->commands);
}

struct error *running_add_frame(struct cli *c, struct frames *frames, size_t level,
				struct report_place *ret)
{
	AUTO_BUF arguments = { 0 };
	const struct frame *frame;
	struct error *err = frames_get(frames, level, &frame);

	if (!err && !frame)
		err = error_new(ERROR_NOT_FOUND, "there is no frame %zu", level);
	if (!err)
		err = frames_place(frames, frame, ret);
	if (err)
		return err;
	const char *shown = ret->outlined ? NULL : arguments_of(c, frames, level, &arguments);
	format_stop_place(&c->out, ret, shown, &c->style);
	buf_addc(&c->out, '\n');
	return NULL;
}

void running_add_function(const struct cli *c, struct buf *out, const struct stitched_frame *f)
{
	const char *function = f->function ? f->function : "??";
	size_t len;
	const char *name = function_name_without_result(function, &len);
	AUTO_BUF cut = { 0 };

	if (name)
		buf_add(&cut, name, len);
	style_add_inked(out, INK_NAME, name ? buf_text(&cut) : function, &c->style);
	buf_adds(out, " ()");
	if (f->file) {
		buf_adds(out, " at ");
		style_add_line(out, f->file, f->line);
	}
}

static struct error *find_locals(struct cli *c, struct frames *frames, size_t level,
				 struct shown_variables *ret)
{
	struct scope scope;
	struct error *err = frames_scope(frames, level, &scope);

	return err ? err : shown_locals(&scope, &c->settings.print.values, ret);
}

struct error *running_add_locals(struct cli *c, struct frames *frames, size_t level)
{
	AUTO_SHOWN_VARIABLES l = { 0 };
	struct error *err = find_locals(c, frames, level, &l);

	vec_for_each (variable, &l) {
		style_add_between(&c->out, "        ", variable->name ? variable->name : "?",
				  " = ");
		format_value(&c->out, &variable->value, 0);
		buf_addc(&c->out, '\n');
	}
	if (!err && !l.len)
		buf_adds(&c->out, "No locals.\n");
	return err;
}

struct error *running_add_locals_array(struct cli *c, struct json *j, struct frames *frames,
				       size_t level)
{
	AUTO_SHOWN_VARIABLES l = { 0 };
	struct error *err = find_locals(c, frames, level, &l);

	if (!err)
		json_value_variables(j, "locals", &l);
	return err;
}

struct error *running_add_frame_members(struct cli *c, struct json *j, struct frames *frames,
					size_t level)
{
	AUTO(report_place_fini) struct report_place place = { 0 };
	AUTO_SHOWN_VARIABLES arguments = { 0 };
	const struct frame *frame;
	struct scope scope;
	struct error *err = frames_get(frames, level, &frame);

	if (err || !frame)
		return err;
	json_add_unsigned(j, "level", level);
	json_add_bool(j, "inlined", frame->inlined);
	err = frames_place(frames, frame, &place);
	if (!err)
		json_stop_place(j, &place);
	if (!err)
		err = frames_scope(frames, level, &scope);
	if (!err)
		err = shown_arguments(&scope, &c->settings.print.values, &arguments);
	if (!err)
		json_value_variables(j, "arguments", &arguments);
	return err;
}

struct error *running_add_frame_object(struct cli *c, struct json *j, const char *key,
				       struct frames *frames, size_t level)
{
	json_add_object(j, key);
	struct error *err = running_add_frame_members(c, j, frames, level);
	json_end(j);
	return err;
}

static struct error *tell_frame_object(struct cli *c, size_t level)
{
	struct json j;

	cli_json_begin(c, &j, "frame");
	json_add_integer(&j, "lwp", c->control->selected);
	struct error *err = running_add_frame_members(c, &j, &c->control->frames, level);
	cli_json_end(c, &j);
	return err;
}

static struct error *tell_frame(struct cli *c, size_t level, size_t number, bool source)
{
	AUTO_BUF line = { 0 };
	struct report_place place = { 0 };

	if (c->json)
		return tell_frame_object(c, level);
	buf_addf(&c->out, "#%-3zu", number);
	struct error *err = running_add_frame(c, &c->control->frames, level, &place);
	if (!err && source)
		format_stop_source(&c->out, &place, source_of(c, &place, &line), &c->style);
	report_place_fini(&place);
	return err;
}

struct error *running_tell_frame(struct cli *c, size_t level, bool source)
{
	return tell_frame(c, level, level, source);
}

struct error *running_tell_numbered(struct cli *c, size_t number, bool source)
{
	return tell_frame(c, c->control->level, number, source);
}

void running_tell_end(struct cli *c, int inferior, pid_t pid, bool killed)
{
	const char *what = killed ? "killed" : "detached";
	struct json j;

	if (!c->json) {
		buf_addf(&c->out, "[Inferior %d (process %d) %s]\n", inferior, pid, what);
		return;
	}
	cli_json_begin(c, &j, "inferior");
	json_add_integer(&j, "number", inferior);
	json_add_integer(&j, "pid", pid);
	json_add_string(&j, "what", what);
	cli_json_end(c, &j);
}

struct error *running_told(struct cli *c, struct stop_report *r, struct error *err)
{
	if (!err && r->kind != STOPPED_NOTHING)
		running_tell(c, r);
	stop_report_fini(r);
	return err;
}
