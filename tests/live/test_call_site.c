/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls on the stacks of live OpenMP programs, held against objdump; and what their threads poll.
 */
#include "inferior.h"

#include <stdio.h>

#include "target/code/blocked.h"
#include "target/code/call_site.h"
#include "target/code/wait_loop.h"
#include "target/modules/exports.h"

struct program {
	struct inferior inferior;
	struct target *target;
	struct module_list *modules;
	struct debuginfo_set *files;
	struct unwinder *unwinder;
	struct call_sites *sites;
};

/* false: it has not been built, or this machine cannot do what it is about. */
static bool program_start(struct program *p, const char *const *args)
{
	char path[4096];

	*p = (struct program){ .inferior = { .in = -1, .out = -1 } };
	snprintf(path, sizeof(path), "%s/%s", getenv("TESTPROGS"), args[0]);
	if (access(path, X_OK) == 0)
		return inferior_start(&p->inferior, args);
	fprintf(stderr, "no %s\n", path);
	return false;
}

static void program_stop(struct program *p)
{
	static const struct debuginfo_options options = { .debuginfod = false };

	p->target = inferior_attach(&p->inferior);
	ck_assert_no_error(module_list_read(p->target, &p->modules));
	p->files = debuginfo_set_new(p->modules, &options);
	p->unwinder = unwinder_new(p->modules, p->files);
	p->sites = call_sites_new(p->target, p->unwinder);
	ck_assert(p->files && p->unwinder && p->sites);
}

static void program_go_on(struct program *p)
{
	call_sites_free(p->sites);
	unwinder_free(p->unwinder);
	debuginfo_set_free(p->files);
	module_list_free(p->modules);
	ck_assert_no_error(target_detach(p->target));
	target_free(p->target);
}

/* ---- objdump ----------------------------------------------------------------------------------
 */

/* A call as objdump shows it: "call 1040 <GOMP_barrier@plt>". */
struct shown {
	uint64_t return_address; /* in the file                              */
	bool direct;             /* not by a pointer                         */
	uint64_t target;         /* in the file; unless there is a name      */
	char name[128];          /* "GOMP_barrier", through PLT or GOT       */
};

struct listing {
	struct shown *items; /* owned; by address */
	size_t len, cap;
};

/* Behind the bytes: "call 1040 <f@plt>", or "call *0x2fdb(%rip)  # 3ff0 <f@VERSION>". */
static bool parse_call(const char *line, struct shown *ret)
{
	const char *text = strrchr(line, '\t');

	if (!text || strncmp(text + 1, "call", 4) != 0)
		return false;
	text += strcspn(text, " ");
	text += strspn(text, " ");
	bool slot = strstr(text, "(%rip)") != NULL;
	const char *name = strchr(text, '<');
	*ret = (struct shown){ .direct = *text != '*' || slot };
	if (*text != '*')
		ret->target = strtoul(text, NULL, 16);
	if (name && strstr(name, slot ? "@" : "@plt>"))
		snprintf(ret->name, sizeof(ret->name), "%.*s", (int)strcspn(name + 1, "@"),
			 name + 1);
	return true;
}

static void list_calls(const struct module *m, struct listing *ret)
{
	char command[4096], line[1000];
	struct shown shown;
	bool pending = false;

	snprintf(command, sizeof(command), "objdump -d -w --insn-width=16 '%s'", m->path);
	FILE *f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		char *end;
		uint64_t addr = strtoul(line, &end, 16);
		if (end == line || end[0] != ':' || end[1] != '\t')
			continue;
		line[strcspn(line, "\n")] = 0;
		if (pending) {
			shown.return_address = addr;
			ck_assert(vec_push(ret, shown));
		}
		pending = parse_call(line, &shown);
	}
	ck_assert_int_eq(pclose(f), 0);
}

static const struct shown *find_shown(const struct listing *l, uint64_t return_address)
{
	for (size_t i = 0; i < l->len; i++) {
		if (l->items[i].return_address == return_address)
			return &l->items[i];
	}
	return NULL;
}

