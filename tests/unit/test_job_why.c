/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What follows from reports of ranks, and reports that make no sense. */
#include "debugger/job/job_why.h"

#include "debugger/output/format_job.h"
#include "debugger/output/format_outline.h"
#include "unit.h"

enum { RANKS_MAX = 4 };

#define VERDICT(verdict, summary, cause, rest)                                                     \
	"{\"v\":1,\"verdict\":\"" verdict "\",\"confidence\":\"certain\",\"summary\":\"" summary   \
	"\",\"cause\":" cause "," rest "}"
#define CAUSE(reason) "{\"thread\":\"0.1\",\"where\":\"f at a.c:1\",\"reason\":\"" reason "\"}"
#define COMPUTES      VERDICT("progressing", "Not hung: it computes.", CAUSE("computes"), "\"calls\":[]")
#define READS         VERDICT("waiting", "Waiting: for input.", CAUSE("is in read(0)"), "\"calls\":[]")
#define STUCK         VERDICT("deadlock", "Deadlock: f and g.", CAUSE("waits for lock 'L'"), "\"calls\":[]")
#define CALL(name, peer, tag, comm)                                                                \
	"{\"thread\":\"\",\"name\":\"" name "\",\"where\":\"x at a.c:2\",\"peer\":" peer           \
	",\"tag\":" tag ",\"comm\":\"" comm "\"}"
#define EXCHANGE(from, tag, to, to_tag)                                                            \
	IN("false",                                                                                \
	   "{\"thread\":\"\",\"name\":\"MPI_Sendrecv\",\"where\":\"x at a.c:2\",\"peer\":" from    \
	   ",\"tag\":" tag ",\"to\":" to ",\"to_tag\":" to_tag ",\"comm\":\"world\"}")
#define IN(moved, call)                                                                            \
	VERDICT("idle", "Not in OpenMP: it is in MPI.", "null",                                    \
		"\"moved\":" moved ",\"decides\":0,\"calls\":[" call "]")
#define ONCE(call)                                                                                 \
	VERDICT("idle", "Not in OpenMP: it is in MPI.", "null",                                    \
		"\"looks\":1,\"moved\":false,\"decides\":0,\"calls\":[" call "]")
#define UNCOUNTED(call)                                                                            \
	VERDICT("idle", "Not in OpenMP: it is in MPI.", "null",                                    \
		"\"uncounted\":true,\"decides\":0,\"calls\":[" call "]")
#define TWO(threads, first, second)                                                                \
	VERDICT("idle", "x", "null",                                                               \
		"\"decides\":0,\"threads\":" threads ",\"calls\":[" first "," second "]")
#define ROOTED(name, root) IN("false", CALL(name, root, "-100", "world"))
#define COLLECTIVE(name)   IN("false", CALL(name, "-100", "-100", "world"))
#define OTHERS(name)       IN("false", CALL(name, "-100", "-100", "other"))
#define RECV(peer, tag)    IN("false", CALL("MPI_Recv", peer, tag, "world"))
#define SEND(peer, tag)    IN("false", CALL("MPI_Send", peer, tag, "world"))

