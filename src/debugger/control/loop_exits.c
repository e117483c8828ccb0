/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/loop_exits.h"

#include <stdlib.h>

#include "debugger/control/course.h"
#include "target/flow/cfg.h"

static taddr begin_of(const struct cfg *g, uint32_t block)
{
	return g->insns.items[g->blocks.items[block].first].addr;
}

/* The jump back of a row; NULL: it has none. */
static const struct cfg_edge *find_back(const struct cfg *g, struct code_range row)
{
	vec_for_each (e, &g->edges) {
		const taddr from = cfg_last(g, &g->blocks.items[e->from])->addr;
		if (from >= row.start && from < row.end && begin_of(g, e->to) < row.start)
			return e;
	}
	return NULL;
}

/* The blocks that lead to that jump, from where it leads to. */
static void mark_loop(const struct cfg *g, const struct cfg_edge *back, bool *marks)
{
	bool grows = true;

	marks[back->to] = marks[back->from] = true;
	while (grows) {
		grows = false;
		vec_for_each (e, &g->edges) {
			if (e->to == back->to || !marks[e->to] || marks[e->from])
				continue;
			grows = marks[e->from] = true;
		}
	}
}

static bool is_other_line(const struct plan *p, const struct plan_context *c, taddr addr)
{
	struct line_range row;

	return places_line_range(c->session->symbols, addr, &row) && row.line && row.is_start &&
	       row.start == addr && !course_is_line(p, row.file, row.line);
}

struct error *loop_exits_add(struct plan *p, const struct plan_context *c, struct code_range row)
{
	struct cfg *g = cfg_new(c->session->target, c->session->unwinder, row.start);
	const struct cfg_edge *back = g ? find_back(g, row) : NULL;
	bool *marks = back ? calloc(g->blocks.len, sizeof(*marks)) : NULL;
	struct error *err = back && !marks ? &error_nomem : NULL;

	if (marks)
		mark_loop(g, back, marks);
	for (size_t i = 0; marks && !err && i < g->edges.len; i++) {
		const struct cfg_edge *e = &g->edges.items[i];
		const taddr to = begin_of(g, e->to);
		if (!marks[e->from] || marks[e->to] || to >= row.start || !is_other_line(p, c, to))
			continue;
		p->stays = true;
		err = plan_add_point(p, c, ROLE_GOAL, to, 0);
	}
	free(marks);
	cfg_free(g);
	return err;
}
