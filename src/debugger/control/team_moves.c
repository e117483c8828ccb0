/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_moves.h"

#include <string.h>

#include "debugger/values/eval.h"
#include "debugger/values/lookup.h"

/* ---- in words --------------------------------------------------------------------------- */

void team_moves_add_name(const struct team_moves *m, int who, struct buf *out)
{
	buf_addf(out, "%d.%d", m->team.number, who);
}

/* What the source calls it; false: that is not known. */
static bool add_object(const struct control *c, enum order_place at, uint64_t object,
		       struct buf *out)
{
	static const char critical[] = ".gomp_critical_user_";
	struct symbol symbol;

	if (!symbol_at(c->live->symbols, object, &symbol) || symbol.function)
		return false;
	const char *name = symbol.name;
	if (at == PLACE_CRITICAL) {
		if (strncmp(name, critical, strlen(critical)) != 0)
			return false;
		name += strlen(critical);
		const size_t len = strcspn(name, "."); /* clang: "x.var" */
		if (len)
			buf_addf(out, "'%.*s'", (int)len, name);
		return len;
	}
	buf_addf(out, "'%s'", name);
	if (object != symbol.addr)
		buf_addf(out, "+0x%" PRIx64, object - symbol.addr);
	return true;
}

void team_moves_add_place(const struct control *c, enum order_place at, uint64_t object,
			  struct buf *out)
{
	static const char *const words[NUM_PLACES] = {
		[PLACE_START] = "where it was",
		[PLACE_BARRIER] = "the barrier",
		[PLACE_CRITICAL] = "critical",
		[PLACE_LOCK] = "lock",
		[PLACE_RELEASE] = "the end of a critical construct or lock",
		[PLACE_TASK] = "a task",
		[PLACE_CHUNK] = "the next chunk",
		[PLACE_ACCESS] = "an access",
		[PLACE_LINE] = "the line",
		[PLACE_WAIT] = "something in the runtime",
		[PLACE_END] = "the end",
	};
	AUTO_BUF name = { 0 };

	buf_adds(out, words[at]);
	if (at != PLACE_CRITICAL && at != PLACE_LOCK)
		return;
	if (object && add_object(c, at, object, &name))
		buf_addf(out, " %s", buf_text(&name));
	else if (at == PLACE_LOCK && object)
		buf_addf(out, " 0x%" PRIx64, object);
}

/* "thread 0.1 has not arrived"; one of them may run by now */
static void add_missing(const struct team_moves *m, int whom, struct buf *out)
{
	AUTO_BUF names = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < m->order.members.len; i++) {
		if ((int)i != whom && m->order.members.items[i].state != MEMBER_STANDS &&
		    m->order.members.items[i].state != MEMBER_HELD)
			continue;
		buf_adds(&names, n++ ? ", " : "");
		team_moves_add_name(m, (int)i, &names);
	}
	buf_addf(out, n == 1 ? "thread %s has not arrived" : "threads %s have not arrived",
		 buf_text(&names));
}

void team_moves_add_yield(const struct control *c, const struct team_moves *m,
			  const struct order_yield *y, struct buf *out)
{
	team_moves_add_name(m, y->who, out);
	if (y->at == PLACE_BARRIER) {
		buf_adds(out, " waits at the barrier, where held ");
		add_missing(m, y->whom, out);
		return;
	}
	buf_adds(out, " waits for ");
	team_moves_add_place(c, y->at, y->object, out);
	if (y->at == PLACE_WAIT)
		return;
	buf_adds(out, ", which held thread ");
	team_moves_add_name(m, y->whom, out);
	buf_adds(out, " has");
}

void team_moves_tell(const struct control *c, const struct buf *text)
{
	control_notice(c, &(struct notice){ .kind = NOTICE_TEAM, .text = buf_text(text) });
}

void team_moves_tell_past(const struct control *c, const struct team_moves *m)
{
	const struct team *team = &m->team;
	AUTO_BUF text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < team->members.len; i++) {
		if (!team->members.items[i].ended)
			continue;
		buf_adds(&text, n++ ? ", " : "");
		team_moves_add_name(m, (int)i, &text);
	}
	if (!n)
		return;
	buf_addf(&text,
		 " %s past the region's code already, and run%s freely: nobody orders the "
		 "tasks at its end",
		 n == 1 ? "is" : "are", n == 1 ? "s" : "");
	team_moves_tell(c, &text);
}

struct error *team_moves_stop(struct stop_report *r, struct buf *text)
{
	free(r->text);
	r->kind = STOPPED_TEAM;
	r->text = buf_ok(text) ? strdup(buf_text(text)) : NULL;
	return r->text ? NULL : &error_nomem;
}

/* ---- points ----------------------------------------------------------------------------- */

static struct error *plant(struct control *c, const struct point *wanted, unsigned int *ret)
{
	struct point point = *wanted;

