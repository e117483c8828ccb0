/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fake_libgomp.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct fake_code gcc10[] = {
	{ "omp_get_thread_num", 0x126f0,
	  "488b05b1c80200648b4028c3" },
	{ "omp_get_level", 0x12720,
	  "488b0581c80200648b402cc3" },
	{ "omp_get_active_level", 0x127e0,
	  "488b05c1c70200648b4030c3" },
	{ "omp_get_num_threads", 0x126d0,
	  "488b05d1c8020064488b5010b8010000004885d274028b02c3" },
	{ "omp_get_ancestor_thread_num", 0x12730,
	  "85ff783c488b056dc80200648b502c39fa722d64480304250000000029fa4883c01085d2"
	  "7e16662e0f1f840000000000488b004883c00883ea0175f48b4018c3b8ffffffffc3" },
	{ "omp_in_final", 0x19c20,
	  "488b058153020064488b505031c04885d274070fb682cd000000c3" },
	{ "omp_get_max_threads", 0xc730,
	  "488b057128030064488b50504885d2488d8290000000488d15932c0300480f44c2488b00"
	  "c3" },
	{ "omp_get_dynamic", 0xc5e0,
	  "488b05c129030064488b50504885d2488d8290000000488d15e32d0300480f44c20fb640"
	  "18c3" },
	{ "omp_get_thread_limit", 0xc760,
	  "488b054128030064488b50504885d2488d8290000000488d15632c0300480f44c2baffff"
	  "ff7f8b401485c00f48c2c3" },
	{ "omp_get_max_active_levels", 0xc7a0,
	  "8b052a2c0300c3" },
	{ "omp_get_num_teams", 0x2f7f0,
	  "8b0552fe0000c3" },
	{ "omp_get_team_num", 0x2f800,
	  "8b0516000100c3" },
	{ "omp_get_cancellation", 0xc7b0,
	  "0fb6052d2f0300c3" },
	{ "omp_get_num_procs", 0x1c2d0,
	  "48833dd0330200008b05ea3002007408c30f1f80000000004154554883ec084c8b256234"
	  "02004d85e4741ee8b0d1feff488b2d613402004c89e24889c74889eee86bd0feff85c074"
	  "17bf54000000e8fdd1feff4883c4085d415cc30f1f440000488b35213402004889efe851"
	  "cefeffba0100000085c00f44c2ebd8" },
	{ "GOMP_critical_start", 0xc230,
	  "31c0ba01000000f00fb115293403007501c389c6488d3d1d340300e950fc0000" },
	{ "GOMP_atomic_start", 0xc1a0,
	  "31c0ba01000000f00fb115b53403007501c389c6488d3da9340300e9e0fc0000" },
	{ "omp_get_max_task_priority", 0xc7c0,
	  "8b051a2f0300c3" },
	{ NULL },
};

