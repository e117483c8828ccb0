/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "target/process/procfs.h"

/* What is left of a line of text. */
struct line {
	const char *p, *end;
};

static bool take_char(struct line *c, char wanted)
{
	if (c->p == c->end || *c->p != wanted)
		return false;
	c->p++;
	return true;
}

static void skip_blanks(struct line *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
		c->p++;
}

static void skip_words(struct line *c, unsigned int n)
{
	for (; n; n--) {
		skip_blanks(c);
		while (c->p < c->end && *c->p != ' ' && *c->p != '\t')
			c->p++;
	}
	skip_blanks(c);
}

static unsigned int digit_value(char ch)
{
	if (ch >= '0' && ch <= '9')
		return (unsigned int)(ch - '0');
	if (ch >= 'a' && ch <= 'f')
		return (unsigned int)(ch - 'a') + 10;
	return UINT_MAX;
}

/* An unsigned number of at most "most"; larger ones are no number. */
static bool take_number(struct line *c, unsigned int base, uint64_t most, uint64_t *ret)
{
	const char *p = c->p;
	uint64_t value = 0, limit = most / base;

	for (; p < c->end; p++) {
		unsigned int digit = digit_value(*p);
		if (digit >= base)
			break;
		if (value > limit || value * base > most - digit)
			return false;
		value = value * base + digit;
	}
	if (p == c->p)
		return false;
	c->p = p;
	*ret = value;
	return true;
}

/* What the kernel prints for a character (seq_escape_str() and mangle_path(), fs/seq_file.c). */
struct escape {
	const char *printed;
	char meant;
};

static size_t unescape(char *ret, size_t room, struct line text, const struct escape *table)
{
	size_t len = 0;

	while (text.p < text.end && len < room) {
		const struct escape *e = table;
		while (e->printed && (strlen(e->printed) > (size_t)(text.end - text.p) ||
				      memcmp(e->printed, text.p, strlen(e->printed)) != 0))
			e++;
		ret[len++] = e->printed ? e->meant : *text.p;
		text.p += e->printed ? strlen(e->printed) : 1;
	}
	return len;
}

/* --- maps --- */

bool procfs_cut_deleted(const char *path, size_t *len)
{
	static const char suffix[] = " (deleted)";
	size_t cut = strlen(suffix);

	if (*len <= cut || memcmp(path + *len - cut, suffix, cut) != 0)
		return false;
	*len -= cut;
	return true;
}

/* The flags stand in the order of enum map_flags. */
static bool take_flags(struct line *c, unsigned int *ret)
{
	static const char on[] = "rwxs", off[] = "---p";

	*ret = 0;
	for (unsigned int i = 0; on[i]; i++) {
		if (take_char(c, on[i]))
			*ret |= 1U << i;
		else if (!take_char(c, off[i]))
			return false;
	}
	return true;
}

/* The fields of a line up to its path; proc_pid_maps(5). */
static bool take_map(struct line *c, struct map *ret)
{
	struct map m = { 0 };
	uint64_t major, minor;

	bool ok = take_number(c, 16, UINT64_MAX, &m.start) && take_char(c, '-') &&
		  take_number(c, 16, UINT64_MAX, &m.end) && take_char(c, ' ') &&
		  take_flags(c, &m.flags) && take_char(c, ' ') &&
		  take_number(c, 16, UINT64_MAX, &m.offset) && take_char(c, ' ') &&
		  take_number(c, 16, UINT32_MAX, &major) && take_char(c, ':') &&
		  take_number(c, 16, UINT32_MAX, &minor) && take_char(c, ' ') &&
		  take_number(c, 10, UINT64_MAX, &m.inode) && m.start < m.end;
	if (!ok || (c->p < c->end && *c->p != ' '))
		return false;
	m.dev_major = (uint32_t)major;
	m.dev_minor = (uint32_t)minor;
	skip_blanks(c);
	*ret = m;
	return true;
}

/* What is left of the line is the path. */
static char *take_path(struct line *c, unsigned int *flags)
{
	static const struct escape escapes[] = { { "\\012", '\n' }, { NULL, 0 } };
	size_t len = (size_t)(c->end - c->p);

	if (*c->p == '/' && procfs_cut_deleted(c->p, &len))
		*flags |= MAP_DELETED;
	char *path = malloc(len + 1);
	if (path)
		path[unescape(path, len, (struct line){ c->p, c->p + len }, escapes)] = '\0';
	return path;
}

