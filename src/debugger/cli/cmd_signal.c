/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/cli/running.h"
#include "debugger/control/resume.h"

static struct error *parse_signal(const char *args, int *ret)
{
	*ret = strcmp(args, "0") ? signals_find(args) : 0;
	if (*ret || !strcmp(args, "0"))
		return NULL;
	return error_new(ERROR_USAGE,
			 "there is no signal '%s': 'info signals' lists them; numbers only from "
			 "1 to 15",
			 args);
}

static struct error *cmd_signal(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };
	int signal;
	struct error *err = control_need_live(c->control);

	if (!err)
		err = parse_signal(args, &signal);
	if (err)
		return err;
	buf_addf(&c->out, "Continuing with %s.\n", signal ? signals_name(signal) : "no signal");
	return running_told(c, &r, resume_signal(c->control, signal, &r));
}

static struct error *cmd_queue_signal(struct cli *c, const char *args)
{
	int signal;
	struct error *err = parse_signal(args, &signal);

	return err ? err : resume_queue_signal(c->control, signal);
}

/* ---- signals ---------------------------------------------------------------------------- */

static void add_signal_head(struct cli *c)
{
	buf_adds(&c->out, "Signal        Stop\tPrint\tPass to program\tDescription\n");
}

static void add_signal_row(struct cli *c, int signal)
{
	const struct signal_policy *p = &c->control->signals.of[signal];

	buf_addf(&c->out, "%-13s %s\t%s\t%s\t\t%s\n", signals_name(signal), p->stop ? "Yes" : "No",
		 p->print ? "Yes" : "No", p->pass ? "Yes" : "No", signals_text(signal));
}

static void add_signal_object(struct cli *c, int signal, struct json *j)
{
	const struct signal_policy *p = &c->control->signals.of[signal];

	json_add_object(j, NULL);
	json_add_string(j, "name", signals_name(signal));
	json_add_bool(j, "stop", p->stop);
	json_add_bool(j, "print", p->print);
	json_add_bool(j, "pass", p->pass);
	json_add_string(j, "text", signals_text(signal));
	json_end(j);
}

static void add_signals(struct cli *c, const bool which[SIGNALS_END])
{
	struct json j;

	if (c->json) {
		cli_json_begin(c, &j, "signals");
		json_add_array(&j, "signals");
	} else {
		add_signal_head(c);
	}
	for (int n = 1; n < SIGNALS_END; n++) {
		if (which[n] && c->json)
			add_signal_object(c, n, &j);
		else if (which[n])
			add_signal_row(c, n);
	}
	if (!c->json)
		return;
	json_end(&j);
	cli_json_end(c, &j);
}

static struct error *cmd_info_signals(struct cli *c, const char *args)
{
	bool shown[SIGNALS_END];
	int signal = 0;
	struct error *err = *args ? parse_signal(args, &signal) : NULL;

	if (err)
		return err;
	for (int n = 1; n < SIGNALS_END; n++)
		shown[n] = !signal || n == signal;
	add_signals(c, shown);
	return NULL;
}

/* What a word does to a policy; what stops is told, and what is not told does not stop. */
static bool apply(const char *word, struct signal_policy *p)
{
	bool no = !strncmp(word, "no", 2);
	const char *what = no ? word + 2 : word;

	if (!strcmp(what, "stop")) {
		p->stop = !no;
		p->print |= !no;
	} else if (!strcmp(what, "print")) {
		p->print = !no;
		p->stop &= !no;
	} else if (!strcmp(what, "pass")) {
		p->pass = !no;
	} else if (!strcmp(what, "ignore")) {
		p->pass = no;
	} else {
		return false;
	}
	return true;
}

struct handled {
	bool named[SIGNALS_END];
	struct signal_policy scratch;
};

static struct error *name_signal(const char *word, struct handled *h)
{
	int signal = signals_find(word);

	if (!strcmp(word, "all")) {
		for (int n = 1; n < SIGNALS_END; n++)
			h->named[n] = n != SIGTRAP && n != SIGINT;
		return NULL;
	}
	if (!signal)
		return error_new(ERROR_USAGE,
				 "'%s' is neither a signal nor one of stop, print, pass, nostop, "
				 "noprint, nopass",
				 word);
	h->named[signal] = true;
	return NULL;
}

static struct error *cmd_handle(struct cli *c, const char *args)
{
	AUTO_FREE char *line = strdup(args);
	struct handled h = { 0 };
	struct error *err = line ? NULL : &error_nomem;
	char *save = NULL;

	if (!err && !*args)
		err = error_new(ERROR_USAGE, "Argument required (signal to handle).");
	for (char *w = err ? NULL : strtok_r(line, " \t,", &save); w && !err;
	     w = strtok_r(NULL, " \t,", &save)) {
		if (!apply(w, &h.scratch))
			err = name_signal(w, &h);
	}
	if (err)
		return err;
	for (int n = 1; n < SIGNALS_END; n++) {
		char *rest = NULL;
		AUTO_FREE char *words = h.named[n] ? strdup(args) : NULL;
		for (char *w = words ? strtok_r(words, " \t,", &rest) : NULL; w;
		     w = strtok_r(NULL, " \t,", &rest))
			apply(w, &c->control->signals.of[n]);
	}
	if (!c->batch)
		add_signals(c, h.named);
	return NULL;
}

/* ---- the table -------------------------------------------------------------------------- */

#define SIGNALS(n, shorts, arguments, completion, flag, function, says)                            \
	{                                                                                          \
		.name = (n), .short_names = (shorts), .args = (arguments), .class = CLASS_RUNNING, \
		.completes = (completion), .flags = (flag), .run = (function), .summary = (says)   \
	}

static const struct command rows[] = {
	SIGNALS("signal", NULL, "SIGNAL|0", COMPLETES_SIGNAL, 0, cmd_signal,
		"Go on with a signal; 0: without the one that it has got."),
	SIGNALS("queue-signal", NULL, "SIGNAL|0", COMPLETES_SIGNAL, 0, cmd_queue_signal,
		"Give the thread a signal when it goes on."),
	SIGNALS("handle", NULL, "SIGNAL... [no]stop|[no]print|[no]pass...", COMPLETES_SIGNAL, 0,
		cmd_handle, "Say what happens when the program gets signals."),
	{ .name = "info signals",
	  .short_names = "handle",
	  .args = "[SIGNAL]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_SIGNAL,
	  .run = cmd_info_signals,
	  .summary = "What happens when the program gets signals." },
};

const struct command_table cmd_signal_table = COMMAND_TABLE(rows);
