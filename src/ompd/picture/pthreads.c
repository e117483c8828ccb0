/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/pthreads.h"

#include <stdlib.h>

/* Where glibc's struct pthread has the thread's number: tid, behind the TCB and a list. */
enum { NUMBER = 720 };

static taddr read_id(struct target *t, struct thread *th)
{
	uint64_t id = 0;

	if (thread_state_stands(th->state) && !th->kernel_worker)
		error_ignore(target_get_uint(t, th, t->arch->thread_pointer, &id));
	return id;
}

struct error *pthreads_read(struct target *t, const struct thread *only, struct pthreads *ret)
{
	struct pthreads p = { .target = t };

	p.ids = calloc(t->threads.len + 1, sizeof(*p.ids));
	if (!p.ids)
		return &error_nomem;
	for (size_t i = 0; i < t->threads.len; i++) {
		if (!only || !i || t->threads.items[i] == only)
			p.ids[i] = read_id(t, t->threads.items[i]);
		if (p.ids[i] && !by_address_add(&p.by_ids, p.ids[i], (int)i)) {
			pthreads_fini(&p);
			return &error_nomem;
		}
	}
	*ret = p;
	return NULL;
}

void pthreads_fini(struct pthreads *p)
{
	by_address_fini(&p->by_ids);
	free(p->ids);
	p->ids = NULL;
}

int pthreads_find(const struct pthreads *p, taddr id)
{
	return by_address_find(&p->by_ids, id);
}

static bool has_number(struct target *t, struct thread *th, pid_t number)
{
	const taddr id = read_id(t, th);
	pid_t its;

	return id && memory_try_read(t->memory, id + NUMBER, &its, sizeof(its)) && its == number;
}

/*
 * The LWP of the thread to which the C library has given a number: in a PID namespace that is
 * another one. Of a thread that has ended there is the number alone.
 */
static pid_t find_number(struct target *t, pid_t number)
{
	struct thread *likely = target_find_thread(t, number);

	if (likely && has_number(t, likely, number))
		return number;
	vec_for_each (th, &t->threads) {
		if (has_number(t, *th, number))
			return (*th)->lwp;
	}
	return number;
}

pid_t pthreads_mutex_owner(struct target *t, taddr mutex)
{
	/* glibc: struct __pthread_mutex_s begins with the lock; two ints further is the owner. */
	enum { OWNER = 8 };
	pid_t owner;

	if (!mutex || !memory_try_read(t->memory, mutex + OWNER, &owner, sizeof(owner)))
		return 0;
	return owner > 0 ? find_number(t, owner) : 0;
}

int pthreads_joined(const struct pthreads *p, taddr word)
{
	return pthreads_find(p, word - NUMBER);
}