	point.id = ++c->next_point;
	struct error *err = target_set_point(c->live->target, &point);
	if (!err)
		*ret = point.id;
	return err;
}

static struct error *plant_listed(struct control *c, const struct point *wanted, struct ints *ret)
{
	unsigned int id;
	struct error *err = plant(c, wanted, &id);

	if (err || vec_push(ret, (int)id))
		return err;
	error_ignore(target_clear_point(c->live->target, id));
	return &error_nomem;
}

static void clear(struct control *c, unsigned int id)
{
	if (id)
		error_ignore(target_clear_point(c->live->target, id));
}

static struct error *plant_accesses(struct control *c, struct team_moves *m, taddr addr,
				    size_t size)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < size; i += sizeof(uint64_t)) {
		size_t part = size - i < sizeof(uint64_t) ? size - i : sizeof(uint64_t);
		struct point point = { .kind = POINT_WRITE, .addr = addr + i, .size = part };
		err = plant_listed(c, &point, &m->writes);
		point.kind = POINT_READ;
		if (!err)
			err = plant_listed(c, &point, &m->reads);
	}
	return err;
}

static struct error *watch(struct control *c, struct team_moves *m)
{
	enum { MOST = 16 };
	struct scope scope;
	struct value value = { 0 };
	struct error *err = control_scope(c, &scope);
	const struct eval_context where = control_evaluator(c, &scope);

	if (!err)
		err = eval_text(&where, m->how->at, &value);
	if (err)
		return err;
	const taddr addr = value.addr;
	const size_t size = type_size(value.type);
	const bool fits = size && size <= MOST && !(size & (size - 1));
	if (value.place != VALUE_MEMORY || value.missing || value.bit_size || !fits ||
	    addr % (size < 8 ? size : 8))
		return error_new(ERROR_USAGE,
				 "accesses to '%s' cannot be watched: it is no value in memory of "
				 "1, 2, 4, 8 or 16 bytes",
				 m->how->at);
	m->watched = addr;
	m->run = ++c->races.epochs;
	return plant_accesses(c, m, addr, size);
}

static struct error *plant_lines(struct control *c, struct team_moves *m)
{
	AUTO_LINESPEC spec = { 0 };
	struct code_places places = { 0 };
	const struct linespec_context where = control_linespecs(c);
	int line;
	struct error *err = linespec_parse(m->how->line, &spec);

	if (!err)
		err = linespec_resolve(&spec, &where, &places, &line);
	for (size_t i = 0; !err && i < places.len; i++)
		err = plant_listed(
			c, &(struct point){ .kind = POINT_CODE, .addr = places.items[i].addr },
			&m->lines);
	vec_fini(&places);
	return err;
}

/* ---- beginning -------------------------------------------------------------------------- */

/* It is to have a turn: named, or one of all. */
static bool has_turn(const struct team_run *how, int who)
{
	vec_for_each (named, &how->list) {
		if (*named == who)
			return true;
	}
	return how->policy != ORDER_LIST && how->policy != ORDER_ALONE;
}

static struct error *find_held(struct control *c, struct team_moves *m)
{
	for (size_t i = 0; i < m->team.members.len; i++) {
		const struct numbered_thread *th =
			threads_by_lwp(&c->threads, m->team.members.items[i].lwp);
		if (!th || !th->frozen)
			continue;
		m->order.members.items[i].state = MEMBER_HELD;
		if (has_turn(m->how, (int)i))
			return error_new(
				ERROR_USAGE,
				"thread %d.%zu is held: 'omp release %d.%zu' lets it go on",
				m->team.number, i, m->team.number, i);
	}
	return NULL;
}

static struct error *check_list(const struct team_moves *m)
{
	vec_for_each (who, &m->how->list) {
		if (*who < 0 || (size_t)*who >= m->team.members.len)
			return error_new(ERROR_NOT_FOUND,
					 "there is no thread %d.%d: team %d has %zu",
					 m->team.number, *who, m->team.number, m->team.members.len);
	}
	return NULL;
}

/* What threads have taken before; which construct or lock that is has to be known. */
static struct error *take_holds(struct team_moves *m, const struct picture *p)
{
	vec_for_each (hold, &p->holds) {
		const struct picture_thread *th = picture_thread(p, hold->thread);
		int who = th ? team_member_of(&m->team, th->lwp) : -1;
		if (who >= 0 && hold->always && hold->object &&
		    !order_owns(&m->order, who, hold->object))
			return &error_nomem;
	}
	return NULL;
}

/* The end of the task that the thread executes. */
static struct error *plant_task_end(struct control *c, struct team_moves *m, const struct look *l)
{
	const struct picture *p = &l->snapshot->picture;
	const int who = m->how->list.items[0];
	const pid_t lwp = m->team.members.items[who].lwp;
	const int thread = team_thread(p, lwp);
	const struct picture_thread *th = picture_thread(p, thread);