static const struct fake_code gcc11[] = {
	{ "omp_get_thread_num", 0x11db0,
	  "f30f1efa488b05cdd10200648b4028c3" },
	{ "omp_get_level", 0x11de0,
	  "f30f1efa488b059dd10200648b402cc3" },
	{ "omp_get_active_level", 0x11ea0,
	  "f30f1efa488b05ddd00200648b4030c3" },
	{ "omp_get_num_threads", 0x11d90,
	  "f30f1efa488b05edd1020064488b5010b8010000004885d274028b02c3" },
	{ "omp_get_ancestor_thread_num", 0x11df0,
	  "f30f1efa85ff7838488b0589d10200648b502c39fa722964480304250000000029fa4883"
	  "c01085d27e12660f1f440000488b004883c00883ea0175f48b4018c3b8ffffffffc3" },
	{ "omp_in_final", 0x19f80,
	  "f30f1efa488b05fd4f020064488b505831c04885d274070fb682d5000000c3" },
	{ "omp_get_max_threads", 0xbcb0,
	  "f30f1efa488b05cd32030064488b50584885d2488d8298000000488d156f360300480f44"
	  "c28b00c3" },
	{ "omp_get_dynamic", 0xbb20,
	  "f30f1efa488b055d34030064488b50584885d2488d8298000000488d15ff370300480f44"
	  "c20fb64018c3" },
	{ "omp_get_thread_limit", 0xbce0,
	  "f30f1efa488b059d32030064488b50584885d2488d8298000000488d153f360300480f44"
	  "c2baffffff7f8b401485c00f48c2c3" },
	{ "omp_get_max_active_levels", 0xbd70,
	  "f30f1efa488b050d32030064488b50584885d2488d8298000000488d15af350300480f44"
	  "c20fb64019c3" },
	{ "omp_get_num_teams", 0x30ff0,
	  "f30f1efa8b05aee50000c3" },
	{ "omp_get_team_num", 0x31000,
	  "f30f1efa8b0572e70000c3" },
	{ "omp_get_cancellation", 0xbdb0,
	  "f30f1efa0fb6058d380300c3" },
	{ "omp_get_num_procs", 0x1cdb0,
	  "f30f1efa48833d4c280200008b056e2502007404c30f1f0055534883ec08488b1de32802"
	  "004885db741ee8b1b5feff488b2de22802004889da4889c74889eee8bcb6feff85c07418"
	  "bf54000000e8eeb5feff4883c4085b5dc30f1f8000000000488b35a12802004889efe8f1"
	  "b2feffba0100000085c00f44c2ebd7" },
	{ "GOMP_critical_start", 0xb730,
	  "f30f1efa31c0ba01000000f00fb115853e03007501c389c6488d3d793e0300e91c120100" },
	{ "GOMP_atomic_start", 0xb680,
	  "f30f1efa31c0ba01000000f00fb115313f03007501c389c6488d3d253f0300e9cc120100" },
	{ "omp_get_max_task_priority", 0xbdc0,
	  "f30f1efa8b0576380300c3" },
	{ "omp_get_default_allocator", 0xbf20,
	  "f30f1efa488b055d30030064488b40404885c0480f4405e5330300c3" },
	{ NULL },
};

static const struct fake_code gcc12[] = {
	{ "omp_get_thread_num", 0x142d0,
	  "f30f1efa488b05ad2c0300648b4028c3" },
	{ "omp_get_level", 0x14300,
	  "f30f1efa488b057d2c0300648b402cc3" },
	{ "omp_get_active_level", 0x143c0,
	  "f30f1efa488b05bd2b0300648b4030c3" },
	{ "omp_get_num_threads", 0x142b0,
	  "f30f1efa488b05cd2c030064488b5010b8010000004885d274028b02c3" },
	{ "omp_get_ancestor_thread_num", 0x14310,
	  "f30f1efa85ff7838488b05692c0300648b502c39fa722964480304250000000029fa4883"
	  "c01085d27e12660f1f440000488b004883c00883ea0175f48b4018c3b8ffffffffc3" },
	{ "omp_in_final", 0x1c5b0,
	  "f30f1efa488b05cda9020064488b505831c04885d274070fb682d5000000c3" },
	{ "omp_get_max_threads", 0xe180,
	  "f30f1efa488b05fd8d030064488b50584885d2488d8298000000488d151f920300480f44"
	  "c28b00c3" },
	{ "omp_get_dynamic", 0xdff0,
	  "f30f1efa488b058d8f030064488b50584885d2488d8298000000488d15af930300480f44"
	  "c20fb64018c3" },
	{ "omp_get_thread_limit", 0xe1b0,
	  "f30f1efa488b05cd8d030064488b50584885d2488d8298000000488d15ef910300480f44"
	  "c2baffffff7f8b401485c00f48c2c3" },
	{ "omp_get_max_active_levels", 0xe240,
	  "f30f1efa488b053d8d030064488b50584885d2488d8298000000488d155f910300480f44"
	  "c20fb64019c3" },
	{ "omp_get_num_teams", 0x358a0,
	  "f30f1efa488b05dd160100648b407083c001c3" },
	{ "omp_get_team_num", 0x358c0,
	  "f30f1efa488b05bd160100648b4074c3" },
	{ "omp_get_cancellation", 0xe2c0,
	  "f30f1efa0fb60505940300c3" },
	{ "omp_get_num_procs", 0x1f350,
	  "f30f1efa48833d34830200008b05568002007404c30f1f0055534883ec08488b1de38302"
	  "004885db741ee821b1feff488b2de28302004889da4889c74889eee82cb2feff85c07418"
	  "bf54000000e85eb1feff4883c4085b5dc30f1f8000000000488b35a18302004889efe8c1"
	  "adfeffba0100000085c00f44c2ebd7" },
	{ "GOMP_critical_start", 0xd210,
	  "f30f1efa31c0ba01000000f00fb11525a403007501c389c6488d3d19a40300e9dc1c0100" },
	{ "GOMP_atomic_start", 0xd160,
	  "f30f1efa31c0ba01000000f00fb115d1a403007501c389c6488d3dc5a40300e98c1d0100" },
	{ "omp_get_max_task_priority", 0xe2d0,
	  "f30f1efa8b05ee930300c3" },
	{ "omp_get_default_allocator", 0xe430,
	  "f30f1efa488b054d8b030064488b40404885c0480f44055d8f0300c3" },
	{ "omp_get_max_teams", 0xe290,
	  "f30f1efa8b05de930300c3" },
	{ "omp_get_teams_thread_limit", 0xe2b0,
	  "f30f1efa8b05ba930300c3" },
	{ NULL },
};