static struct error *bad_line(struct line line, size_t number)
{
	AUTO_BUF shown = { 0 };
	size_t len = (size_t)(line.end - line.p);

	text_escape(&shown, line.p, len < 100 ? len : 100);
	return error_new(ERROR_BAD_DATA, "line %zu of the memory map makes no sense: '%s'", number,
			 buf_text(&shown));
}

/* Entries that were appended before an error stay in ret. */
static struct error *append_maps(const char *text, bool sparse, struct map_list *ret)
{
	taddr lowest = ret->len ? ret->items[ret->len - 1].end : 0;
	const char *end = text;

	for (size_t number = 1; *text; number++, text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		struct line c = { .p = text, .end = end };
		struct map m;
		if (!take_map(&c, &m) || m.start < lowest)
			return bad_line((struct line){ .p = text, .end = end }, number);
		lowest = m.end;
		if (sparse && c.p == c.end && !(m.flags & MAP_EXEC))
			continue;
		m.path = take_path(&c, &m.flags);
		struct error *err = map_list_take(ret, m);
		if (err)
			return err;
	}
	return NULL;
}

struct error *procfs_parse_maps(const char *text, bool sparse, struct map_list *ret)
{
	size_t before = ret->len;
	struct error *err = append_maps(text, sparse, ret);

	while (err && ret->len > before)
		free(ret->items[--ret->len].path);
	return err;
}

/* --- status --- */

/* Of a number, its base. */
enum field_kind { FIELD_NAME, FIELD_LETTER, FIELD_DECIMAL = 10, FIELD_HEX = 16 };
enum { KTHREAD_UNKNOWN = 2 };

/* What the text says; "kernel_thread" follows from it. */
struct status_text {
	struct proc_status status;
	uint64_t vm_size;     /* a line that only user memory brings                      */
	unsigned int kthread; /* 0 or 1; KTHREAD_UNKNOWN: kernels before 6.8 lack the line */
};

/* One member, and the line whose first word it is; of an array of numbers, its first words. */
struct field {
	const char *key;
	enum field_kind kind;
	size_t offset, size, unit;
};

#define FIELDS(its_key, its_kind, member, first)                                                   \
	{                                                                                          \
		.key = (its_key), .kind = (its_kind),                                              \
		.offset = offsetof(struct status_text, member),                                    \
		.size = sizeof(((struct status_text *)0)->member),                                 \
		.unit = sizeof(((struct status_text *)0)->first)                                   \
	}
#define FIELD(its_key, its_kind, member) FIELDS(its_key, its_kind, member, member)

/* proc_pid_status(5) */
static const struct field fields[] = {
	FIELD("Name", FIELD_NAME, status.name),
	FIELD("State", FIELD_LETTER, status.state),
	FIELD("Tgid", FIELD_DECIMAL, status.tgid),
	FIELD("PPid", FIELD_DECIMAL, status.ppid),
	FIELD("TracerPid", FIELD_DECIMAL, status.tracer),
	FIELDS("Uid", FIELD_DECIMAL, status.uids, status.uids[0]),
	FIELDS("Gid", FIELD_DECIMAL, status.gids, status.gids[0]),
	FIELD("Kthread", FIELD_DECIMAL, kthread),
	FIELD("VmSize", FIELD_DECIMAL, vm_size),
	FIELD("Threads", FIELD_DECIMAL, status.threads),
	FIELD("CapPrm", FIELD_HEX, status.cap_prm),
	FIELD("CapEff", FIELD_HEX, status.cap_eff),
	FIELD("Seccomp", FIELD_DECIMAL, status.seccomp),
	FIELD("Seccomp_filters", FIELD_DECIMAL, status.seccomp_filters),
	FIELD("SigCgt", FIELD_HEX, status.caught),
	FIELD("x86_Thread_features", FIELD_NAME, status.features),
	FIELD("voluntary_ctxt_switches", FIELD_DECIMAL, status.voluntary_switches),
	FIELD("nonvoluntary_ctxt_switches", FIELD_DECIMAL, status.forced_switches),
};

static void set_numbers(const struct field *f, struct line words, char *ret)
{
	uint64_t wide;

	for (size_t at = 0; at < f->size; at += f->unit) {
		skip_blanks(&words);
		if (!take_number(&words, f->kind, f->unit == 4 ? UINT32_MAX : UINT64_MAX, &wide))
			return;
		uint32_t narrow = (uint32_t)wide;
		memcpy(ret + at, f->unit == 4 ? (void *)&narrow : &wide, f->unit);
	}
}

