/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sorted.h"
#include "target/process/ptrace.h"

void sites_fini(struct sites *s)
{
	vec_fini(s);
}

void sites_forget(struct sites *s)
{
	s->len = 0;
	s->replaced = s->shared = false;
}

/* Index of the first site that does not end before addr. */
static size_t place_of(const struct sites *s, taddr addr)
{
	return sorted_count(site, s->items, s->len, site->addr + s->arch->trap_size <= addr);
}

struct site *sites_find(const struct sites *s, taddr addr)
{
	size_t at = s->len ? place_of(s, addr) : 0;

	return at < s->len && s->items[at].addr == addr ? &s->items[at] : NULL;
}

struct site *sites_hit(const struct sites *s, taddr pc)
{
	struct site *site = s->len ? sites_find(s, pc - s->arch->trap_behind) : NULL;

	return site && !site->lifted_for ? site : NULL;
}

static bool holds(const struct sites *s, taddr addr, const uint8_t *bytes)
{
	uint8_t now[ARCH_TRAP_MAX];

	return s->read(s->context, addr, now, s->arch->trap_size) == s->arch->trap_size &&
	       !memcmp(now, bytes, s->arch->trap_size);
}

/* Where the bytes are not there, somebody else has changed the code: that stays. */
static struct error *exchange(const struct sites *s, taddr addr, const uint8_t *from,
			      const uint8_t *to)
{
	if (s->replaced || !holds(s, addr, from))
		return NULL;
	return s->write(s->context, addr, to, s->arch->trap_size);
}

static struct error *put_in(const struct sites *s, const struct site *site)
{
	return exchange(s, site->addr, site->original, s->arch->trap);
}

static struct error *take_out(const struct sites *s, const struct site *site)
{
	return exchange(s, site->addr, s->arch->trap, site->original);
}

struct error *sites_plant(struct sites *s, const struct arch *arch, taddr addr)
{
	struct site site = { .addr = addr, .wanted = 1 };
	struct site *known = sites_find(s, addr);

	if (known) {
		known->wanted++;
		return NULL;
	}
	s->arch = arch;
	if (s->read(s->context, addr, site.original, arch->trap_size) < arch->trap_size)
		return error_new(ERROR_NO_ADDRESS, "no memory at 0x%" PRIxTADDR, addr);
	if (!vec_push(s, site))
		return &error_nomem;
	s->len--;
	struct error *err = put_in(s, &site);
	if (err)
		return error_add(err,
				 "the code at 0x%" PRIxTADDR
				 " cannot be written to, as where a file is "
				 "mapped to be shared (hbreak needs no trap there)",
				 addr);
	struct site *place = s->items + place_of(s, addr);
	memmove(place + 1, place, (size_t)(s->items + s->len - place) * sizeof(*place));
	*place = site;
	s->len++;
	return NULL;
}

struct error *sites_unplant(struct sites *s, taddr addr)
{
	struct site *site = sites_find(s, addr);

	if (!site)
		return error_new(ERROR_USAGE, "no trap is planted at 0x%" PRIxTADDR, addr);
	if (--site->wanted)
		return NULL;
	struct error *err = take_out(s, site);
	s->len--;
	memmove(site, site + 1, (size_t)(s->items + s->len - site) * sizeof(*site));
	return err;
}

struct error *sites_lift(struct sites *s, struct site *site, pid_t lwp)
{
	struct error *err = take_out(s, site);

	if (!err)
		site->lifted_for = lwp;
	return err;
}

struct error *sites_put_back(struct sites *s, pid_t lwp)
{
	struct error *err = NULL;

	vec_for_each (site, s) {
		if (site->lifted_for != lwp || err)
			continue;
		site->lifted_for = 0;
		err = put_in(s, site);
	}
	return err;
}

/* The part of a site that lies in a range; false: none. */
struct part {
	size_t in_site, in_range, len;
};

static bool overlap(const struct sites *s, const struct site *site, taddr from, size_t len,
		    struct part *ret)
{
	taddr start = site->addr > from ? site->addr : from;
	taddr site_end = site->addr + s->arch->trap_size, end = from + len;

	if (end > site_end)
		end = site_end;
	if (start >= end)
		return false;
	*ret = (struct part){ (size_t)(start - site->addr), (size_t)(start - from),
			      (size_t)(end - start) };
	return true;
}

/* Sites that may overlap what starts at "from"; the caller ends the loop. */
#define for_each_site_from(site, s, from)                                                          \
	for (struct site *site = (s)->items + place_of(s, from); site < (s)->items + (s)->len;     \
	     site++)

void sites_hide(const struct sites *s, taddr from, void *bytes, size_t len)
{
	struct part part;

	if (!s->len)
		return;
	for_each_site_from(site, s, from)
	{
		if (!overlap(s, site, from, len, &part))
			break;
		uint8_t *at = (uint8_t *)bytes + part.in_range;
		if (!memcmp(at, s->arch->trap + part.in_site, part.len))
			memcpy(at, site->original + part.in_site, part.len);
	}
}

struct error *sites_write(struct sites *s, taddr to, const void *bytes, size_t len)
{
	AUTO_FREE uint8_t *covered = s->len ? malloc(len + 1) : NULL;
	struct part part;

	if (!s->len)
		return s->write(s->context, to, bytes, len);
	if (!covered)
		return &error_nomem;
	memcpy(covered, bytes, len);
	for_each_site_from(site, s, to)
	{
		if (!overlap(s, site, to, len, &part))
			break;
		if (!site->lifted_for && holds(s, site->addr, s->arch->trap))
			memcpy(covered + part.in_range, s->arch->trap + part.in_site, part.len);
	}
	struct error *err = s->write(s->context, to, covered, len);
	if (err)
		return err;
	for_each_site_from(site, s, to)
	{
		if (!overlap(s, site, to, len, &part))
			break;
		memcpy(site->original + part.in_site, (const uint8_t *)bytes + part.in_range,
		       part.len);
	}
	return NULL;
}

struct error *sites_clean(const struct sites *s, pid_t pid)
{
	uint8_t now[ARCH_TRAP_MAX];
	struct error *err = NULL;

	vec_for_each (site, s) {
		if (!err)
			err = ptrace_peek(pid, site->addr, now, s->arch->trap_size);
		if (!err && !memcmp(now, s->arch->trap, s->arch->trap_size))
			err = ptrace_poke(pid, site->addr, site->original, s->arch->trap_size);
		if (error_is(err, ERROR_OS)) { /* it has unmapped that page */
			error_ignore(err);
			err = NULL;
		}
	}
	return err;
}

struct error *sites_copy(const struct sites *from, struct sites *to)
{
	vec_for_each (site, from) {
		struct site copy = *site;
		copy.lifted_for = 0;
		if (!vec_push(to, copy))
			return &error_nomem;
	}
	to->arch = from->arch;
	return NULL;
}

void sites_remove(struct sites *s)
{
	vec_for_each (site, s)
		error_ignore(take_out(s, site)); /* memory that is gone needs none */
	sites_forget(s);
}