	for (size_t i = 0; th && i < th->spans.list.len; i++) {
		const struct span *span = &th->spans.list.items[i];
		const struct unwind_stack *raw = &l->snapshot->stacks->raw[thread];
		if (span->call == SPAN_PARALLEL)
			break;
		if (span->call != SPAN_TASK || !span->inner || span->inner >= raw->len)
			continue;
		m->task_sp = raw->items[span->inner - 1].cfa;
		return plant(c,
			     &(struct point){ .kind = POINT_CODE,
					      .addr = raw->items[span->inner].pc,
					      .lwp = lwp },
			     &m->task_end);
	}
	return error_new(ERROR_USAGE, "thread %d.%d executes no task", m->team.number, who);
}

/* The order as the look has found the team. */
static struct error *begin_order(struct team_moves *m)
{
	struct order *o = &m->order;

	o->policy = m->how->policy;
	o->random = m->how->seed ? m->how->seed : 1;
	vec_for_each (who, &m->how->list) {
		if (!vec_push(&o->list, *who))
			return &error_nomem;
	}
	return order_init(o, m->team.members.len) ? NULL : &error_nomem;
}

/* Those of the pool may get work from the one that runs. */
static struct error *list_others(struct control *c, struct team_moves *m, const struct picture *p)
{
	const int own = m->how->policy == ORDER_ALONE ? m->how->list.items[0] : -1;

	vec_for_each (th, &c->live->target->threads) {
		const struct picture_thread *known = picture_thread(p, team_thread(p, (*th)->lwp));
		if (known && known->role == ROLE_IDLE)
			continue;
		if (own >= 0 && (*th)->lwp != m->team.members.items[own].lwp &&
		    !vec_push(&m->others, (*th)->lwp))
			return &error_nomem;
	}
	return NULL;
}

static struct error *plant_behind(struct control *c, struct team_moves *m)
{
	const struct point point = { .kind = POINT_CODE,
				     .addr = m->team.behind,
				     .lwp = m->team.primary };

	return m->team.behind ? plant(c, &point, &m->behind) : NULL;
}

struct error *team_moves_find_behind(struct control *c, struct team_moves *m)
{
	AUTO_LOOK l = { 0 };
	struct error *err = team_look(c, false, &l);

	if (err)
		return err;
	team_find_behind(&l, &m->team);
	return plant_behind(c, m);
}

static struct error *plant_all(struct control *c, struct team_moves *m, const struct look *l)
{
	struct error *err = m->how->at ? watch(c, m) : NULL;

	if (!err && m->how->line)
		err = plant_lines(c, m);
	if (!err && m->how->policy == ORDER_ALONE && m->how->until == PLACE_END)
		err = plant_task_end(c, m, l);
	if (!err)
		err = stations_plant(c, &m->stations);
	if (!err && m->team.function)
		err = plant(c, &(struct point){ .kind = POINT_CODE, .addr = m->team.function },
			    &m->entry);
	return err ? err : plant_behind(c, m);
}

struct error *team_moves_init(struct control *c, const struct team_run *how, struct team_moves *ret)
{
	AUTO_LOOK l = { 0 };

	*ret = (struct team_moves){ .how = how };
	struct error *err = team_look(c, true, &l);
	if (!err)
		err = threads_update(&c->threads, c->live->target);
	if (!err)
		err = team_find(c, &l, &ret->team);
	if (!err)
		err = check_list(ret);
	if (err)
		return err;
	ret->target = c->live->target;
	c->stands = true;
	if (how->policy != ORDER_ALONE) /* which may run up to the end of such a task */
		team_find_past(&l, &ret->team);
	err = begin_order(ret);
	if (!err)
		err = find_held(c, ret);
	if (!err)
		err = take_holds(ret, &l.snapshot->picture);
	if (!err)
		err = list_others(c, ret, &l.snapshot->picture);
	return err ? err : plant_all(c, ret, &l);
}

static void clear_points(struct control *c, struct team_moves *m)
{
	if (!c->stands && target_stop_all(c->live->target))
		return;
	c->stands = true;
	vec_for_each (id, &m->reads)
		clear(c, (unsigned int)*id);
	vec_for_each (id, &m->writes)
		clear(c, (unsigned int)*id);
	vec_for_each (id, &m->lines)
		clear(c, (unsigned int)*id);
	vec_for_each (member, &m->team.members)
		clear(c, member->end_point);
	clear(c, m->entry);
	clear(c, m->behind);
	clear(c, m->task_end);
}

void team_moves_fini(struct control *c, struct team_moves *m)
{
	const bool same = c->live && c->runs && c->live->target == m->target;

	if (same)
		clear_points(c, m);
	stations_clear(same ? c : NULL, &m->stations);
	vec_fini(&m->reads);
	vec_fini(&m->writes);
	vec_fini(&m->lines);
	vec_fini(&m->others);
	wait_marks_fini(&m->marks);
	order_fini(&m->order);
	team_fini(&m->team);
}
