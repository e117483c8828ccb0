/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_breakpoint.h"

#include "debugger/control/signals.h"

/* What a breakpoint is called in tables, and where one is made. */
static const struct {
	const char *row, *made, *made_temporary;
} kinds[] = {
	[BREAK_CODE] = { "breakpoint", "Breakpoint", "Temporary breakpoint" },
	[BREAK_PRINT] = { "dprintf", "Dprintf", "Dprintf" },
	[BREAK_CHANGE] = { "hw watchpoint", "Hardware watchpoint", "Hardware watchpoint" },
	[BREAK_READ] = { "read watchpoint", "Hardware read watchpoint",
			 "Hardware read watchpoint" },
	[BREAK_ACCESS] = { "acc watchpoint", "Hardware access (read/write) watchpoint",
			   "Hardware access (read/write) watchpoint" },
	[BREAK_CATCH] = { "catchpoint", "Catchpoint", "Temporary catchpoint" },
};

static bool is_watch(const struct breakpoint *b)
{
	return b->kind == BREAK_CHANGE || b->kind == BREAK_READ || b->kind == BREAK_ACCESS;
}

static const char *call_name(int number)
{
	const struct arch *a = &arch_x86_64;

	return number >= 0 && (size_t)number < a->ncall_names ? a->call_names[number] : NULL;
}

static void add_which(struct buf *out, const struct breakpoint *b, const char *between)
{
	for (size_t i = 0; i < b->which.len; i++) {
		int n = b->which.items[i];
		const char *name = b->catches == CATCH_SIGNAL ? signals_name(n) : call_name(n);
		buf_adds(out, i ? between : "");
		if (name)
			buf_adds(out, name);
		else
			buf_addf(out, "%d", n);
	}
}

static void add_calls(struct buf *out, const struct breakpoint *b)
{
	buf_adds(out, b->which.len == 1 ? "syscall" : "syscalls");
	vec_for_each (n, &b->which) {
		const char *name = call_name(*n);
		if (name)
			buf_addf(out, " '%s' [%d]", name, *n);
		else
			buf_addf(out, " %d", *n);
	}
}

/* Behind the number of one that has been made. */
static void add_catchpoint(struct buf *out, const struct breakpoint *b)
{
	bool signals = b->catches == CATCH_SIGNAL;

	buf_adds(out, " (");
	if (b->catches == CATCH_SYSCALL && b->which.len) {
		add_calls(out, b);
	} else if (b->catches == CATCH_SYSCALL) {
		buf_adds(out, "any syscall");
	} else if (signals && b->which.len) {
		buf_adds(out, b->which.len == 1 ? "signal " : "signals ");
		add_which(out, b, " ");
	} else if (signals) {
		buf_adds(out, b->any ? "any signal" : "standard signals");
	} else if (b->library) {
		buf_adds(out, catch_names[b->catches]);
	} else if (b->catches == CATCH_OMP) {
		style_add_between(out, "omp ", b->text, b->counts ? ", counted" : "");
	} else {
		style_add_text(out, b->text);
	}
	buf_adds(out, ")\n");
}

/* In the last column of info breakpoints. */
static void add_caught(struct buf *out, const struct breakpoint *b)
{
	bool calls = b->catches == CATCH_SYSCALL, signals = b->catches == CATCH_SIGNAL;
	const char *about = b->catches == CATCH_EXEC ? ", program \"" : ", ";
	bool exception = b->catches == CATCH_THROW || b->catches == CATCH_CATCH ||
			 b->catches == CATCH_RETHROW;

	if (calls || signals) {
		buf_addf(out, "%s%s \"", catch_names[b->catches], b->which.len > 1 ? "s" : "");
		add_which(out, b, calls ? ", " : " ");
		if (!b->which.len)
			buf_adds(out, calls    ? "<any syscall>"
				      : b->any ? "<any signal>"
					       : "<standard signals>");
		buf_addc(out, '"');
	} else if (b->caught) {
		style_add_between(out, catch_names[b->catches], about, "");
		style_add_text(out, b->caught);
		buf_adds(out, b->catches == CATCH_EXEC ? "\"" : " ");
	} else if (b->catches == CATCH_LOAD || b->catches == CATCH_UNLOAD) {
		buf_addf(out, "%s of library", catch_names[b->catches]);
		style_add_between(out, b->library ? " matching " : "", b->library ? b->library : "",
				  "");
	} else if (b->catches == CATCH_OMP) {
		style_add_between(out, "omp ", b->text, b->counts ? " (counted)" : "");
	} else {
		style_add_between(out, exception ? "exception " : "", b->text, "");
	}
	buf_addc(out, '\n');
}

/* Of a team, whose threads have one each. */
static void add_copies(struct buf *out, const struct breakpoint *b)
{
	if (b->copies.len > 1)
		buf_addf(out, " (%zu copies%s)", b->copies.len,
			 b->own ? ", each watched in its own thread alone" : "");
}

