/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "picture_fixture.h"

#include <string.h>

#include "debugger/stitch.h"

#define SOURCE_FILE "/srv/u/src/app.c"
#define LIBGOMP     "/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0"

#define push(v, ...) (vec_push(v, __VA_ARGS__) ? (void)0 : abort())

void world_init(struct world *w)
{
	*w = (struct world){ 0 };
	w->stacks.pid = 4242;
	w->stacks.exe = strdup("/srv/u/app");
	w->root = file_root_new();
	w->sources = source_cache_new(w->root);
	w->view = (struct view){ .stacks = &w->stacks,
				 .picture = &w->picture,
				 .stitched = &w->stitched,
				 .sources = w->sources };
}

void world_fini(struct world *w)
{
	picture_fini(&w->picture);
	vec_for_each (t, &w->stacks.threads)
		free(t->name);
	vec_fini(&w->stacks.threads);
	vec_for_each (note, &w->stacks.notes)
		free(*note);
	vec_fini(&w->stacks.notes);
	free(w->stacks.exe);
	free(w->stacks.core);
	stitch_fini(&w->stitched);
	vec_for_each (f, &w->frames)
		free(*f);
	vec_fini(&w->frames);
	source_cache_free(w->sources);
	file_root_free(w->root);
}

struct picture_runtime *world_add_gomp(struct world *w)
{
	push(&w->picture.runtimes, (struct picture_runtime){ .name = "libgomp",
							     .version_of_compiler = true,
							     .path = strdup(LIBGOMP),
							     .version = strdup("GCC 12"),
							     .status = strdup("layout of GCC 12"),
							     .provider = strdup("built in"),
							     .answers = true });
	return &w->picture.runtimes.items[w->picture.runtimes.len - 1];
}

int world_add_region(struct world *w, int parent, int first, int size, int line)
{
	struct picture *p = &w->picture;
	struct picture_region r = { .parent = parent,
				    .level = parent < 0 ? 1 : p->regions.items[parent].level + 1,
				    .size = size,
				    .active = size > 1,
				    .source = SOURCE_OMPD,
				    .primary = first,
				    .generation = -1,
				    .place = world_place("work", line) };

	for (int i = 0; first >= 0 && i < size; i++)
		push(&r.members, first + i);
	push(&p->regions, r);
	return (int)p->regions.len - 1;
}

int world_add_thread(struct world *w, enum thread_role role, int region, long number)
{
	int n = (int)w->picture.threads.len;

	push(&w->picture.threads,
	     (struct picture_thread){ .lwp = 4242 + n,
				      .runtime = role == ROLE_NONE ? -1 : 0,
				      .role = role,
				      .source = SOURCE_OMPD,
				      .region = region,
				      .number = number,
				      .task = -1,
				      .wait = { .fd = -1, .holder = -1, .hold = -1 } });
	push(&w->stacks.threads, (struct stack_thread){ .lwp = 4242 + n, .name = strdup("app") });
	push(&w->stitched.stacks, (struct stitched_stack){ .thread = n });
	return n;
}

struct picture_wait *world_wait(struct world *w, enum wait_kind kind)
{
	struct picture_wait *wait = &w->picture.threads.items[w->picture.threads.len - 1].wait;

	wait->kind = kind;
	wait->source = SOURCE_MEMORY;
	return wait;
}

struct stitched_stack *world_stack(struct world *w)
{
	return &w->stitched.stacks.items[w->stitched.stacks.len - 1];
}

struct stitched_frame *world_add_frame(struct world *w, const char *function, int line,
				       const char *construct)
{
	struct stitched_stack *s = world_stack(w);
	struct stack_frame *machine = calloc(1, sizeof(*machine));

	if (!machine)
		abort();
	push(&w->frames, machine);
	*machine = (struct stack_frame){ .pc = 0x1000 + (taddr)line,
					 .cfa = 0x7ffd0000 + 0x10 * s->frames.len,
					 .function = function,
					 .offset = 4,
					 .file = line ? SOURCE_FILE : NULL,
					 .line = line,
					 .module = line ? "/srv/u/app" : LIBGOMP };
	push(&s->frames, (struct stitched_frame){
				 .frame = machine,
				 .function = function,
				 .construct = construct,
				 .file = machine->file,
				 .line = line,
				 .kind = line ? CODE_USER : CODE_RUNTIME,
				 .hidden = !line,
				 .lwp = w->picture.threads.items[s->thread].lwp,
				 .border = { .region = -1, .task = -1, .creator = -1 },
			 });
	return &s->frames.items[s->frames.len - 1];
}

static struct border *last_border(struct world *w)
{
	struct stitched_stack *s = world_stack(w);

	return &s->frames.items[s->frames.len - 1].border;
}

void world_end_region(struct world *w, int region)
{
	const struct picture_region *r = &w->picture.regions.items[region];

	*last_border(w) = (struct border){ .kind = r->league ? BORDER_TEAMS : BORDER_PARALLEL,
					   .region = region,
					   .task = -1,
					   .creator = -1,
					   .place = r->place,
					   .source = SOURCE_OMPD };
}