/* There a module begins a function with that name. */
static bool is_export(const struct program *p, taddr addr, const char *name)
{
	const struct module *m = module_at(p->modules, addr);
	struct exports *e = NULL;

	if (!m)
		return false;
	ck_assert_no_error(exports_read(p->target, m, &p->modules->budget, &e));
	const struct export *export = exports_find(e, name);
	bool is = export && export->addr == addr && exports_at(e, addr);
	exports_free(e);
	return is;
}

/* ---- calls --------------------------------------------------------------------------------- */

/* One frame's call; whether it is of another module's function, known by name. */
static bool check_call(const struct program *p, const struct module *m, const struct listing *calls,
		       taddr pc)
{
	const struct shown *shown = find_shown(calls, pc - m->bias);
	struct call_site site = call_site_before(p->sites, pc);

	ck_assert_msg(shown != NULL, "no call before %s+%#jx", module_name(m),
		      (uintmax_t)(pc - m->bias));
	ck_assert_msg(site.kind == (shown->direct ? CALL_DIRECT : CALL_INDIRECT),
		      "%s+%#jx: kind %d", module_name(m), (uintmax_t)(pc - m->bias), site.kind);
	if (!shown->direct)
		return false;
	if (!shown->name[0]) {
		/* libomp has a function that is nothing but a jump to sched_yield@plt. */
		taddr target = m->bias + shown->target;
		ck_assert_msg(site.target == target ||
				      site.target == jump_follow(p->target, target),
			      "%s+%#jx calls %#jx, not %#jx", module_name(m),
			      (uintmax_t)(pc - m->bias), (uintmax_t)site.target, (uintmax_t)target);
		return false;
	}
	ck_assert_msg(is_export(p, site.target, shown->name), "%s: %#jx", shown->name,
		      (uintmax_t)site.target);
	return true;
}

/* All frames of a module on all stacks; returns how many have called other modules by name. */
static size_t check_module(const struct program *p, const struct module *m)
{
	struct listing calls = { 0 };
	size_t named = 0, frames = 0;

	list_calls(m, &calls);
	vec_for_each (th, &p->target->threads) {
		struct unwind_stack stack = { 0 };
		ck_assert_no_error(unwind_thread(p->unwinder, *th, UNWIND_FRAMES_DEFAULT, &stack));
		for (size_t i = 0; i < stack.len; i++) {
			const struct unwind_frame *f = &stack.items[i];
			if (f->exact || module_at(p->modules, f->pc - 1) != m)
				continue;
			named += check_call(p, m, &calls, f->pc);
			frames++;
		}
		unwind_stack_fini(&stack);
	}
	vec_fini(&calls);
	ck_assert_uint_gt(frames, 0);
	return named;
}

static const struct module *find_runtime(const struct program *p)
{
	const char *const entries[] = { "__kmpc_fork_call", "GOMP_parallel" };

	for (size_t i = 0; i < p->modules->len; i++) {
		for (size_t n = 0; n < COUNT(entries); n++) {
			if (exports_defines(p->target, p->modules->items[i], entries[n]))
				return p->modules->items[i];
		}
	}
	ck_abort_msg("no OpenMP runtime");
	return NULL;
}

#define EACH(name) name "-gcc-O0", name "-gcc-O2", name "-clang-O0", name "-clang-O2"
static const char *const programs[] = { EACH("omp_barrier"), EACH("omp_tasks"), EACH("omp_nested"),
					EACH("callbacks") };

START_TEST(calls_are_those_that_objdump_shows)
{
	struct program p;

	if (system("objdump --version >/dev/null 2>&1") != 0 ||
	    !program_start(&p, ARGS(programs[_i])))
		return;
	program_stop(&p);
	const struct module *exe = NULL;
	for (size_t i = 0; i < p.modules->len; i++) {
		if (p.modules->items[i]->is_exe)
			exe = p.modules->items[i];
	}
	/* At least main() has called another module. */
	ck_assert_uint_gt(check_module(&p, exe), 0);
	if (strncmp(programs[_i], "callbacks", 9) != 0)
		check_module(&p, find_runtime(&p));
	program_go_on(&p);
	inferior_finish(&p.inferior);
	inferior_fini(&p.inferior);
}
END_TEST