/* The name is all that follows one tab, blanks too; the kernel escapes what would end it
 * (proc_task_name()). */
static void set_name(const struct field *f, struct line line, char *ret)
{
	static const struct escape escapes[] = { { "\\n", '\n' }, { "\\\\", '\\' }, { NULL, 0 } };

	take_char(&line, '\t');
	ret[unescape(ret, f->size - 1, line, escapes)] = '\0';
}

static void set_field(const struct field *f, struct line line, struct status_text *ret)
{
	char *member = (char *)ret + f->offset;
	struct line word = line;

	skip_blanks(&word);
	switch (f->kind) {
	case FIELD_NAME:
		set_name(f, line, member);
		break;
	case FIELD_LETTER:
		*member = word.p < word.end ? *word.p : '\0';
		break;
	case FIELD_DECIMAL:
	case FIELD_HEX:
		set_numbers(f, line, member);
		break;
	}
}

static void set_line(struct line line, struct status_text *ret)
{
	const char *colon = memchr(line.p, ':', (size_t)(line.end - line.p));

	if (!colon)
		return;
	size_t len = (size_t)(colon - line.p);
	struct line value = { .p = colon + 1, .end = line.end };
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (strlen(fields[i].key) == len && !memcmp(fields[i].key, line.p, len))
			set_field(&fields[i], value, ret);
	}
}

void procfs_parse_status(const char *text, struct proc_status *ret)
{
	struct status_text found = { .kthread = KTHREAD_UNKNOWN };
	const char *end;

	for (; *text; text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		set_line((struct line){ .p = text, .end = end }, &found);
	}
	char state = found.status.state;
	bool memoryless = state && state != 'Z' && state != 'X' && !found.vm_size;
	found.status.kernel_thread =
		found.kthread == KTHREAD_UNKNOWN ? memoryless : found.kthread == 1;
	*ret = found.status;
}

/* --- stat --- */

/* A number and the blanks behind it; 0, and the line stays, where there is none. */
static uint64_t take_number_or_0(struct line *c)
{
	uint64_t n = 0;

	if (take_number(c, 10, UINT64_MAX, &n))
		skip_blanks(c);
	return n;
}

struct error *procfs_parse_stat(const char *text, struct proc_stat *ret)
{
	/* The name stands in parentheses and may hold some: the last one closes it. */
	const char *name_end = strrchr(text, ')');
	struct line c = { .p = name_end ? name_end + 1 : text, .end = text + strlen(text) };
	struct proc_stat s = { 0 };
	uint64_t flags;

	skip_blanks(&c);
	if (c.p < c.end)
		s.state = *c.p;
	skip_words(&c, 6); /* fields 3 to 8 */
	if (!name_end || !s.state || !take_number(&c, 10, ULONG_MAX, &flags))
		return error_new(ERROR_BAD_DATA, "the thread's stat file has no state and flags");
	s.flags = flags;
	skip_words(&c, 4); /* fields 10 to 13 */
	s.user_ticks = take_number_or_0(&c);
	s.kernel_ticks = take_number_or_0(&c);
	skip_words(&c, 6); /* fields 16 to 21 */
	s.start_ticks = take_number_or_0(&c);
	*ret = s;
	return NULL;
}

struct error *procfs_parse_schedstat(const char *text, struct proc_use *ret)
{
	/* Time on a processor, time spent waiting for one, runs (Linux proc_pid_schedstat()). */
	struct line c = { .p = text, .end = text + strlen(text) };
	struct proc_use use = { .cpu_ns = take_number_or_0(&c) };

	take_number_or_0(&c);
	use.runs = take_number_or_0(&c);
	/* A thread that can be looked at has run: all zeros come from a kernel that does not count.
	 */
	if (!use.runs)
		return error_new(ERROR_UNSUPPORTED, "this kernel does not count runs of threads");
	*ret = use;
	return NULL;
}

/* --- tasks --- */

pid_t procfs_parse_lwp(const char *name)
{
	struct line c = { .p = name, .end = strchr(name, '\0') };
	uint64_t lwp;

	return take_number(&c, 10, INT_MAX, &lwp) && c.p == c.end ? (pid_t)lwp : -1;
}
