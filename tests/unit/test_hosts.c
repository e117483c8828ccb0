/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names and lists of hosts; how they are reached; what comes back from them as lines. */
#include "debugger/job/host_lines.h"
#include "debugger/job/launcher.h"

#include <string.h>

#include "unit.h"

static const struct {
	const char *name;
	bool is;
} names[] = {
	{ "node1", true },      { "n-1.example.org", true },
	{ "fe80::1", true },    { "10.0.0.1", true },
	{ "", false },          { "-oProxyCommand=x", false },
	{ "a b", false },       { "a;b", false },
	{ "$(id)", false },     { "a/b", false },
	{ "n\xc3\xb6", false },
};

START_TEST(names_are_what_no_shell_takes_for_anything_else)
{
	ck_assert_int_eq(host_is_name(names[_i].name), names[_i].is);
}
END_TEST

START_TEST(a_host_may_have_its_domain_behind_it)
{
	ck_assert(host_is_same("n1", "n1.example.org") && host_is_same("n1.example.org", "n1"));
	ck_assert(!host_is_same("n1", "n10") && !host_is_same("n1.a", "n1.b"));
}
END_TEST

static const struct {
	const char *list, *names; /* NULL: refused */
} lists[] = {
	{ "a", "a" },
	{ "a,b", "a b" },
	{ "n[1-3]", "n1 n2 n3" },
	{ "login,n[1-2,08-11]-ib,x", "login n1-ib n2-ib n08-ib n09-ib n10-ib n11-ib x" },
	{ "a,a", "a" },
	{ "", NULL },
	{ "a,", NULL },
	{ "n[1-", NULL },
	{ "n[1-2", NULL },
	{ "n[]", NULL },
	{ "n[a]", NULL },
	{ "n[2-1]", NULL },
	{ "n[1-2]x[1-2]", NULL },
	{ "n]1[", NULL },
	{ "n[0-999999]", NULL },
	{ "n[1234567890]", NULL },
	{ "a,-b", NULL },
};

START_TEST(lists_are_as_clusters_have_them)
{
	AUTO(job_hosts_fini) struct job_hosts hosts = { 0 };
	struct error *err = hosts_read_list(lists[_i].list, &hosts);
	AUTO_BUF text = { 0 };

	ck_assert_int_eq(err != NULL, !lists[_i].names);
	vec_for_each (host, &hosts)
		buf_addf(&text, "%s%s", text.len ? " " : "", host->name);
	if (!err)
		ck_assert_str_eq(buf_text(&text), lists[_i].names);
	error_free(err);
}
END_TEST

static const struct {
	const char *command, *words; /* NULL: refused */
} commands[] = {
	{ "ssh  {host} {command}", "ssh|n1|o|why|" },
	{ "srun -w{host} -x {command} -y", "srun|-wn1|-x|o|why|-y|" },
	{ "clush -w {hosts} {command}", "clush|-w|n1,n2|o|why|" },
	{ "ssh {host}", NULL },
	{ "ssh {command}", NULL },
	{ "", NULL },
};

START_TEST(a_launcher_is_words_with_gaps)
{
	AUTO(job_hosts_fini) struct job_hosts hosts = { 0 };
	static const char *const words[] = { "o", "why" };
	struct program p = { 0 };
	AUTO_BUF text = { 0 };
	const char *command = commands[_i].command;

	ck_assert_ptr_null(hosts_read_list("n[1-2]", &hosts));
	struct error *err = launcher_words(command, hosts.items,
					   launcher_takes_all(command) ? 2 : 1, words, 2, &p);
	ck_assert_int_eq(err != NULL, !commands[_i].words);
	vec_for_each (word, &p.words) {
		if (*word)
			buf_addf(&text, "%s|", *word);
	}
	if (!err)
		ck_assert_str_eq(buf_text(&text), commands[_i].words);
	error_free(err);
	program_fini(&p);
}
END_TEST

/* Texts of two hosts, the lines of one backwards between those of the other. */
static void mix(struct buf *out, const char *a, const char *b)
{
	AUTO_BUF first = { 0 }, second = { 0 };
	const char *ends[64];
	size_t n = 0;

	host_lines_add(&first, "a", a);
	host_lines_add(&second, "b", b);
	for (const char *at = buf_text(&second); *at; at = strchr(at, '\n') + 1)
		ends[n++] = at;
	for (const char *at = buf_text(&first); *at || n;) {
		const size_t len = strcspn(at, "\n") + (*at != '\0');
		buf_adds(out, *at ? "a: " : "");
		buf_add(out, at, len);
		at += len;
		if (!n)
			continue;
		buf_adds(out, "said by b: ");
		buf_add(out, ends[n - 1], strcspn(ends[n - 1], "\n") + 1);
		n--;
	}
}

START_TEST(lines_of_several_hosts_may_be_mixed)
{
	AUTO(host_texts_fini) struct host_texts texts = { 0 };
	AUTO_BUF a = { 0 }, b = { 0 }, lines = { 0 };

	for (int i = 0; i < 1000; i++) {
		buf_addf(&a, "%d%% of a, ", i);
		buf_addf(&b, "%d", i);
	}
	mix(&lines, buf_text(&a), buf_text(&b));
	ck_assert_ptr_null(host_lines_read(buf_text(&lines), lines.len, &texts));
	ck_assert_uint_eq(texts.len, 2);
	ck_assert_ptr_null(texts.items[0].lacks);
	ck_assert_ptr_null(texts.items[1].lacks);
	ck_assert_str_eq(buf_text(&texts.items[0].text), buf_text(&a));
	ck_assert_str_eq(buf_text(&texts.items[1].text), buf_text(&b));
}
END_TEST

START_TEST(what_is_lost_or_changed_is_noticed)
{
	AUTO_BUF text = { 0 }, lines = { 0 };

	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "%d ", i);
	host_lines_add(&lines, "a", buf_text(&text));
	/* A line is lost, for each of them; then a letter is another one. */
	for (size_t from = 0, len; from < lines.len; from += len) {
		AUTO(host_texts_fini) struct host_texts texts = { 0 };
		AUTO_BUF rest = { 0 };
		len = strcspn(lines.data + from, "\n") + 1;
		buf_add(&rest, lines.data, from);
		buf_adds(&rest, lines.data + from + len);
		ck_assert_ptr_null(host_lines_read(buf_text(&rest), rest.len, &texts));
		ck_assert_uint_eq(texts.len, 1);
		ck_assert_ptr_nonnull(texts.items[0].lacks);
	}
	AUTO(host_texts_fini) struct host_texts texts = { 0 };
	*strstr(lines.data, " 77 ") = '0';
	ck_assert_ptr_null(host_lines_read(buf_text(&lines), lines.len, &texts));
	ck_assert_str_eq(texts.items[0].lacks, "its answer was garbled on the way");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hosts");

	unit_table(s, names_are_what_no_shell_takes_for_anything_else, names);
	unit_table(s, lists_are_as_clusters_have_them, lists);
	unit_table(s, a_launcher_is_words_with_gaps, commands);
	unit_case(s, "hosts", a_host_may_have_its_domain_behind_it);
	unit_case(s, "lines", lines_of_several_hosts_may_be_mixed,
		  what_is_lost_or_changed_is_noticed);
	return unit_run(s);
}