/* ---- what threads wait for ----------------------------------------------------------------- */

/* The address that a call of the program on this stack has as its first argument, if it shows. */
static bool finds_argument(const struct program *p, struct thread *th, taddr wanted)
{
	struct unwind_stack stack = { 0 };
	bool found = false;

	ck_assert_no_error(unwind_thread(p->unwinder, th, UNWIND_FRAMES_DEFAULT, &stack));
	for (size_t i = 0; !found && i < stack.len; i++) {
		taddr value;
		found = !stack.items[i].exact &&
			call_site_argument(p->sites, stack.items[i].pc, 0, &value) &&
			value == wanted;
	}
	unwind_stack_fini(&stack);
	return found;
}

static const char *const lockers[] = { EACH("omp_locks") };

START_TEST(the_lock_is_the_first_argument_of_the_call_that_waits)
{
	struct program p;
	size_t waiting = 0;

	if (!program_start(&p, ARGS(lockers[_i], "lock", "3")))
		return;
	taddr lock = inferior_symbol(&p.inferior, "plain_lock");
	program_stop(&p);
	vec_for_each (th, &p.target->threads)
		waiting += finds_argument(&p, *th, lock);
	ck_assert_uint_eq(waiting, 2);
	program_go_on(&p);
	inferior_finish(&p.inferior);
	inferior_fini(&p.inferior);
}
END_TEST

/* Scenarios of omp_locks and the symbols that its waiting thread looks at. */
static const struct {
	const char *program, *scenario, *symbol;
} spins[] = {
	{ "omp_locks-gcc-O0", "lock", "plain_lock" },
	{ "omp_locks-gcc-O2", "lock", "plain_lock" },
	{ "omp_locks-gcc-O0", "nest_lock", "nested_lock" },
	{ "omp_locks-gcc-O2", "critical_named", ".gomp_critical_user_ledger" },
};

/* 'p': polls the object, 's': sleeps for it, '-': does neither. */
static char waits_how(struct target *t, struct thread *th, taddr object)
{
	struct blocked b = blocked_get(t, NULL, th);
	taddr addr;

	if (b.in_call)
		return blocked_on_futex(t, &b, &addr) && addr == object ? 's' : '-';
	struct wait_loop loop;
	if (!wait_loop_polls(t, th, &loop))
		return '-';
	ck_assert_uint_eq(loop.polled, object);
	return 'p';
}

START_TEST(a_thread_that_spins_polls_the_lock)
{
	struct program p;
	unsigned int polls = 0, sleeps = 0;

	setenv("OMP_WAIT_POLICY", "active", 1);
	setenv("GOMP_SPINCOUNT", "infinity", 1);
	if (!program_start(&p, ARGS(spins[_i].program, spins[_i].scenario, "2")))
		return;
	taddr object = inferior_symbol(&p.inferior, spins[_i].symbol);
	/* Wherever in the loop it is. */
	for (unsigned int n = 0; n < 40; n++) {
		AUTO_TARGET *t = inferior_attach(&p.inferior);
		ck_assert_uint_eq(t->threads.len, 2);
		char how = waits_how(t, t->threads.items[1], object);
		polls += how == 'p';
		sleeps += how == 's';
		ck_assert_no_error(target_detach(t));
	}
	/* On one processor libgomp does not spin. Now and then a thread is on its way to sleep. */
	ck_assert_uint_gt(polls + sleeps, 30);
	inferior_finish(&p.inferior);
	inferior_fini(&p.inferior);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("call_site");

	live_table(s, calls_are_those_that_objdump_shows, 2 * PATIENCE_S, COUNT(programs));
	live_table(s, the_lock_is_the_first_argument_of_the_call_that_waits, 2 * PATIENCE_S,
		   COUNT(lockers));
	live_table(s, a_thread_that_spins_polls_the_lock, 2 * PATIENCE_S, COUNT(spins));
	return unit_run(s);
}
