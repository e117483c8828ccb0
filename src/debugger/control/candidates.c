/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/candidates.h"

#include "debugger/control/loader.h"
#include "ompd/picture/runtime.h"
#include "ompd/runtimes.h"

bool candidates_is_openmp(struct session *s)
{
	struct runtime_list l;
	struct error *err = runtime_list_read(runtimes_known, s->modules, s->symbols, &l);
	bool found = !err && l.len;

	if (!err)
		runtime_list_fini(&l);
	error_ignore(err);
	return found;
}

bool candidates_have_room(const struct control *c)
{
	return c->candidates.len < CANDIDATES_MAX;
}

/* It has begun, or executes another program: what its dynamic linker does is told. */
static struct error *watch(struct control *c, struct candidate *of)
{
	struct error *err = module_list_update(of->session->modules);

	of->loader_point = 0;
	return err ? err : loader_watch(of->session, &c->next_point, &of->loader_point);
}

static struct error *go_on(const struct candidate *of)
{
	return target_resume(of->session->target, NULL, RESUME_CONTINUE);
}

struct error *candidates_add(struct control *c, struct target *t, bool vfork)
{
	struct candidate made = { 0 };
	struct error *err = session_new(t, &c->options, &made.session);

	if (!err && !vfork)
		err = watch(c, &made);
	if (!err)
		err = go_on(&made);
	if (!err && !vec_push(&c->candidates, made))
		err = &error_nomem;
	if (err)
		session_free(made.session);
	return err;
}

size_t candidates_poll(const struct control *c, struct pollfd fds[CANDIDATES_MAX])
{
	size_t n = 0;

	vec_for_each (of, &c->candidates) {
		if (n < CANDIDATES_MAX)
			fds[n++] = (struct pollfd){ .fd = target_wait_fd(of->session->target),
						    .events = POLLIN };
	}
	return n;
}

/* ---- what happens to them --------------------------------------------------------------- */

static void drop(struct control *c, size_t i)
{
	c->candidates.len--;
	for (; i < c->candidates.len; i++)
		c->candidates.items[i] = c->candidates.items[i + 1];
}

/* It stands, and is nobody's any more. */
static struct error *give(struct control *c, size_t i, struct session **ret)
{
	struct candidate of = c->candidates.items[i];
	struct error *err = target_stop_all(of.session->target);

	drop(c, i);
	if (!err && of.loader_point)
		err = target_clear_point(of.session->target, of.loader_point);
	if (err)
		session_free(of.session);
	else
		*ret = of.session;
	return err;
}

static struct error *take_child(struct control *c, const struct candidate *of, pid_t child,
				bool vfork)
{
	struct target *t;

	if (!candidates_have_room(c))
		return NULL;
	const unsigned int loader = of->loader_point;
	struct error *err = target_take_child(of->session->target, child, &t);
	if (!err && loader && !vfork)
		error_ignore(target_clear_point(t, loader));
	return err ? err : candidates_add(c, t, vfork);
}

/* *ret_fits: it is the one. */
static struct error *take_event(struct control *c, size_t i, const struct event *event,
				bool *ret_fits)
{
	const struct candidate of = c->candidates.items[i];
	const bool loads = event->stop.kind == STOP_SITE;
	struct error *err = NULL;

	if (event->stop.kind == STOP_FORK || event->stop.kind == STOP_VFORK)
		return take_child(c, &of, (pid_t)event->stop.value, event->stop.kind == STOP_VFORK);
	if (event->stop.kind == STOP_EXEC)
		err = watch(c, &c->candidates.items[i]);
	else if (loads)
		err = module_list_update(of.session->modules);
	if (!err && (loads || event->stop.kind == STOP_EXEC))
		*ret_fits = candidates_is_openmp(of.session);
	return err;
}

/* *ret_gone: it has ended, or cannot be had any longer. */
static struct error *look(struct control *c, size_t i, bool *ret_fits, bool *ret_gone)
{
	struct target *t = c->candidates.items[i].session->target;
	struct event event;

	for (;;) {
		struct error *err = target_wait(t, 0, &event);
		if (!err && event.stop.kind == STOP_NONE)
			return NULL;
		*ret_gone =
			!err && (event.stop.kind == STOP_EXITED || event.stop.kind == STOP_KILLED);
		if (!err && !*ret_gone)
			err = take_event(c, i, &event, ret_fits);
		if (!err && !*ret_gone && !*ret_fits)
			err = go_on(&c->candidates.items[i]);
		if (error_is(err, ERROR_GONE)) {
			error_ignore(err);
			err = NULL;
			*ret_gone = true;
		}
		if (err || *ret_gone || *ret_fits)
			return err;
	}
}

struct error *candidates_look(struct control *c, struct session **ret_session)
{
	*ret_session = NULL;
	for (size_t i = c->candidates.len; i-- > 0;) {
		bool fits = false, gone = false;
		struct error *err = look(c, i, &fits, &gone);
		if (err)
			return error_add(err, "following what the program has started");
		if (fits)
			return give(c, i, ret_session);
		if (!gone)
			continue;
		session_free(c->candidates.items[i].session);
		drop(c, i);
	}
	return NULL;
}

struct error *candidates_take(struct control *c, struct session **ret_session)
{
	struct error *err = candidates_look(c, ret_session);

	while (!err && !*ret_session && c->candidates.len) {
		err = give(c, 0, ret_session);
		if (!error_is(err, ERROR_GONE))
			continue;
		error_ignore(err); /* it has ended just now */
		err = NULL;
	}
	return err;
}

void candidates_end(struct control *c, bool kills)
{
	vec_for_each (of, &c->candidates) {
		struct target *t = of->session->target;
		struct error *err = target_stop_all(t);
		if (!err)
			err = kills ? target_kill(t) : target_detach(t);
		error_ignore(err); /* it has ended meanwhile */
		session_free(of->session);
	}
	vec_fini(&c->candidates);
}
