/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/mpi_call.h"

#include <string.h>

#include "base/text.h"
#include "ompd/picture/runtime.h"
#include "ompd/picture/spans.h"
#include "target/code/call_site.h"
#include "target/flow/flow.h"
#include "target/modules/exports.h"

enum {
	MPICH_COMM_WORLD = 0x44000000, /* mpi.h of MPICH 1 to 4, Intel MPI, MVAPICH2, Cray MPICH */
};

/* Where the arguments of a function are, from 0 on; -1: it has none of that kind. */
struct function {
	const char *name; /* behind "MPI_" */
	enum mpi_kind kind;
	signed char peer, tag, comm;
	signed char to, to_tag; /* 0: it has none */
};

/*
 * The MPI standard 4.0, annex A.3: what may wait for other ranks. What takes large counts has its
 * arguments in the same places. What makes requests waits for nobody.
 */
static const struct function functions[] = {
	{ "Recv", MPI_RECEIVE, 3, 4, 5 },
	{ "Mrecv", MPI_RECEIVE, -1, -1, -1 },
	{ "Probe", MPI_RECEIVE, 0, 1, 2 },
	{ "Mprobe", MPI_RECEIVE, 0, 1, 2 },
	{ "Send", MPI_SEND, 3, 4, 5 },
	{ "Ssend", MPI_SEND, 3, 4, 5 },
	{ "Rsend", MPI_SEND, 3, 4, 5 },
	{ "Bsend", MPI_SEND, 3, 4, 5 },
	{ "Sendrecv", MPI_EXCHANGE, 8, 9, 10, 3, 4 },
	{ "Sendrecv_replace", MPI_EXCHANGE, 5, 6, 7, 3, 4 },
	{ "Wait", MPI_WAIT, -1, -1, -1 },
	{ "Waitall", MPI_WAIT, -1, -1, -1 },
	{ "Waitany", MPI_WAIT, -1, -1, -1 },
	{ "Waitsome", MPI_WAIT, -1, -1, -1 },
	{ "Buffer_detach", MPI_WAIT, -1, -1, -1 },
	{ "Barrier", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Bcast", MPI_ROOTED, 3, -1, 4 },
	{ "Reduce", MPI_ROOTED, 5, -1, 6 },
	{ "Allreduce", MPI_COLLECTIVE, -1, -1, 5 },
	{ "Scan", MPI_ROOTED, -1, -1, 5 },
	{ "Exscan", MPI_ROOTED, -1, -1, 5 },
	{ "Reduce_scatter_block", MPI_COLLECTIVE, -1, -1, 5 },
	{ "Gather", MPI_ROOTED, 6, -1, 7 },
	{ "Gatherv", MPI_ROOTED, 7, -1, 8 },
	{ "Scatter", MPI_ROOTED, 6, -1, 7 },
	{ "Scatterv", MPI_ROOTED, 7, -1, 8 },
	{ "Allgather", MPI_COLLECTIVE, -1, -1, 6 },
	{ "Alltoall", MPI_COLLECTIVE, -1, -1, 6 },
	/* Who gets nothing of others need not wait for them. */
	{ "Reduce_scatter", MPI_ROOTED, -1, -1, 5 },
	{ "Allgatherv", MPI_ROOTED, -1, -1, 7 },
	{ "Alltoallv", MPI_ROOTED, -1, -1, 8 },
	{ "Alltoallw", MPI_ROOTED, -1, -1, 8 },
	{ "Neighbor_allgather", MPI_ROOTED, -1, -1, 6 },
	{ "Neighbor_allgatherv", MPI_ROOTED, -1, -1, 7 },
	{ "Neighbor_alltoall", MPI_ROOTED, -1, -1, 6 },
	{ "Neighbor_alltoallv", MPI_ROOTED, -1, -1, 8 },
	{ "Neighbor_alltoallw", MPI_ROOTED, -1, -1, 8 },
	/* Of communicators. Where a group tells who comes, these need not be all. */
	{ "Comm_dup", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Comm_dup_with_info", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Comm_split", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Comm_split_type", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Comm_create", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Comm_create_group", MPI_COLLECTIVE, -1, 2, -1 },
	{ "Comm_create_from_group", MPI_COLLECTIVE, -1, -1, -1 },
	{ "Comm_set_info", MPI_ROOTED, -1, -1, 0 },
	{ "Comm_free", MPI_COLLECTIVE, -1, -1, -1 },
	{ "Comm_disconnect", MPI_COLLECTIVE, -1, -1, -1 },
	{ "Comm_spawn", MPI_ROOTED, 4, -1, 5 },
	{ "Comm_spawn_multiple", MPI_ROOTED, 5, -1, 6 },
	{ "Comm_accept", MPI_ROOTED, 2, -1, 3 },
	{ "Comm_connect", MPI_ROOTED, 2, -1, 3 },
	{ "Intercomm_create", MPI_COLLECTIVE, -1, 4, 0 },
	{ "Intercomm_create_from_groups", MPI_COLLECTIVE, -1, -1, -1 },
	{ "Intercomm_merge", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Cart_create", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Cart_sub", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Graph_create", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Dist_graph_create", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Dist_graph_create_adjacent", MPI_COLLECTIVE, -1, -1, 0 },
	{ "Win_create", MPI_COLLECTIVE, -1, -1, 4 },
	{ "Win_create_dynamic", MPI_COLLECTIVE, -1, -1, 1 },
	{ "Win_allocate", MPI_COLLECTIVE, -1, -1, 3 },
	{ "Win_allocate_shared", MPI_COLLECTIVE, -1, -1, 3 },
	{ "Win_set_info", MPI_ROOTED, -1, -1, -1 },
	{ "Win_fence", MPI_COLLECTIVE, -1, -1, -1 },
	{ "Win_free", MPI_COLLECTIVE, -1, -1, -1 },
	/* Their ranks are those of the window. */
	{ "Win_start", MPI_WAIT, -1, -1, -1 },
	{ "Win_complete", MPI_WAIT, -1, -1, -1 },
	{ "Win_post", MPI_WAIT, -1, -1, -1 },
	{ "Win_wait", MPI_WAIT, -1, -1, -1 },
	{ "Win_lock", MPI_WAIT, 1, -1, -1 },
	{ "Win_unlock", MPI_WAIT, 0, -1, -1 },
	{ "Win_lock_all", MPI_WAIT, -1, -1, -1 },
	{ "Win_unlock_all", MPI_WAIT, -1, -1, -1 },
	{ "Win_flush", MPI_WAIT, 0, -1, -1 },
	{ "Win_flush_all", MPI_WAIT, -1, -1, -1 },
	{ "Win_flush_local", MPI_WAIT, 0, -1, -1 },
	{ "Win_flush_local_all", MPI_WAIT, -1, -1, -1 },
	{ "File_open", MPI_COLLECTIVE, -1, -1, 0 },
	{ "File_close", MPI_COLLECTIVE, -1, -1, -1 },
	{ "File_preallocate", MPI_ROOTED, -1, -1, -1 },
	{ "File_set_atomicity", MPI_ROOTED, -1, -1, -1 },
	{ "File_set_info", MPI_ROOTED, -1, -1, -1 },
	{ "File_set_size", MPI_ROOTED, -1, -1, -1 },
	{ "File_set_view", MPI_ROOTED, -1, -1, -1 },
	{ "File_seek_shared", MPI_ROOTED, -1, -1, -1 },
	{ "File_sync", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_all", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_all_begin", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_all_end", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_at_all", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_at_all_begin", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_at_all_end", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_ordered", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_ordered_begin", MPI_ROOTED, -1, -1, -1 },
	{ "File_read_ordered_end", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_all", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_all_begin", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_all_end", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_at_all", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_at_all_begin", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_at_all_end", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_ordered", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_ordered_begin", MPI_ROOTED, -1, -1, -1 },
	{ "File_write_ordered_end", MPI_ROOTED, -1, -1, -1 },
	{ "Session_finalize", MPI_COLLECTIVE, -1, -1, -1 },
	/* Of all ranks, by definition. */
	{ "Init", MPI_COLLECTIVE, -1, -1, -1 },
	{ "Init_thread", MPI_COLLECTIVE, -1, -1, -1 },
	{ "Finalize", MPI_COLLECTIVE, -1, -1, -1 },
};

static const char *const of_world[] = { "Init", "Init_thread", "Finalize" };

static const char *const comm_names[NUM_MPI_COMMS] = {
	[MPI_COMM_UNKNOWN] = "unknown",
	[MPI_COMM_IS_WORLD] = "world",
	[MPI_COMM_IS_OTHER] = "other",
};

const char *mpi_comm_name(enum mpi_comm comm)
{
	return comm_names[comm];
}

void mpi_calls_fini(struct mpi_calls *c)
{
	vec_fini(&c->list);
}

/* Whether it is "MPI_" and that, or "PMPI_", or the same for large counts. */
static bool is_called(const char *name, const char *plain)
{
	const size_t len = strlen(plain);

	name += *name == 'P';
	name += text_starts_with(name, "MPI_") ? strlen("MPI_") : 0;
	return !strncmp(name, plain, len) && (!name[len] || !strcmp(name + len, "_c"));
}

/* NULL: of no function that the table knows. */
static const struct function *find_function(const char *name)
{
	for (size_t i = 0; name && i < sizeof(functions) / sizeof(*functions); i++) {
		if (is_called(name, functions[i].name))
			return &functions[i];
	}
	return NULL;
}

enum mpi_kind mpi_kind_of(const char *function)
{
	const struct function *f = find_function(function);

	return f ? f->kind : MPI_OTHER;
}

/* ---- one call ------------------------------------------------------------------------------ */

struct finder {
	struct session *session;
	struct flow *flow;
	struct call_sites *calls;
	bool open_mpi;
};

/* A call, as its caller has made it. */
struct call {
	struct flow_arguments in_registers;
	taddr stack;  /* where the others are; 0: not known */
	bool fortran; /* each argument is an address        */
};

/* bytes: so many of it matter. */
static bool read_argument(const struct finder *f, const struct call *c, int n, unsigned int bytes,
			  uint64_t *ret)
{
	const struct flow_arguments *in = &c->in_registers;
	const uint32_t known = bytes > 4 || c->fortran ? in->known : in->halves;
	const struct target *t = f->session->target;
	int32_t number;

	if (n < 0 || (n < ARCH_ARGUMENTS && !(known >> n & 1)))
		return false;
	if (n < ARCH_ARGUMENTS)
		*ret = in->items[n];
	else if (!c->stack ||
		 !memory_try_read(t->memory,
				  c->stack + (taddr)(n - ARCH_ARGUMENTS) * t->arch->stack_slot, ret,
				  sizeof(*ret)))
		return false;
	if (!c->fortran)
		return true;
	if (!memory_try_read(t->memory, *ret, &number, sizeof(number)))
		return false;
	*ret = (uint32_t)number;
	return true;
}

/* Ranks and tags are ints; those below 0 have a meaning: mpi.h of MPICH and of Open MPI. */
static long number_of(const struct finder *f, const struct call *c, int n, bool tag)
{
	uint64_t bits;

	if (!read_argument(f, c, n, 4, &bits))
		return MPI_NUMBER_UNKNOWN;
	const int32_t number = (int32_t)bits;
	if (number >= 0)
		return number;
	const int any = tag || f->open_mpi ? -1 : -2, none = f->open_mpi ? -2 : -1;
	if (number == any)
		return MPI_NUMBER_ANY;
	return !tag && number == none ? MPI_NUMBER_NONE : MPI_NUMBER_UNKNOWN;
}

/* Whether what is called so is at that address, in the program (a copy) or its library. */
static bool is_variable(const struct session *s, taddr at, const char *name)
{
	vec_for_each (item, s->modules) {
		struct module *m = *item;
		if (exports_defines(s->target, m, name) &&
		    runtime_symbol(s->symbols, m, name) == at)
			return true;
	}
	return false;
}

static enum mpi_comm comm_of(const struct finder *f, const struct function *fn,
			     const struct call *c)
{
	uint64_t handle;

	for (size_t i = 0; i < sizeof(of_world) / sizeof(*of_world); i++) {
		if (!strcmp(fn->name, of_world[i]))
			return MPI_COMM_IS_WORLD;
	}
	if (!read_argument(f, c, fn->comm, f->open_mpi ? 8 : 4, &handle))
		return MPI_COMM_UNKNOWN;
	bool world = !f->open_mpi ? (uint32_t)handle == MPICH_COMM_WORLD
		     : c->fortran ? !handle
				  : is_variable(f->session, handle, "ompi_mpi_comm_world");
	return world ? MPI_COMM_IS_WORLD : MPI_COMM_IS_OTHER;
}

struct way {
	struct module_list *modules; /* borrowed                     */
	const struct module *goal;   /* that of the function called  */
};

/* The frame of a thread that has made the call that it waits in; 0: none is found. */
static size_t caller_of(const struct unwind_stack *raw, const struct picture_wait *w)
{
	for (size_t i = 1; w->place.pc && i < raw->len; i++) {
		if (spans_pc(&raw->items[i]) == w->place.pc)
			return i;
	}
	return 0;
}

/* Which code a function that has left by jumps may have got to. */
static enum call_way way_to(void *context, taddr target)
{
	const struct module *goal = ((struct way *)context)->goal;
	const struct module *m = module_at(((struct way *)context)->modules, target);

	return m == goal ? WAY_GOAL : m ? WAY_THROUGH : WAY_NOWHERE;
}

/* The arguments in registers. What the caller has called may have jumped into MPI, and is gone. */
static void read_registers(const struct finder *f, struct thread *th,
			   const struct unwind_stack *raw, size_t caller,
			   struct flow_arguments *ret)
{
	struct way way = { f->session->modules,
			   module_at(f->session->modules, raw->items[caller - 1].pc) };
	const struct call_site site = call_site_before(f->calls, raw->items[caller].pc);
	struct call_left left[CALL_LEFT_MAX];
	taddr goal;

	size_t n = site.target && way_to(&way, site.target) == WAY_THROUGH
			   ? call_site_left(f->calls, site.target, way_to, &way, left, &goal)
			   : 0;
	if (n && left[n - 1].njumps == 1)
		flow_jump_arguments(f->flow, *left[n - 1].jumps, ret);
	else if (!n)
		flow_arguments(f->flow, th, raw, caller, ret);
}

static void read_call(const struct finder *f, const struct snapshot *from, struct mpi_call *ret)
{
	const struct unwind_stack *raw = &from->stacks->raw[ret->thread];
	const struct picture_wait *w = &picture_thread(&from->picture, ret->thread)->wait;
	struct thread *th = f->session->target->threads.items[ret->thread];
	const struct function *fn = find_function(w->name);
	const size_t caller = caller_of(raw, w);
	struct call c = { 0 };

	if (!fn)
		return;
	ret->kind = fn->kind;
	if (caller) {
		const struct unwind_frame *callee = &raw->items[caller - 1];
		const struct module *m = module_at(f->session->modules, callee->pc);
		c.stack = callee->cfa;
		c.fortran = m && !exports_defines(f->session->target, m, "MPI_Init");
		read_registers(f, th, raw, caller, &c.in_registers);
	}
	ret->peer = number_of(f, &c, fn->peer, false);
	ret->tag = number_of(f, &c, fn->tag, true);
	if (fn->to) {
		ret->to = number_of(f, &c, fn->to, false);
		ret->to_tag = number_of(f, &c, fn->to_tag, true);
	}
	ret->comm = comm_of(f, fn, &c);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* What kind of MPI it is, and what its MPI_Init_thread() has granted. */
static void look_at_library(struct finder *f, struct mpi_calls *ret)
{
	struct session *s = f->session;
	int32_t granted;

	vec_for_each (item, s->modules) {
		struct module *m = *item;
		if (m->is_exe || !exports_defines(s->target, m, "ompi_mpi_thread_provided"))
			continue;
		taddr at = runtime_symbol(s->symbols, m, "ompi_mpi_thread_provided");
		f->open_mpi = true;
		if (at && memory_try_read(s->target->memory, at, &granted, sizeof(granted)) &&
		    granted >= 0 && granted <= MPI_THREADS_MULTIPLE)
			ret->threads = granted;
		return;
	}
}

struct error *mpi_calls_find(struct session *s, struct snapshot *from, struct mpi_calls *ret)
{
	struct finder f = { .session = s };
	bool whole = true;

	ret->list.len = 0;
	ret->threads = MPI_THREADS_UNKNOWN;
	for (size_t i = 0; i < from->picture.threads.len; i++) {
		const struct picture_wait *w = &from->picture.threads.items[i].wait;
		struct mpi_call call = { .thread = (int)i,
					 .name = w->name,
					 .peer = MPI_NUMBER_UNKNOWN,
					 .tag = MPI_NUMBER_UNKNOWN,
					 .to = MPI_NUMBER_UNKNOWN,
					 .to_tag = MPI_NUMBER_UNKNOWN };
		if (w->kind == WAIT_MPI)
			whole &= vec_push(&ret->list, call);
	}
	if (!whole)
		return &error_nomem;
	if (!ret->list.len)
		return NULL;
	f.flow = flow_new(s->target, s->unwinder, NULL, NULL);
	f.calls = call_sites_new(s->target, s->unwinder);
	look_at_library(&f, ret);
	for (size_t i = 0; f.flow && f.calls && i < ret->list.len; i++)
		read_call(&f, from, &ret->list.items[i]);
	whole = f.flow && f.calls;
	flow_free(f.flow);
	call_sites_free(f.calls);
	return whole ? NULL : &error_nomem;
}
