/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_layout.h"

#include <string.h>

enum {
	OFFSET_MOST = 0x4000, /* no structure is larger */
	POINTER = 8,
};

/* The members that libompd looks at, and their size where it is the same in all builds, else 0. */
#define MEMBERS(X)                                                                                 \
	X(kmp_base_info_t, th_current_task, POINTER)                                               \
	X(kmp_base_info_t, th_team, POINTER)                                                       \
	X(kmp_base_info_t, th_info, 0)                                                             \
	X(kmp_base_info_t, ompt_thread_info, 0)                                                    \
	X(kmp_base_root_t, r_in_parallel, 4)                                                       \
	X(kmp_base_team_t, ompt_team_info, 0)                                                      \
	X(kmp_base_team_t, ompt_serialized_team_info, POINTER)                                     \
	X(kmp_base_team_t, t_active_level, 4)                                                      \
	X(kmp_base_team_t, t_implicit_task_taskdata, POINTER)                                      \
	X(kmp_base_team_t, t_master_tid, 4)                                                        \
	X(kmp_base_team_t, t_nproc, 4)                                                             \
	X(kmp_base_team_t, t_level, 4)                                                             \
	X(kmp_base_team_t, t_parent, POINTER)                                                      \
	X(kmp_base_team_t, t_pkfn, POINTER)                                                        \
	X(kmp_base_team_t, t_threads, POINTER)                                                     \
	X(kmp_desc_t, ds, 0)                                                                       \
	X(kmp_desc_base_t, ds_thread, POINTER)                                                     \
	X(kmp_desc_base_t, ds_tid, 4)                                                              \
	X(kmp_info_t, th, 0)                                                                       \
	X(kmp_r_sched_t, r_sched_type, 4)                                                          \
	X(kmp_r_sched_t, chunk, 4)                                                                 \
	X(kmp_root_t, r, 0)                                                                        \
	X(kmp_internal_control_t, dynamic, 0)                                                      \
	X(kmp_internal_control_t, max_active_levels, 0)                                            \
	X(kmp_internal_control_t, nproc, 0)                                                        \
	X(kmp_internal_control_t, proc_bind, 0)                                                    \
	X(kmp_internal_control_t, sched, 0)                                                        \
	X(kmp_internal_control_t, default_device, 0)                                               \
	X(kmp_internal_control_t, thread_limit, 0)                                                 \
	X(kmp_taskdata_t, ompt_task_info, 0)                                                       \
	X(kmp_taskdata_t, td_flags, 0)                                                             \
	X(kmp_taskdata_t, td_icvs, 0)                                                              \
	X(kmp_taskdata_t, td_parent, POINTER)                                                      \
	X(kmp_taskdata_t, td_team, POINTER)                                                        \
	X(kmp_task_t, routine, POINTER)                                                            \
	X(kmp_team_p, t, 0)                                                                        \
	X(kmp_nested_nthreads_t, used, 4)                                                          \
	X(kmp_nested_nthreads_t, nth, POINTER)                                                     \
	X(kmp_nested_proc_bind_t, used, 4)                                                         \
	X(kmp_nested_proc_bind_t, bind_types, POINTER)                                             \
	X(ompt_task_info_t, frame, 0)                                                              \
	X(ompt_task_info_t, scheduling_parent, POINTER)                                            \
	X(ompt_task_info_t, task_data, 8)                                                          \
	X(ompt_team_info_t, parallel_data, 8)                                                      \
	X(ompt_thread_info_t, state, 4)                                                            \
	X(ompt_thread_info_t, wait_id, 8)                                                          \
	X(ompt_thread_info_t, thread_data, 8)                                                      \
	X(ompt_data_t, value, 8)                                                                   \
	X(ompt_data_t, ptr, POINTER)                                                               \
	X(ompt_frame_t, exit_frame, 8)                                                             \
	X(ompt_frame_t, enter_frame, 8)                                                            \
	X(ompt_lw_taskteam_t, parent, POINTER)                                                     \
	X(ompt_lw_taskteam_t, ompt_team_info, 0)                                                   \
	X(ompt_lw_taskteam_t, ompt_task_info, 0)

#define BITS(X)                                                                                    \
	X(final)                                                                                   \
	X(tiedness)                                                                                \
	X(tasktype)                                                                                \
	X(task_serial)                                                                             \
	X(tasking_ser)                                                                             \
	X(team_serial)                                                                             \
	X(started)                                                                                 \
	X(executing)                                                                               \
	X(complete)                                                                                \
	X(freed)                                                                                   \
	X(native)