static const struct fake_code gcc14[] = {
	{ "omp_get_thread_num", 0x182f0,
	  "f30f1efa488b0585bc0300648b4028c3" },
	{ "omp_get_level", 0x18320,
	  "f30f1efa488b0555bc0300648b402cc3" },
	{ "omp_get_active_level", 0x183e0,
	  "f30f1efa488b0595bb0300648b4030c3" },
	{ "omp_get_num_threads", 0x182d0,
	  "f30f1efa488b05a5bc030064488b5010b8010000004885d274028b02c3" },
	{ "omp_get_ancestor_thread_num", 0x18330,
	  "f30f1efa85ff7838488b0541bc0300648b502c39fa722964480304250000000029fa4883"
	  "c01085d27e12660f1f440000488b004883c00883ea0175f48b4018c3b8ffffffffc3" },
	{ "omp_in_final", 0x20fb0,
	  "f30f1efa488b05c52f030064488b505831c04885d274070fb682dd000000c3" },
	{ "omp_get_max_threads", 0x11cb0,
	  "f30f1efa488b05c522040064488b50584885d2488d82a0000000488d156f270400480f44"
	  "c28b00c3" },
	{ "omp_get_dynamic", 0x11b10,
	  "f30f1efa488b056524040064488b50584885d2488d82a0000000488d150f290400480f44"
	  "c20fb64018c3" },
	{ "omp_get_thread_limit", 0x11ce0,
	  "f30f1efa488b059522040064488b50584885d2488d82a0000000488d153f270400480f44"
	  "c2baffffff7f8b401485c00f48c2c3" },
	{ "omp_get_max_active_levels", 0x11d70,
	  "f30f1efa488b050522040064488b50584885d2488d82a0000000488d15af260400480f44"
	  "c20fb64019c3" },
	{ "omp_get_num_teams", 0x3f4c0,
	  "f30f1efa488b05b54a0100648b407083c001c3" },
	{ "omp_get_team_num", 0x3f4e0,
	  "f30f1efa488b05954a0100648b4074c3" },
	{ "omp_get_cancellation", 0x11db0,
	  "f30f1efa0fb605bd290400c3" },
	{ "omp_get_num_procs", 0x24250,
	  "f30f1efa48833ddc040300008b05be0103007404c30f1f0055534883ec08488b1d830503"
	  "004885db741ee8a172feff488b2d820503004889da4889c74889eee8bc73feff85c07418"
	  "bf54000000e8de72feff4883c4085b5dc30f1f8000000000488b35410503004889efe801"
	  "6ffeffba0100000085c00f44c2ebd7" },
	{ "GOMP_critical_start", 0xe4a0,
	  "f30f1efa31c0ba01000000f00fb115356204007501c389c6488d3d29620400e91c590100" },
	{ "GOMP_atomic_start", 0xe3f0,
	  "f30f1efa31c0ba01000000f00fb115e16204007501c389c6488d3dd5620400e9cc590100" },
	{ "omp_get_max_task_priority", 0x11dc0,
	  "f30f1efa8b05a6290400c3" },
	{ "omp_get_default_allocator", 0x11f20,
	  "f30f1efa488b055520040064488b40404885c0480f4405d5240400c3" },
	{ "omp_get_max_teams", 0x12010,
	  "f30f1efa8b05fe260400c3" },
	{ "omp_get_teams_thread_limit", 0x12030,
	  "f30f1efa8b05da260400c3" },
	{ NULL },
};