static const struct row {
	const char *reports[RANKS_MAX]; /* "": that rank could not be looked at */
	size_t missing;
	enum why_verdict verdict;
	enum job_class class;
	const char *summary; /* begins so */
	const char *blamed;  /* ranks to blame first */
} rows[] = {
	{ { COLLECTIVE("MPI_Barrier"), STUCK, COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_DEADLOCK,
	  JOB_RANK,
	  "Deadlock: in rank 1 f and g; 2 ranks wait in calls of MPI.",
	  "rank 1" },
	{ { COLLECTIVE("MPI_Barrier"), READS },
	  0,
	  WHY_WAITING,
	  JOB_OUTSIDE,
	  "Waiting: rank 1 is in read(0) in f at a.c:1; 1 rank waits in calls of MPI.",
	  "rank 1" },
	{ { COMPUTES, COLLECTIVE("MPI_Barrier"), COMPUTES },
	  0,
	  WHY_PROGRESSING,
	  JOB_IMBALANCE,
	  "Not hung: rank 0 computes in f at a.c:1, and 1 more; 1 rank waits",
	  "ranks 0,2" },
	/* A rank that reads decides, not one that computes. */
	{ { COMPUTES, READS }, 0, WHY_WAITING, JOB_OUTSIDE, "Waiting: rank 1", "rank 1" },
	{ { COLLECTIVE("MPI_Barrier"), "", COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: rank 1 could not be looked at; 2 ranks wait",
	  "rank 1" },
	{ { COLLECTIVE("MPI_Barrier"), COLLECTIVE("MPI_Barrier") },
	  1,
	  WHY_STUCK,
	  JOB_GONE,
	  "Probably stuck: rank 2 has ended; 2 ranks wait",
	  "ranks 0,1" },
	/* Who has finalized may end before others. */
	{ { COLLECTIVE("MPI_Finalize"), COLLECTIVE("MPI_Finalize") },
	  1,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all ranks are in MPI_Finalize()",
	  "ranks 0,1" },
	{ { COLLECTIVE("MPI_Barrier"), COLLECTIVE("PMPI_Bcast"), COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_DEADLOCK,
	  JOB_COLLECTIVE,
	  "Probably a deadlock: rank 1 is in PMPI_Bcast() in x at a.c:2 while 2 ranks are in "
	  "MPI_Barrier().",
	  "rank 1" },
	{ { COLLECTIVE("MPI_Barrier"), COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all ranks are in MPI_Barrier()",
	  "ranks 0,1" },
	/* One that moves is no deadlock. */
	{ { COLLECTIVE("MPI_Barrier"), IN("true", CALL("MPI_Bcast", "-100", "-100", "world")) },
	  0,
	  WHY_PROGRESSING,
	  JOB_NONE,
	  "Not hung: ranks go on",
	  "rank 0" },
	{ { RECV("1", "7"), RECV("2", "7"), RECV("0", "7") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 0 waits for rank 1, which waits for rank 2, which waits for "
	  "rank 0.",
	  "rank 0" },
	/* What is sent and received is on its way. */
	{ { RECV("1", "7"), SEND("0", "7") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all",
	  "rank 0" },
	{ { RECV("1", "-101"), SEND("0", "3") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all",
	  "rank 0" },
	{ { RECV("1", "7"), SEND("0", "8") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 0 waits for rank 1, which waits for rank 0.",
	  "rank 0" },
	{ { RECV("-101", "7"), RECV("0", "7") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all",
	  "rank 0" },
	{ { RECV("1", "7"), COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 0 waits for rank 1, which",
	  "rank 0" },
	/* Two wait for each other, whatever a third one does. */
	{ { COMPUTES, RECV("2", "1"), RECV("1", "1") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 1 waits for rank 2, which waits for rank 1.",
	  "rank 1" },
	/* A circle that does not begin at the first that is stuck. */
	{ { RECV("1", "1"), RECV("2", "1"), RECV("1", "1") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 1 waits for rank 2, which waits for rank 1.",
	  "rank 1" },
	/* Ranks of another communicator are other ranks. */
	{ { IN("false", CALL("MPI_Recv", "1", "7", "other")), RECV("0", "7") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all",
	  "rank 0" },
	{ { IN("false", CALL("MPI_Barrier", "-100", "-100", "unknown")), COLLECTIVE("MPI_Bcast") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all",
	  "rank 0" },
	{ { TWO("1", CALL("MPI_Recv", "1", "7", "world"), CALL("MPI_Send", "1", "7", "world")),
	    COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_STUCK,
	  JOB_THREADS,
	  "Probably stuck: 2 threads of rank 0 are in MPI at the same time, which "
	  "MPI_THREAD_FUNNELED does not allow.",
	  "rank 0" },
	/* To ask for the time does no harm. */
	{ { TWO("0", CALL("MPI_Recv", "1", "7", "world"),
		CALL("MPI_Wtime", "-100", "-100", "unknown")),
	    COMPUTES },
	  0,
	  WHY_PROGRESSING,
	  JOB_IMBALANCE,
	  "Not hung: rank 1 computes in f at a.c:1; 1 rank waits",
	  "rank 1" },
	/* Another thread sends what is waited for. */
	{ { TWO("3", CALL("MPI_Recv", "1", "1", "world"), CALL("MPI_Send", "1", "2", "world")),
	    RECV("0", "2") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all",
	  "rank 0" },
	/* Who is not the root may be past a Reduce, for which the root waits for one that computes.
	 */
	{ { ROOTED("MPI_Reduce", "0"), COLLECTIVE("MPI_Barrier"), COMPUTES },
	  0,
	  WHY_PROGRESSING,
	  JOB_IMBALANCE,
	  "Not hung: rank 2 computes in f at a.c:1; 2 ranks wait in calls of MPI.",
	  "rank 2" },
	/* So may be who gets nothing in an Alltoallv. */
	{ { COLLECTIVE("MPI_Barrier"), COLLECTIVE("MPI_Alltoallv"), COMPUTES },
	  0,
	  WHY_PROGRESSING,
	  JOB_IMBALANCE,
	  "Not hung: rank 2 computes in f at a.c:1; 2 ranks wait in calls of MPI.",
	  "rank 2" },
	/* From an Allreduce nobody goes on before all are there. */
	{ { COLLECTIVE("MPI_Allreduce"), COLLECTIVE("MPI_Barrier"), COMPUTES },
	  0,
	  WHY_DEADLOCK,
	  JOB_COLLECTIVE,
	  "Probably a deadlock: rank 0 is in MPI_Allreduce()",
	  "rank 0" },
	{ { ROOTED("MPI_Reduce", "0"), COLLECTIVE("MPI_Barrier"), COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_DEADLOCK,
	  JOB_COLLECTIVE,
	  "Probably a deadlock: rank 0 is in MPI_Reduce() with root 0 in x at a.c:2 while 2 ranks "
	  "are "
	  "in MPI_Barrier().",
	  "rank 0" },
	{ { ROOTED("MPI_Bcast", "0"), ROOTED("MPI_Bcast", "1"), ROOTED("MPI_Bcast", "0") },
	  0,
	  WHY_DEADLOCK,
	  JOB_COLLECTIVE,
	  "Probably a deadlock: rank 1 is in MPI_Bcast() with root 1 in x at a.c:2 while 2 ranks "
	  "are in "
	  "MPI_Bcast() with root 0.",
	  "rank 1" },
	{ { ROOTED("MPI_Bcast", "0"), ROOTED("MPI_Bcast", "-100") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all ranks are in MPI_Bcast(), which they may be about to leave.",
	  "rank 0" },
	/* What each sends is what the next one waits for. */
	{ { EXCHANGE("2", "0", "1", "0"), EXCHANGE("0", "0", "2", "0"),
	    EXCHANGE("1", "0", "0", "0") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all",
	  "rank 0" },
	/* Rank 1 sends something else: it may be stuck with that, while it has got what it wants.
	 */
	{ { EXCHANGE("1", "0", "1", "0"), EXCHANGE("0", "0", "0", "5") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 0 waits for rank 1, which waits for rank 0.",
	  "rank 0" },
	{ { EXCHANGE("1", "0", "2", "0"), EXCHANGE("0", "0", "2", "0"), COMPUTES },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 0 waits for rank 1, which waits for rank 0.",
	  "rank 0" },
	/* They may be exchanging messages all the time. */
	{ { UNCOUNTED(CALL("MPI_Recv", "1", "7", "world")), RECV("0", "7") },
	  0,
	  WHY_UNKNOWN,
	  JOB_MESSAGE,
	  "Not known: rank 0 waits for rank 1, which waits for rank 0.",
	  "rank 0" },
	{ { COLLECTIVE("MPI_Barrier"), RECV("1", "5"), COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 1 waits for itself.",
	  "rank 1" },
	/* Who is in a barrier may have left a reduction early: it does not keep the root waiting.
	 */
	{ { ROOTED("MPI_Reduce", "0"), COLLECTIVE("MPI_Barrier"), RECV("0", "1") },
	  0,
	  WHY_DEADLOCK,
	  JOB_MESSAGE,
	  "Probably a deadlock: rank 0 waits for rank 2, which waits for rank 0.",
	  "rank 0" },
	/* A barrier of another communicator is another one. */
	{ { COLLECTIVE("MPI_Barrier"), COLLECTIVE("MPI_Allreduce"), OTHERS("MPI_Barrier"),
	    COLLECTIVE("MPI_Barrier") },
	  0,
	  WHY_DEADLOCK,
	  JOB_COLLECTIVE,
	  "Probably a deadlock: rank 1 is in MPI_Allreduce() in x at a.c:2 while 2 ranks are in "
	  "MPI_Barrier().",
	  "rank 1" },
	{ { COLLECTIVE("MPI_Barrier"), OTHERS("MPI_Barrier") },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: all ranks are in calls of MPI, and for whom",
	  "rank 0" },
	/* One look does not show whether they go on. */
	{ { ONCE(CALL("MPI_Recv", "1", "7", "world")), ONCE(CALL("MPI_Recv", "0", "7", "world")) },
	  0,
	  WHY_UNKNOWN,
	  JOB_NONE,
	  "Not known: rank 0 waits for rank 1, which waits for rank 0.",
	  "rank 0" },
};

static const struct {
	const char *name;
	enum mpi_kind kind;
} functions[] = {
	{ "MPI_Allreduce", MPI_COLLECTIVE },
	{ "PMPI_Allreduce_c", MPI_COLLECTIVE },
	{ "MPI_Dist_graph_create_adjacent", MPI_COLLECTIVE },
	{ "MPI_Win_allocate_shared", MPI_COLLECTIVE },
	{ "MPI_Neighbor_alltoallw", MPI_ROOTED },
	{ "MPI_File_write_at_all", MPI_ROOTED },
	{ "MPI_Waitall", MPI_WAIT },
	{ "MPI_Win_flush_local", MPI_WAIT },
	{ "MPI_Waitall_co", MPI_OTHER },
	{ "MPI_Iallreduce", MPI_OTHER },
	{ "MPI_Wtime", MPI_OTHER },
	{ "MPI_", MPI_OTHER },
};

START_TEST(functions_are_known_by_all_their_names)
{
	ck_assert_int_eq(mpi_kind_of(functions[_i].name), functions[_i].kind);
}
END_TEST

START_TEST(verdicts_on_ranks_are_joined)
{
	const struct row *row = &rows[_i];
	struct report reports[RANKS_MAX] = { 0 };
	struct rank_report ranks[RANKS_MAX];
	AUTO_OUTLINE outline = { 0 };
	AUTO(job_why_fini) struct job_why why = { 0 };
	AUTO_BUF who = { 0 };
	size_t n = 0;

	for (; n < RANKS_MAX && row->reports[n]; n++) {
		const char *text = row->reports[n];
		if (*text)
			ck_assert_ptr_null(
				report_read(text, strlen(text), (long)n, &reports[n], &outline));
		ranks[n] = (struct rank_report){ (int)n, &reports[n] };
	}
	ck_assert_ptr_null(job_why_find(ranks, n, row->missing, true, &why));
	ck_assert_int_eq(why.verdict, row->verdict);
	ck_assert_int_eq(why.class, row->class);
	ck_assert_msg(!strncmp(why.summary, row->summary, strlen(row->summary)), "%s", why.summary);
	ck_assert_uint_gt(why.blame.len, 0);
	job_link_add_ranks(&who, why.blame.items);
	ck_assert_str_eq(buf_text(&who), row->blamed);
	for (size_t i = 0; i < n; i++)
		report_fini(&reports[i]);
}
END_TEST

/* A node for those that do the same; one that is in the way of itself waits for none. */
START_TEST(who_waits_for_whom_is_a_graph)
{
	static const char *const texts[] = { COLLECTIVE("MPI_Barrier"), STUCK, RECV("0", "7"),
					     COLLECTIVE("MPI_Barrier") };
	const struct style style = { 0 };
	struct report reports[RANKS_MAX] = { 0 };
	struct rank_report ranks[RANKS_MAX];
	AUTO_OUTLINE outline = { 0 };
	AUTO(job_why_fini) struct job_why why = { 0 };
	AUTO_BUF text = { 0 }, dot = { 0 };

	for (size_t i = 0; i < RANKS_MAX; i++) {
		ck_assert_ptr_null(
			report_read(texts[i], strlen(texts[i]), (long)i, &reports[i], &outline));
		ranks[i] = (struct rank_report){ (int)i, &reports[i] };
	}
	ck_assert_ptr_null(job_why_find(ranks, RANKS_MAX, 0, true, &why));
	format_job_graph(&text, &why, &style);
	ck_assert_str_eq(buf_text(&text),
			 "\nwho waits for whom\n"
			 "  ranks 0,3       x at a.c:2  is in MPI_Barrier()\n"
			 "    +- wait for rank 1\n"
			 "    `- wait for rank 2\n"
			 "  rank 1     0.1  f at a.c:1  waits for lock 'L'\n"
			 "  rank 2          x at a.c:2  is in MPI_Recv() from rank 0, tag 7\n"
			 "    `- waits for ranks 0,3\n");
	format_job_dot(&dot, &why);
	ck_assert_str_eq(
		buf_text(&dot),
		"digraph why {\n"
		"\tn0 [shape=box, label=\"ranks 0,3\\nx at a.c:2\\nis in MPI_Barrier()\"];\n"
		"\tn1 [shape=box, label=\"rank 1, thread 0.1\\nf at a.c:1\\nwaits for lock "
		"'L'\"];\n"
		"\tn2 [shape=box, label=\"rank 2\\nx at a.c:2\\nis in MPI_Recv() from rank 0, tag "
		"7\"];\n"
		"\tn0 -> n1 [label=\"waits for\", style=dashed];\n"
		"\tn0 -> n2 [label=\"waits for\", style=dashed];\n"
		"\tn2 -> n0 [label=\"waits for\", style=dashed];\n"
		"}\n");
	for (size_t i = 0; i < RANKS_MAX; i++)
		report_fini(&reports[i]);
}
END_TEST

#define LINES(...) "{\"v\":1,\"lines\":[" __VA_ARGS__ "]}"

/* Of what came before them something may be kept: no memory is lost. */
static const char *const senseless[] = {
	"",
	"null",
	"[]",
	"{}",
	"{\"v\":2}",
	"{\"v\":1",
	"{\"v\":1,\"v\":1}",
	LINES("[]"),
	LINES("1"),
	LINES("[2,0,\"f\",\"\",\"0.0\",1]"),
	LINES("[1,0,\"f\",\"\",\"0.0\",1],[3,0,\"g\",\"\",\"0.0\",1]"),
	LINES("[-1,0,\"f\",\"\",\"0.0\",1]"),
	LINES("[1,9,\"f\",\"\",\"0.0\",1]"),
	LINES("[1,0,\"f\",\"\",\"0.0\",0]"),
	LINES("[1,0,\"f\",\"\",\"0.0\",1e9]"),
};

START_TEST(senseless_reports_are_refused)
{
	struct report r = { 0 };
	AUTO_OUTLINE outline = { 0 };

	ck_assert_error(report_read(senseless[_i], strlen(senseless[_i]), 0, &r, &outline),
			ERROR_BAD_DATA, "makes no sense");
	report_fini(&r);
}
END_TEST

/* Of other types, out of range, and fit for no terminal. */
START_TEST(what_is_odd_in_reports_does_no_harm)
{
	static const char text[] =
		"{\"v\":1,\"verdict\":\"nonsense\",\"confidence\":7,\"summary\":\"a\\u001b[2Jb\","
		"\"cause\":{\"thread\":[],\"where\":3},\"decides\":4,\"threads\":99,\"notes\":[1,"
		"\"n\"],"
		"\"calls\":[{\"name\":\"MPI_Recv\",\"peer\":-7000,\"tag\":9e99},17]}";
	struct report r = { 0 };
	AUTO_OUTLINE outline = { 0 };

	ck_assert_ptr_null(report_read(text, sizeof(text) - 1, 0, &r, &outline));
	ck_assert_int_eq(r.verdict, WHY_UNKNOWN);
	ck_assert_int_eq(r.confidence, WHY_GUESS);
	ck_assert_str_eq(r.summary, "a\\x1b[2Jb");
	ck_assert_str_eq(r.where, "");
	ck_assert_ptr_null(report_decisive(&r));
	ck_assert_int_eq(r.threads, MPI_THREADS_UNKNOWN);
	ck_assert_uint_eq(r.notes.len, 2);
	ck_assert_int_eq(r.calls.items[0].peer, MPI_NUMBER_UNKNOWN);
	ck_assert_int_eq(r.calls.items[1].kind, MPI_OTHER);
	report_fini(&r);
}
END_TEST

/* Ranks in any order; what fewest threads do comes first. */
START_TEST(outlines_of_ranks_are_one_tree)
{
	static const char most[] = LINES("[1,0,\"main\",\"at a.c:9\",\"0.[0,1]\",2],"
					 "[2,1,\"region\",\"\",\"0.[0,1]\",2],"
					 "[3,2,\"waits\",\"\",\"0.[0,1]\",2]");
	static const char odd[] = LINES("[1,0,\"main\",\"at a.c:9\",\"0.[0,1]\",2],"
					"[2,0,\"work\",\"at a.c:3\",\"0.[0,1]\",2],"
					"[3,0,\"work\",\"at a.c:3\",\"0.[0,1]\",2],"
					"[4,0,\"work\",\"at a.c:3\",\"0.[0,1]\",2],"
					"[5,0,\"work\",\"at a.c:3\",\"0.[0,1]\",2],"
					"[6,2,\"computes\",\"\",\"0.0\",1],"
					"[6,0,\"io\",\"at a.c:4\",\"0.1\",1]");
	static const int order[] = { 3, 0, 2, 1 };
	const struct style style = { 0 };
	AUTO_OUTLINE outline = { 0 };
	AUTO_BUF out = { 0 };

	for (size_t i = 0; i < 4; i++) {
		const char *text = order[i] == 2 ? odd : most;
		struct report r = { 0 };
		ck_assert_ptr_null(report_read(text, strlen(text), order[i], &r, &outline));
		report_fini(&r);
	}
	outline_sort(&outline);
	format_outline(&out, &outline, &style);
	ck_assert_str_eq(buf_text(&out), "\n"
					 "8 threads: [0-3]:0.[0,1]\n"
					 "  main  at a.c:9\n"
					 "  +- 2 threads: 2:0.[0,1]\n"
					 "  |  work  at a.c:3\n"
					 "  |  (the same call 3 more times)\n"
					 "  |  +- thread 2:0.0 => computes\n"
					 "  |  `- thread 2:0.1\n"
					 "  |     io  at a.c:4\n"
					 "  `- 6 threads: [0,1,3]:0.[0,1]\n"
					 "     -- region --\n"
					 "     => waits\n");
}
END_TEST

/* A rank without counts has no row; what one has and another has not is 0 there. */
START_TEST(counts_of_ranks_are_a_table)
{
	static const char *const texts[] = {
		"{\"v\":1,\"counts\":[[\"threads\",3],[\"in f()\",1]]}",
		"{\"v\":1,\"counts\":[[\"threads\",3],[\"waits\",2]]}",
		"{\"v\":1}",
		"{\"v\":1,\"counts\":[[\"in f()\",1],[\"threads\",3]]}",
	};
	const struct style style = { 0 };
	struct report reports[COUNT(texts)] = { 0 };
	struct rank_report ranks[COUNT(texts)];
	AUTO_OUTLINE outline = { 0 };
	AUTO(job_counts_fini) struct job_counts counts = { 0 };
	AUTO_BUF out = { 0 };

	for (size_t i = 0; i < COUNT(texts); i++) {
		ck_assert_ptr_null(
			report_read(texts[i], strlen(texts[i]), (long)i, &reports[i], &outline));
		ranks[i] = (struct rank_report){ (int)i, &reports[i] };
	}
	ck_assert(job_counts_make(ranks, COUNT(texts), &counts));
	format_job_counts(&out, &counts, &style);
	ck_assert_str_eq(buf_text(&out), "ranks  threads  in f()  waits\n"
					 "0,3          3       1      0\n"
					 "1            3       0      2\n");
	for (size_t i = 0; i < COUNT(texts); i++)
		report_fini(&reports[i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("job_why");

	unit_table(s, verdicts_on_ranks_are_joined, rows);
	unit_table(s, functions_are_known_by_all_their_names, functions);
	unit_table(s, senseless_reports_are_refused, senseless);
	unit_case(s, "graph", who_waits_for_whom_is_a_graph);
	unit_case(s, "reports", what_is_odd_in_reports_does_no_harm, outlines_of_ranks_are_one_tree,
		  counts_of_ranks_are_a_table);
	return unit_run(s);
}