void world_end_task(struct world *w, int creator, int line)
{
	*last_border(w) =
		(struct border){ .kind = BORDER_TASK,
				 .region = -1,
				 .task = -1,
				 .creator = creator,
				 .place = line ? world_place("work", line) : (struct place){ 0 },
				 .source = SOURCE_OMPD };
}

int world_add_task(struct world *w, enum task_kind kind, enum task_state state, int thread)
{
	push(&w->picture.tasks, (struct picture_task){ .kind = kind,
						       .state = state,
						       .source = SOURCE_OMPD,
						       .creator = -1,
						       .thread = thread });
	return (int)w->picture.tasks.len - 1;
}

void world_add_icv(struct world *w, const char *name, const char *value, enum icv_scope scope,
		   int of)
{
	push(&w->picture.icvs,
	     (struct picture_icv){
		     .name = strdup(name), .value = strdup(value), .scope = scope, .of = of });
}

struct place world_place(const char *function, int line)
{
	return (struct place){
		.pc = 0x1000, .function = function, .file = SOURCE_FILE, .line = line
	};
}

static void add_team_stack(struct world *w, int region, int line)
{
	world_add_frame(w, "work", line, "parallel");
	world_end_region(w, region);
	world_add_frame(w, "GOMP_parallel", 0, NULL);
	world_add_frame(w, "main", 80, NULL);
	world_add_frame(w, "_start", 0, NULL);
}

static void add_arrived(struct world *w, int region, long number)
{
	world_add_thread(w, number ? ROLE_WORKER : ROLE_PRIMARY, region, number);
	struct picture_wait *wait = world_wait(w, WAIT_EXPLICIT_BARRIER);
	wait->arrived = 3;
	wait->total = 4;
	wait->object = 0x55d0c0de0080;
	wait->place = world_place("work", 45);
	world_add_frame(w, "gomp_team_barrier_wait_end", 0, NULL);
	add_team_stack(w, region, 45);
}

void world_add_stuck_team(struct world *w)
{
	world_add_gomp(w);
	int region = world_add_region(w, -1, 0, 4, 41);

	add_arrived(w, region, 0);
	add_arrived(w, region, 1);
	world_add_thread(w, ROLE_WORKER, region, 2);
	struct picture_wait *wait = world_wait(w, WAIT_SYSCALL);
	wait->name = strdup("read");
	wait->fd = 0;
	world_add_frame(w, "read_data", 12, NULL);
	add_team_stack(w, region, 47);
	add_arrived(w, region, 3);
	world_add_thread(w, ROLE_NONE, -1, -1);
	world_wait(w, WAIT_CONDITION)->name = strdup("pthread_cond_wait");
	world_add_frame(w, "serve", 20, NULL);
	world_stack(w)->end = "a thread that the program made";
	for (int i = 0; i < 2; i++) {
		world_add_thread(w, ROLE_IDLE, -1, -1);
		world_wait(w, WAIT_IDLE);
		world_add_frame(w, "gomp_thread_start", 0, NULL);
		world_stack(w)->end = "in the pool";
	}
}

static void spoil_owned(char **slot, const char *s)
{
	free(*slot);
	*slot = strdup(s);
}

static void spoil_picture(struct picture *p, char *s)
{
	vec_for_each (r, &p->runtimes) {
		spoil_owned(&r->path, s);
		spoil_owned(&r->version, s);
		spoil_owned(&r->status, s);
		spoil_owned(&r->provider, s);
	}
	vec_for_each (t, &p->threads) {
		spoil_owned(&t->wait.name, s);
		t->wait.api = s;
		t->wait.place.file = t->wait.place.function = s;
	}
	vec_for_each (r, &p->regions)
		r->place.file = r->place.function = s;
	vec_for_each (t, &p->tasks)
		t->place.file = t->place.function = s;
	vec_for_each (icv, &p->icvs) {
		spoil_owned(&icv->name, s);
		spoil_owned(&icv->value, s);
	}
	push(&p->notes, strdup(s));
}

static void spoil_frame(struct stitched_frame *f, char *s)
{
	f->function = f->file = f->construct = s;
	f->border.place.file = f->border.place.function = s;
}

void world_spoil(struct world *w, char *s)
{
	spoil_picture(&w->picture, s);
	spoil_owned(&w->stacks.exe, s);
	spoil_owned(&w->stacks.core, s);
	push(&w->stacks.notes, strdup(s));
	vec_for_each (t, &w->stacks.threads)
		spoil_owned(&t->name, s);
	vec_for_each (f, &w->frames)
		(*f)->module = s;
	vec_for_each (stack, &w->stitched.stacks) {
		stack->end = s;
		vec_for_each (f, &stack->frames)
			spoil_frame(f, s);
	}
}

/* Cases ----------------------------------------------------------------------------------- */

struct world world;

static void setup(void)
{
	world_init(&world);
}

static void teardown(void)
{
	world_fini(&world);
}

static TCase *new_case(Suite *s, const char *name)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(s, tc);
	return tc;
}

void world_add_case(Suite *s, const char *name, const TTest *const *tests)
{
	TCase *tc = new_case(s, name);

	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
}

void world_add_table(Suite *s, const char *name, const TTest *test, int rows)
{
	tcase_add_loop_test(new_case(s, name), test, 0, rows);
}