static const struct fake_code gcc16[] = {
	{ "omp_get_thread_num", 0x18af0,
	  "f30f1efa488b0585340400648b4028c3" },
	{ "omp_get_level", 0x18b20,
	  "f30f1efa488b0555340400648b402cc3" },
	{ "omp_get_active_level", 0x18be0,
	  "f30f1efa488b0595330400648b4030c3" },
	{ "omp_get_num_threads", 0x18ad0,
	  "f30f1efa488b05a534040064488b5010b8010000004885d274028b02c3" },
	{ "omp_get_ancestor_thread_num", 0x18b30,
	  "f30f1efa85ff7838488b0541340400648b502c39fa722964480304250000000029fa4883"
	  "c01085d27e12660f1f440000488b004883c00883ea0175f48b4018c3b8ffffffffc3" },
	{ "omp_in_final", 0x21d30,
	  "f30f1efa488b0545a2030064488b505831c04885d274070fb682dd000000c3" },
	{ "omp_get_max_threads", 0x11fd0,
	  "f30f1efa488b05a59f040064488b50584885d2488d82a0000000488d156fa40400480f44"
	  "c28b00c3" },
	{ "omp_get_dynamic", 0x11db0,
	  "f30f1efa488b05c5a1040064488b50584885d2488d82a0000000488d158fa60400480f44"
	  "c20fb64018c3" },
	{ "omp_get_thread_limit", 0x12000,
	  "f30f1efa488b05759f040064488b50584885d2488d82a0000000488d153fa40400480f44"
	  "c2baffffff7f8b401439d00f47c2c3" },
	{ "omp_get_max_active_levels", 0x120a0,
	  "f30f1efa488b05d59e040064488b50584885d2488d82a0000000488d159fa30400480f44"
	  "c20fb64019c3" },
	{ "omp_get_num_teams", 0x44220,
	  "f30f1efa488b05557d0100648b407083c001c3" },
	{ "omp_get_team_num", 0x44240,
	  "f30f1efa488b05357d0100648b4074c3" },
	{ "omp_get_cancellation", 0x120e0,
	  "f30f1efa0fb6050da70400c3" },
	{ "omp_get_num_procs", 0x25210,
	  "f30f1efa48833d9c75030000740a8b051c720300c30f1f004883ec18488b154576030048"
	  "85d2742f48895c2410488b1d447603004889542408e81263feff488b5424084889de4889"
	  "c7e83264feff85c0741e488b5c2410bf54000000e84f63feff4883c418c3662e0f1f8400"
	  "00000000488b35f17503004889dfe8515ffeffba" },
	{ "GOMP_critical_start", 0xe530,
	  "f30f1efa31c0ba01000000f00fb11525e204007501c389c6488d3d19e20400e94c680100" },
	{ "GOMP_atomic_start", 0xe480,
	  "f30f1efa31c0ba01000000f00fb115d1e204007501c389c6488d3dc5e20400e9fc680100" },
	{ "omp_get_max_task_priority", 0x120f0,
	  "f30f1efa8b05f6a60400c3" },
	{ "omp_get_default_allocator", 0x12290,
	  "f30f1efa488b05e59c040064488b40404885c0480f440585a10400c3" },
	{ "omp_get_max_teams", 0x123a0,
	  "f30f1efa8b05eea30400c3" },
	{ "omp_get_teams_thread_limit", 0x123c0,
	  "f30f1efa8b05caa30400c3" },
	{ NULL },
};
/* clang-format on */

const struct fake_release fake_releases[FAKE_NUM_RELEASES] = {
	{ 10, "GOMP_5.0", gcc10, 0x3efa8, 0x3f3e0, 0x3f668 },
	{ 11, "GOMP_5.0.1", gcc11, 0x3ef88, 0x3f340, 0x3f5c8 },
	{ 12, "GOMP_5.1", gcc12, 0x46f88, 0x473c0, 0x47648 },
	{ 14, "GOMP_5.1.2", gcc14, 0x53f80, 0x54440, 0x546e8 },
	{ 16, "GOMP_6.0.1", gcc16, 0x5bf80, 0x5c460, 0x5c768 },
};

enum { DYNAMIC = 0x200, VERDEFS = 0x400, STRINGS = 0x1000 };

static long live_memory;

static void add_code(struct fake_libgomp *f, const struct fake_code *code)
{
	unsigned byte;

	for (size_t i = 0; sscanf(code->hex + 2 * i, "%2x", &byte) == 1; i++)
		f->image[code->address + i] = (uint8_t)byte;
}