/* Types and variables with their size where it is the same in all builds, else 0. */
#define SIZES(X)                                                                                   \
	X(kmp_info_t, 0)                                                                           \
	X(kmp_taskdata_t, 0)                                                                       \
	X(kmp_task_t, 0)                                                                           \
	X(kmp_tasking_flags_t, 4)                                                                  \
	X(kmp_thread_t, 8)                                                                         \
	X(ompt_data_t, 8)                                                                          \
	X(ompt_id_t, 8)                                                                            \
	X(__kmp_avail_proc, 4)                                                                     \
	X(__kmp_max_nth, 4)                                                                        \
	X(__kmp_stksize, 8)                                                                        \
	X(__kmp_omp_cancellation, 4)                                                               \
	X(__kmp_max_task_priority, 4)                                                              \
	X(__kmp_display_affinity, 4)                                                               \
	X(__kmp_affinity_format, POINTER)                                                          \
	X(__kmp_tool_libraries, POINTER)                                                           \
	X(__kmp_tool_verbose_init, POINTER)                                                        \
	X(__kmp_tool, 4)                                                                           \
	X(ompd_state, 8)                                                                           \
	X(kmp_nested_nthreads_t, 0)                                                                \
	X(__kmp_nested_nth, 0)                                                                     \
	X(kmp_nested_proc_bind_t, 0)                                                               \
	X(__kmp_nested_proc_bind, 0)                                                               \
	X(int, 4)                                                                                  \
	X(char, 1)                                                                                 \
	X(__kmp_gtid, 4)                                                                           \
	X(__kmp_nth, 4)

/* What a word says decides what it may be. */
enum kind { OFFSET, SIZE, BIT };

static const struct {
	const char *name;
	enum kind kind;
	uint16_t size; /* of SIZE: what it must be; 0: anything reasonable */
} words[] = {
#define OFFSET_OF(type, member, size)      { "ompd_access__" #type "__" #member, OFFSET, 0 },
#define SIZE_OF_MEMBER(type, member, size) { "ompd_sizeof__" #type "__" #member, SIZE, size },
#define BIT_OF_FLAGS(bit)                  { "ompd_bitfield__kmp_tasking_flags_t__" #bit, BIT, 0 },
#define SIZE_OF(name, size)                { "ompd_sizeof__" #name, SIZE, size },
	MEMBERS(OFFSET_OF) MEMBERS(SIZE_OF_MEMBER) BITS(BIT_OF_FLAGS) SIZES(SIZE_OF)
};

_Static_assert(sizeof(words) / sizeof(*words) == LIBOMP_LAYOUT_WORDS, "as libomp has them");

const char *libomp_layout_name(size_t word)
{
	return words[word].name;
}

static bool is_one_bit(uint64_t value)
{
	return value && value <= UINT32_MAX && !(value & (value - 1));
}

bool libomp_layout_fits(size_t word, uint64_t value)
{
	switch (words[word].kind) {
	case OFFSET:
		return value < OFFSET_MOST;
	case SIZE:
		return words[word].size ? value == words[word].size
					: value > 0 && value <= OFFSET_MOST;
	case BIT:
		return is_one_bit(value);
	}
	return false;
}

/* From the last word on: the sizes there tell what is none sooner than offsets do. */
static bool fit_all(const uint64_t *memory, const struct libomp_layout_place *place)
{
	for (size_t word = LIBOMP_LAYOUT_WORDS; word-- > 0;) {
		if (!libomp_layout_fits(word, memory[libomp_layout_index(place, word)]))
			return false;
	}
	return true;
}

bool libomp_layout_find(const uint64_t *memory, size_t n, size_t from,
			struct libomp_layout_place *ret, size_t *ret_next)
{
	for (size_t i = from; i < n && n - i >= LIBOMP_LAYOUT_WORDS; i++) {
		const struct libomp_layout_place ways[] = { { i, 1 },
							    { i + LIBOMP_LAYOUT_WORDS - 1, -1 } };
		for (size_t way = 0; way < 2; way++) {
			if (!fit_all(memory, &ways[way]))
				continue;
			*ret = ways[way];
			*ret_next = i + 1;
			return true;
		}
	}
	return false;
}

uint64_t libomp_layout_pthread(const uint64_t values[LIBOMP_LAYOUT_WORDS])
{
	static const char *const path[] = {
		"ompd_access__kmp_info_t__th",
		"ompd_access__kmp_base_info_t__th_info",
		"ompd_access__kmp_desc_t__ds",
		"ompd_access__kmp_desc_base_t__ds_thread",
	};
	uint64_t offset = 0;

	for (size_t i = 0; i < sizeof(path) / sizeof(*path); i++) {
		size_t word = 0;
		while (strcmp(words[word].name, path[i]) != 0)
			word++;
		offset += values[word];
	}
	return offset;
}