void format_breakpoint_made(struct buf *out, const struct breakpoint *b, const struct style *style)
{
	const struct breakpoint_location *l = b->locations.items;

	(void)style;
	if (b->hard && b->kind == BREAK_CODE)
		buf_addf(out, "%sardware assisted breakpoint %d",
			 b->temporary ? "Temporary h" : "H", b->number);
	else
		buf_addf(out, "%s %d",
			 b->temporary ? kinds[b->kind].made_temporary : kinds[b->kind].made,
			 b->number);
	if (b->kind == BREAK_CATCH) {
		add_catchpoint(out, b);
	} else if (is_watch(b)) {
		style_add_between(out, ": ", b->text, "");
		add_copies(out, b);
		buf_addc(out, '\n');
	} else if (!b->locations.len) {
		style_add_between(out, " (", b->text, ") pending.\n");
	} else if (b->locations.len > 1) {
		buf_addf(out, " at 0x%" PRIxTADDR ": ", l->addr);
		style_add_text(out, b->text);
		buf_addf(out, ". (%zu locations)\n", b->locations.len);
	} else if (l->resolver) {
		buf_addf(out, " at gnu-indirect-function resolver at 0x%" PRIxTADDR "\n", l->addr);
	} else {
		buf_addf(out, " at 0x%" PRIxTADDR, l->addr);
		if (l->file) {
			buf_adds(out, ": file ");
			style_add_last_part(out, l->file);
			buf_addf(out, ", line %d.", l->line);
		}
		buf_addc(out, '\n');
	}
}

void format_breakpoint_head(struct buf *out)
{
	buf_adds(out, "Num     Type           Disp Enb Address            What\n");
}

static void add_location(struct buf *out, const struct breakpoint_location *l,
			 const struct style *style)
{
	style_add_address(out, l->addr, style);
	buf_addc(out, ' ');
	if (l->resolver && l->shown) {
		style_add_between(out, "<", l->shown, ">\n");
		return;
	}
	if (l->shown) {
		buf_adds(out, "in ");
		style_add_text(out, l->shown);
		buf_addc(out, ' ');
	}
	if (l->file) {
		buf_adds(out, l->shown ? "at " : "");
		style_add_line(out, l->file, l->line);
	}
	buf_addc(out, '\n');
}

static void add_what(struct buf *out, const struct breakpoint *b, const struct style *style)
{
	bool code = b->kind == BREAK_CODE || b->kind == BREAK_PRINT;

	if (code && b->locations.len == 1) {
		add_location(out, b->locations.items, style);
	} else if (code && b->locations.len > 1) {
		buf_adds(out, "<MULTIPLE>         \n");
	} else if (code) {
		style_add_between(out, "<PENDING>          ", b->text, "\n");
	} else if (b->kind == BREAK_CATCH) {
		buf_adds(out, "                   ");
		add_caught(out, b);
	} else {
		style_add_between(out, "                   ", b->text, "");
		add_copies(out, b);
		buf_addc(out, '\n');
	}
}

static void add_details(struct buf *out, const struct breakpoint *b)
{
	/* gdb's words for where a condition is decided; "target" would be where it is traced. */
	if (b->condition)
		style_add_between(out, "\tstop only if ", b->condition,
				  b->asks ? " (host evals)\n" : "\n");
	if (b->thread)
		buf_addf(out, "\tstop only in thread %d\n", b->thread);
	if (b->omp.is_thread)
		buf_addf(out, "\tstop only in OpenMP thread %d\n", b->omp.thread);
	if (b->omp.is_team)
		buf_addf(out, "\tstop only in team %d (host evals)\n", b->omp.team);
	if (b->omp.once)
		buf_adds(out, "\tstop only once in each parallel region (host evals)\n");
	if (b->hits)
		buf_addf(out, "\t%s already hit %" PRIu64 " time%s\n",
			 b->kind == BREAK_CATCH ? "catchpoint" : "breakpoint", b->hits,
			 b->hits == 1 ? "" : "s");
	if (b->ignore)
		buf_addf(out, "\tignore next %" PRIu64 " hits\n", b->ignore);
	if (b->kind == BREAK_PRINT && b->format)
		style_add_between(out, "        printf ", b->format, "\n");
	for (const char *s = b->commands; s && *s;) {
		const char *end = s;
		AUTO_BUF line = { 0 };
		while (*end && *end != '\n')
			end++;
		buf_add(&line, s, (size_t)(end - s));
		style_add_between(out, "        ", buf_text(&line), "\n");
		s = *end ? end + 1 : end;
	}
}

void format_breakpoint_row(struct buf *out, const struct breakpoint *b, const struct style *style)
{
	static const char *const fates[] = { "keep", "dis", "del" };
	bool is_resolver = b->locations.len == 1 && b->locations.items[0].resolver;

	buf_addf(out, "%-7d %-14s %-4s %c   ", b->number,
		 b->hard && b->kind == BREAK_CODE ? "hw breakpoint"
		 : is_resolver                    ? "STT_GNU_IFUNC resolver"
						  : kinds[b->kind].row,
		 fates[b->fate], b->enabled ? 'y' : 'n');
	add_what(out, b, style);
	add_details(out, b);
	const bool parts = b->locations.len > 1 && !breakpoint_is_watch(b);
	for (size_t i = 0; parts && i < b->locations.len; i++) {
		const struct breakpoint_location *l = &b->locations.items[i];
		AUTO_BUF number = { 0 };
		buf_addf(&number, "%d.%zu", b->number, i + 1);
		buf_addf(out, "%-27s %-3s ", buf_text(&number),
			 l->invalid   ? "N*"
			 : l->enabled ? "y"
				      : "n");
		add_location(out, l, style);
	}
}
