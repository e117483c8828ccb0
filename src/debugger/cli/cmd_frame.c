/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <string.h>

#include "debugger/cli/frame_choice.h"
#include "debugger/cli/running.h"

/* "0x555555555131 in main (a.c:6)"; *ret_outlined: see struct report_place. */
static struct error *add_pc(struct cli *c, const struct frame *f, char **ret_outlined)
{
	AUTO(report_place_fini) struct report_place place = { 0 };
	struct error *err = frames_place(&c->control->frames, f, &place);

	if (err)
		return err;
	buf_addf(&c->out, "0x%" PRIxTADDR, f->pc);
	if (place.function)
		style_add_between(&c->out, " in ", place.function, "");
	if (place.file) {
		buf_adds(&c->out, " (");
		style_add_line(&c->out, place.file, place.line);
		buf_addc(&c->out, ')');
	}
	*ret_outlined = TAKE(place.outlined);
	return NULL;
}

/* The next frame out that is called, not inlined; NULL: there is none. */
static const struct unwind_frame *caller_of(struct cli *c, size_t raw)
{
	const struct unwind_frame *caller = NULL;

	error_ignore(frames_raw(&c->control->frames, raw + 1, &caller));
	return caller;
}

/* caller: NULL: there is none. */
static struct error *add_frame_object(struct cli *c, const struct frame *f,
				      const struct unwind_frame *caller)
{
	struct json j;

	cli_json_begin(c, &j, "frame");
	json_add_integer(&j, "lwp", c->control->selected);
	json_add_address(&j, "cfa", f->cfa);
	if (caller) {
		json_add_address(&j, "caller_pc", caller->pc);
		json_add_address(&j, "caller_cfa", caller->cfa);
	}
	/* This may unwind further, and move the caller. */
	struct error *err =
		running_add_frame_members(c, &j, &c->control->frames, c->control->level);
	cli_json_end(c, &j);
	return err;
}

static struct error *add_selected(struct cli *c)
{
	const char *pc = c->control->live ? c->control->live->target->arch->pc->name : "pc";
	const struct frame *shown;
	AUTO_FREE char *outlined = NULL;
	struct error *err = frames_get(&c->control->frames, c->control->level, &shown);

	if (err)
		return err;
	if (!shown)
		return error_new(ERROR_USAGE, "No stack.");
	const struct frame f = *shown;
	if (c->json)
		return add_frame_object(c, &f, caller_of(c, f.raw));
	buf_addf(&c->out, "Stack level %zu, frame at 0x%" PRIxTADDR ":\n %s = ",
		 c->control->stitched.lwp ? c->control->stitched.number : c->control->level, f.cfa,
		 pc);
	err = add_pc(c, &f, &outlined);
	const struct unwind_frame *caller = caller_of(c, f.raw);
	if (caller)
		buf_addf(&c->out, "; saved %s = 0x%" PRIxTADDR "\n", pc, caller->pc);
	else
		buf_adds(&c->out, "\n Outermost frame\n");
	if (f.inlined)
		buf_addf(&c->out, " inlined into frame %zu\n", c->control->level + 1);
	else if (caller)
		buf_addf(&c->out, " called by frame at 0x%" PRIxTADDR "\n", caller->cfa);
	if (outlined)
		style_add_between(&c->out, " code of a construct, compiled as ", outlined, "\n");
	buf_addf(&c->out, " Previous frame's sp is 0x%" PRIxTADDR "\n", f.cfa);
	return err;
}

static struct error *cmd_info_frame(struct cli *c, const char *args)
{
	struct error *err = control_need_stack(c->control);

	if (err)
		return err;
	const struct control_selection before = control_selection(c->control);
	err = frame_choice_select(c, args);
	if (!err)
		err = add_selected(c);
	if (*args)
		control_select_again(c->control, &before);
	return err;
}

static const struct command rows[] = {
	{ .name = "info frame",
	  .short_names = "f",
	  .args = "[[level] N | function NAME | address CFA]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_LOCATION,
	  .run = cmd_info_frame,
	  .summary = "The selected frame, or another one: where it is, who called it." },
};

const struct command_table cmd_frame_table = COMMAND_TABLE(rows);