static void add_nodes(struct fake_libgomp *f, const char *const *nodes)
{
	uint8_t *at = f->image + VERDEFS;
	uint32_t string = 1;
	Elf64_Xword n = 0;

	for (; nodes[n]; n++) {
		Elf64_Verdef def = { 1, 0, (Elf64_Half)(n + 1), 1, 0, sizeof(def), 0 };
		Elf64_Verdaux name = { string, 0 };

		def.vd_next = nodes[n + 1] ? sizeof(def) + sizeof(name) : 0;
		memcpy(at, &def, sizeof(def));
		memcpy(at + sizeof(def), &name, sizeof(name));
		at += sizeof(def) + sizeof(name);
		strcpy((char *)f->image + STRINGS + string, nodes[n]);
		string += (uint32_t)strlen(nodes[n]) + 1;
	}
	/* As the dynamic linker leaves them: one address made absolute, the other as in the file.
	 */
	Elf64_Dyn dynamic[] = { { DT_STRTAB, { FAKE_BASE + STRINGS } },
				{ DT_VERDEF, { VERDEFS } },
				{ DT_VERDEFNUM, { n } },
				{ DT_NULL, { 0 } } };

	memcpy(f->image + DYNAMIC, dynamic, sizeof(dynamic));
}

void fake_libgomp_init(struct fake_libgomp *f, const struct fake_release *release,
		       const char *const *nodes)
{
	Elf64_Ehdr head = { .e_type = ET_DYN,
			    .e_machine = EM_X86_64,
			    .e_phoff = sizeof(head),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 2 };
	Elf64_Phdr segments[] = {
		{ PT_LOAD, PF_R | PF_X, 0, 0, 0, FAKE_IMAGE, FAKE_IMAGE, 4096 },
		{ PT_DYNAMIC, PF_R, DYNAMIC, DYNAMIC, DYNAMIC, 256, 256, 8 },
	};
	int64_t tpoff = FAKE_TPOFF;

	memset(f, 0, sizeof(*f));
	f->release = release;
	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = ELFCLASS64;
	head.e_ident[EI_DATA] = ELFDATA2LSB;
	memcpy(f->image, &head, sizeof(head));
	memcpy(f->image + sizeof(head), segments, sizeof(segments));
	if (nodes)
		add_nodes(f, nodes);
	for (const struct fake_code *c = release->code; c->name; c++)
		add_code(f, c);
	memcpy(f->image + release->slot, &tpoff, sizeof(tpoff));
}

static ompd_rc_t alloc_memory(ompd_size_t nbytes, void **ptr)
{
	*ptr = malloc(nbytes);
	live_memory += *ptr != NULL;
	return *ptr ? ompd_rc_ok : ompd_rc_nomem;
}

static ompd_rc_t free_memory(void *ptr)
{
	live_memory--;
	free(ptr);
	return ompd_rc_ok;
}

static ompd_rc_t symbol_addr(ompd_address_space_context_t *context, ompd_thread_context_t *th,
			     const char *name, ompd_address_t *ret, const char *file_name)
{
	const struct fake_libgomp *f = (const struct fake_libgomp *)context;
	const struct fake_code *c = f->release->code;

	(void)file_name;
	if (th || (f->missing && !strcmp(f->missing, name)))
		return ompd_rc_error;
	while (c->name && strcmp(c->name, name))
		c++;
	if (!c->name && strcmp(name, "GOMP_parallel"))
		return ompd_rc_error;
	*ret = (ompd_address_t){ 0, FAKE_BASE + (c->name ? c->address : 0x8000) };
	return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *th,
			     const ompd_address_t *from, ompd_size_t nbytes, void *ret)
{
	struct fake_libgomp *f = (struct fake_libgomp *)context;
	uint64_t at = from->address - FAKE_BASE;

	(void)th;
	f->reads++;
	if (at < FAKE_IMAGE && nbytes <= FAKE_IMAGE - at) {
		memcpy(ret, f->image + at, nbytes);
		return ompd_rc_ok;
	}
	return f->read && f->read(f->context, from->address, ret, nbytes) ? ompd_rc_ok
									  : ompd_rc_error;
}

const ompd_callbacks_t *fake_libgomp_callbacks(void)
{
	static const ompd_callbacks_t callbacks = {
		.alloc_memory = alloc_memory,
		.free_memory = free_memory,
		.symbol_addr_lookup = symbol_addr,
		.read_memory = read_memory,
	};

	return &callbacks;
}

long fake_libgomp_live_memory(void)
{
	return live_memory;
}
