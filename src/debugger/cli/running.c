/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/running.h"

#include "base/interrupt.h"
#include "debugger/output/format_stop.h"

static void notice(void *context, const struct notice *n)
{
	struct cli *c = context;

	if (n->kind == NOTICE_WARNING) {
		cli_warn(c, "%s", n->text);
		return;
	}
	if ((n->kind == NOTICE_THREAD_NEW || n->kind == NOTICE_THREAD_END) &&
	    !c->settings.print.thread_events)
		return;
	format_stop_notice(&c->out, n, &c->style);
	error_ignore(cli_flush(c));
}

static void runs(void *context, bool runs)
{
	struct cli *c = context;

	if (!runs)
		return;
	c->command_ran_program = true;
	error_ignore(cli_flush(c));
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

struct error *running_init(struct cli *c, const struct session_options *options)
{
	c->control = control_new(options);
	if (!c->control)
		return &error_nomem;
	c->control->listener = (struct control_listener){
		.notice = notice,
		.runs = runs,
		.interrupt_fd = fd,
		.take_interrupt = take,
		.context = c,
	};
	return NULL;
}

/* The source line of a place, in ret; NULL: it cannot be had. */
static const char *source_of(struct cli *c, const struct report_place *p, struct buf *ret)
{
	struct session *s = control_session(c->control);
	bool has = s && p->file && source_cache_line(s->sources, p->file, p->line, ret);

	return has ? buf_text(ret) : NULL;
}

void running_tell(struct cli *c, const struct stop_report *r)
{
	AUTO_BUF source = { 0 };
	struct format_place place = { .source = source_of(c, &r->place, &source) };

	error_ignore(cli_execute_hook(c, "hook-", "stop"));
	if (r->kind == STOPPED_EXITED)
		c->child_status = (int)r->value;
	else if (r->kind == STOPPED_KILLED)
		c->child_status = 128 + r->signal;
	if (r->switched && r->many && !c->json)
		buf_addf(&c->out, "[Switching to Thread %d (LWP %d)]\n", r->thread, r->lwp);
	format_stop(&c->out, r, &place, &c->style);
	c->stops++;
	if (r->commands)
		buf_adds(&c->stop_commands, r->commands);
}

struct error *running_tell_frame(struct cli *c, size_t level, bool source)
{
	AUTO_BUF line = { 0 };
	struct report_place place;
	const struct frame *frame;
	struct error *err = frames_get(&c->control->frames, level, &frame);

	if (err || !frame)
		return err;
	err = frames_place(&c->control->frames, frame, &place);
	if (err)
		return err;
	buf_addf(&c->out, "#%-3zu", level);
	format_stop_place(&c->out, &place, NULL, &c->style);
	buf_addc(&c->out, '\n');
	if (source)
		format_stop_source(&c->out, &place, source_of(c, &place, &line), &c->style);
	free(place.function);
	free(place.file);
	free(place.module);
	return NULL;
}
