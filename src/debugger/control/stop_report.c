/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/stop_report.h"

void report_place_fini(struct report_place *p)
{
	free(p->function);
	free(p->outlined);
	free(p->file);
	free(p->module);
	*p = (struct report_place){ 0 };
}

void report_event_fini(struct report_event *e)
{
	free(e->file);
	free(e->object);
	free(e->schedule);
	free(e->dependences);
	vec_fini(&e->awaited);
	*e = (struct report_event){ 0 };
}

void stop_report_fini(struct stop_report *r)
{
	free(r->text);
	free(r->expression);
	free(r->given_up);
	free(r->construct.file);
	free(r->commands);
	report_event_fini(&r->event);
	report_place_fini(&r->place);
	vec_for_each (w, &r->watches) {
		free(w->expression);
		free(w->whose);
	}
	vec_for_each (h, &r->holds) {
		free(h->name);
		free(h->file);
	}
	vec_fini(&r->watches);
	vec_fini(&r->holds);
	vec_fini(&r->hits);
	*r = (struct stop_report){ 0 };
}
