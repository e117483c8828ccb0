/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Target: a program that is looked at, live or as a core file, through one set of functions.
 *
 * A target owns its threads and its memory cache. live.h and core.h make targets; everybody
 * else uses the functions here and never asks which kind it is: what a target cannot do
 * answers with an error that says so.
 *
 *
 * HOW A LIVE PROCESS IS STOPPED AND RESUMED
 *
 * ptrace(2) knows threads, not processes, and tells about them one at a time and late. The state
 * of each thread says what ompdb has asked for and what the kernel has confirmed, and with that all
 * that may happen next. thread_state.c has the table of it:
 *
 *              CONT, LISTEN, STEP             INTERRUPT              no stop in time
 *    STOPPED --------------------> RUNNING ---------------> STOPPING -----------------> STUCK
 *     ^  ^ ^                       LISTENING                  |  |                      |  |
 *     |  | |                       STEPPING          an event |  | nothing to tell      |  |
 *     |  | |                       PASSING                    |  |                      |  |
 *     |  | |                          | an event              |  |                      |  |
 *     |  | +-- told -- PENDING <------+-----------------------+--|----------------------+  |
 *     |  +-------------------------------------------------------+-------------------------+
 *     +-- its making is told -- NEW <-- first stop -- STARTING <-- CLONE of another thread
 *
 *    who stands -- DETACH --> (LEAVING) --> GONE       any -- exit --> GONE; the leader: ENDED
 *
 *  - STOPPED: registers may be read and written. thread->stop says why. thread->signal is
 *    the signal that resuming or detaching delivers; a signal that was on its way when the
 *    thread was stopped is found there, which is how none gets lost.
 *  - PENDING: the same, but its event is still in the queue of target_wait() (events.h); such a
 *    thread is not resumed before it is told. Nor is a NEW one before its making is.
 *  - STOPPING: an interrupt is on its way. Whatever report comes first counts as the stop: a
 *    signal on its way to the thread, a trap, an event. The kernel forgets the interrupt
 *    when the thread stops for another reason first (ptrace_stop() clears JOBCTL_TRAP_STOP). One
 *    that finds the thread stopped already stops it again when it is resumed: such a late report
 *    of a thread that goes on tells nothing, and it goes on as before.
 *  - RUNNING: executes. LISTENING: job control holds it, which CONT would break: a thread in
 *    group-stop is resumed with PTRACE_LISTEN and stays stopped for everybody. One that has made
 *    a step meanwhile is sent back into it: an interrupt stops it before it executes anything.
 *    A thread that came to a site has pc there; its hit is judged when the event is about to be
 *    told (hits.h), and one that stops nobody sends it on without target_wait() returning.
 *  - STEPPING: executes one instruction, and tells. A signal that arrives meanwhile is kept and
 *    sent again when the step is over (kept_signals.h), so that a step stays in its function.
 *    Stopping all threads waits for steps, unless they sleep in a system call. PASSING: the
 *    same, silently, to get over a site in place, while all other threads stand still: only where
 *    neither a copy of the instruction nor emulation (passing.h) leads over it, for which nobody
 *    else stops. A system call is only entered so: the others do not wait until it returns.
 *  - STUCK: sleeps where no signal reaches it (state D: a vfork parent, a dead NFS server). It
 *    cannot be stopped, read or detached; it is untouched, and the kernel releases it when the
 *    visit ends (visit.h), or ompdb. Resuming all threads makes it RUNNING: it goes on by itself.
 *  - LEAVING: is detached when its stop arrives; nobody waits for that but target_detach().
 *  - ZOMBIE: the leader, which has exited while other threads live on. Its end is the end of the
 *    process; ENDED: that has been reported, and waits to be told. A leader that exited while it
 *    was traced cannot be detached: its parent learns of the end when the visit has ended.
 *  - GONE: reaped, replaced by an exec, or detached. Such threads leave the list at the next
 *    target_wait() or target_stop_all(); pointers to them are then invalid.
 *
 * Processes that threads make have states, too, but tell nothing (tracees.h).
 *
 * A look is a visit: it attaches in a thread of its own, and ends with it. What stays attached for
 * longer (run control) is the business of one thread of ompdb, and is detached thread by thread.
 * Where traps are planted and threads step, a process of its own does so (tracer/traced.h), which
 * puts all of it right when ompdb dies: the seam is struct target_ops, below which is all that
 * calls ptrace(2). Memory, mappings and files are read on this side of it.
 *
 * Rules that the kernel sets and this layer keeps:
 *
 *  1. Attaching races with threads that are being made and with threads that exit. Each scan of
 *     /proc/PID/task seizes what it finds new; a scan that finds nothing new ends it. A thread
 *     made by a seized thread arrives attached (PTRACE_O_TRACECLONE). ESRCH and EPERM for one
 *     thread mean that it is dying, not that attaching failed.
 *     An exec makes this harder: it waits for dead threads to be reaped while it holds a lock
 *     that seizing waits for, so they are reaped out of a timer's signal (ptrace_guard_begin());
 *     and between two threads it has none that could be seized, so the scans are tried again.
 *  2. A leader that has exited while others live on is a zombie which nobody can seize; the
 *     process is then looked at through another thread's /proc/PID/task/LWP files.
 *  3. Reports are collected for each thread by its own number, never for "any child", which
 *     costs the kernel a walk over all of them each time. SIGCHLD stays blocked; sleeping means
 *     waiting for it, through a descriptor (target_wait_fd()). It is only a hint: one that is
 *     pending swallows others, and children that are not traced send it, too. Ends are told by
 *     it as well, so that no pidfd is needed.
 *     A stop is only looked at, never collected: the signal that a thread is about to receive goes
 *     with the report, and the kernel delivers it only while nobody has that (ptrace_poll()).
 *     So none is lost if ompdb dies, whatever it dies of.
 *  4. Every traced thread must be reaped, dead ones too: an exec waits until the other threads
 *     are, and the leader's end is not told before theirs.
 *  5. A process that job control has stopped (state T) shows its threads in group-stop; DETACH
 *     puts them back into it.
 *  6. What is interrupted in a system call has that call restarted by the kernel. These are not and
 *     return EINTR, as they do after SIGSTOP and SIGCONT (signal(7)): epoll_wait and its kin; semop
 *     and semtimedop; sigwaitinfo and sigtimedwait; io_getevents, and an io_uring_enter that only
 *     waits; and on a socket with SO_RCVTIMEO or SO_SNDTIMEO all that would wait so long: accept,
 *     recv, read, send, connect... Reads from inotify are restarted since Linux 3.8.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/file_root.h"
#include "target/cpu/arch.h"
#include "target/process/debug_registers.h"
#include "target/process/memory.h"
#include "target/process/notes.h"
#include "target/process/passage.h"
#include "target/process/point.h"
#include "target/process/procfs.h"
#include "target/process/stop.h"
#include "target/process/tally.h"
#include "target/process/thread_state.h"
#include "target/process/visit.h"

struct thread {
	char *name; /* owned; comm, unescaped; "" when unknown             */
	pid_t lwp;
	enum thread_state state;
	struct stop stop;         /* why it stopped last                                 */
	int signal;               /* delivered when it is resumed or detached, 0: none   */
	bool kernel_worker;       /* runs no user code: no stack (io_uring's workers)    */
	bool held;                /* the caller's wish: resuming all leaves it as it is          */
	bool goes;                /* private to run.c: it was resumed, and told nothing since  */
	bool steps;               /* private to run.c: by RESUME_STEP                          */
	bool held_back;           /* private to tracer/: PENDING until its event is told here  */
	long blocked_since;       /* private to halt.c: all looks since then saw state D       */
	bool in_group_stop;       /* private to tracee.c: that it is over has not been told      */
	struct passage passage;   /* private to tracees.c */
	struct stepping stepping; /* private to stepping.c */
	unsigned int debug;       /* private to tracee.c: the setting of its debug registers */
	struct debug_register fired[DEBUG_REGISTERS]; /* private to passing.c and hits.c */
	size_t nfired;                                /* they have stopped it */
	pid_t process;        /* private to tracees.c: whose thread it is; and, of a */
	pid_t maker;          /* child, who made it, 0: it is a thread of the target; */
	bool shares;          /* whether it has the target's memory                  */
	bool general_valid;   /* private to target.c and to kinds: general holds this stop's set */
	bool general_changed; /* private to tracees.c: the kernel does not have it yet */
	uint8_t general[ARCH_GENERAL_MAX];
};

/*
 * Place of an LWP among those of its process, in the order in which they were made: the kernel
 * gives them in ascending order from the process's own one on, and begins with small ones again
 * behind the last that there may be (kernel.pid_max, proc(5)).
 */
static inline uint32_t lwp_rank(pid_t pid, pid_t lwp)
{
	return (uint32_t)lwp - (uint32_t)pid;
}

/* Threads in the order of lwp_rank(). */
struct thread_list {
	struct thread **items; /* owned, and what they point to */
	size_t len, cap;
};

enum resume_how { RESUME_CONTINUE, RESUME_STEP };

/* A thread that is to step while its pc is in [start, end). */
struct range_step {
	struct thread *thread; /* borrowed */
	taddr start, end;
};

enum { CALLS_MAX = 1024 };

/* System calls, by number. */
struct call_set {
	bool any, all; /* it is not empty; those that are not in the list, too */
	uint8_t bits[CALLS_MAX / 8];
};

static inline bool call_set_has(const struct call_set *s, long number)
{
	bool listed = number >= 0 && number < CALLS_MAX && s->bits[number / 8] >> number % 8 & 1;

	return s->any && (s->all || listed);
}

enum { EVENT_POINTS_MAX = 16 };

struct event {
	struct thread *thread; /* borrowed; NULL: no thread of ours                */
	struct stop stop;      /* STOP_NONE: nothing happened in time              */
	unsigned int points[EVENT_POINTS_MAX]; /* SITE, WATCHPOINT: those that stop it, by number */
	size_t npoints;
};

struct target {
	const struct target_ops *ops;
	const struct arch *arch; /* NULL until known                                  */
	struct memory *memory;   /* owned                                             */
	struct file_root *root;  /* owned; opens the files that it names               */
	char *exe;               /* owned; path of the program as the target names it  */
	char *core;              /* owned; path of the core file, NULL: live           */
	pid_t pid;               /* process id; 0: unknown                            */
	pid_t first; /* of a core file: the thread that it was written for; 0: unknown */
	taddr unseen, unseen_end; /* not for users: headers of a program that does not run */
	bool runs;                /* until it is visited: what can be found out before should be */
	struct gate *gate; /* borrowed; of the first visit, gate.h; NULL: it waits for nobody */
	bool lacks;        /* registers were asked for that were not taken: see still.h   */
	bool deep;         /* by the user's wish: what the innermost words of stacks point to
			      is taken at a visit, too                                    */
	/* How often it was written to, or went on: stacks before are outdated. */
	unsigned long changes;
	struct thread_list threads;
};

/*
 * What a kind of target does; filled by live.c, core.c and test doubles. NULL: it cannot (write,
 * run, be given traps or points...), which the functions below then say; without wait_fd: -1.
 */
struct target_ops {
	const char *name; /* "process", "core file": the subject of messages */
	void (*free)(struct target *t);
	memory_source *read; /* context: the target */
	size_t line;         /* in which memory is read; 0: MEMORY_PAGE */
	struct error *(*write)(struct target *t, taddr to, const void *bytes, size_t len);
	struct error *(*get_regset)(struct target *t, struct thread *th, enum regset set, void *ret,
				    size_t *len);
	struct error *(*set_regset)(struct target *t, struct thread *th, enum regset set,
				    const void *bytes, size_t len);
	struct error *(*maps)(struct target *t, struct map_list *ret);
	struct error *(*auxv)(struct target *t, struct buf *ret);
	struct error *(*open_file)(struct target *t, const struct map *map, struct file *ret);
	struct error *(*check_own)(struct target *t);
	struct error *(*check_paths)(struct target *t);
	struct error *(*resume)(struct target *t, struct thread *th, enum resume_how how);
	struct error *(*stop_all)(struct target *t);
	struct error *(*wait)(struct target *t, long timeout_us, struct event *ret);
	int (*wait_fd)(struct target *t);
	struct error *(*plant)(struct target *t, taddr at);
	struct error *(*unplant)(struct target *t, taddr at);
	struct error *(*set_point)(struct target *t, const struct point *p);
	struct error *(*clear_point)(struct target *t, unsigned int id);
	struct error *(*point_state)(struct target *t, unsigned int id, struct point_state *ret);
	struct error *(*count_hit)(struct target *t, unsigned int id, bool *ret_stops);
	struct error *(*point_tally)(struct target *t, unsigned int id, struct tally *ret);
	struct error *(*note)(struct target *t, const struct note *note);
	struct error *(*step_ranges)(struct target *t, const struct range_step *steps, size_t n);
	struct error *(*pass_signals)(struct target *t, uint64_t signals);
	struct error *(*lend)(struct target *t, taddr start, taddr end);
	struct error *(*trace_calls)(struct target *t, const struct call_set *calls);
	void (*thread_name)(struct target *t, struct thread *th, char ret[64]);
	struct error *(*take_child)(struct target *t, pid_t pid, struct target **ret);
	struct error *(*visit)(struct target *t, visit_function *look, void *context);
	struct error *(*attach)(struct target *t);
	/* May be NULL, as for target_keep_registers(); bytes NULL: none are kept any longer. */
	struct error *(*keep_regset)(struct target *t, pid_t lwp, enum regset set,
				     const void *bytes, size_t len);
	struct error *(*detach)(struct target *t);
	struct error *(*kill)(struct target *t);
};

/* For kinds of targets: set up and tear down the common part. */
MUST_CHECK struct error *target_init(struct target *t, const struct target_ops *ops);
void target_fini(struct target *t);
/* Adds a thread in its place of the list. NULL: out of memory. */
struct thread *target_add_thread(struct target *t, pid_t lwp);
/* Frees the threads in state GONE and takes them off the list. */
void target_drop_gone(struct target *t);

struct error *target_nothing_to_do(struct target *);
struct error *target_just_look(struct target *, visit_function *look, void *context);

/* Frees a target of any kind; a live one is detached first, a launched one killed. NULL is fine. */
void target_free(struct target *t);
static inline void target_cleanup(struct target **t)
{
	target_free(*t);
}
#define AUTO_TARGET AUTO(target_cleanup) struct target

/* The thread with that LWP; NULL: there is none. */
struct thread *target_find_thread(const struct target *t, pid_t lwp);

/*
 * Name of a thread (comm), unescaped; "" when unknown. Asked from the system on first use, so
 * better not while the target stands still.
 */
const char *target_thread_name(struct target *t, struct thread *th);

/* Memory, through the cache of this stop. */
MUST_CHECK struct error *target_read(struct target *t, taddr from, void *ret, size_t len);
/* The same for what users look at; NO_ADDRESS also for what is no memory of the program's own. */
MUST_CHECK struct error *target_examine(struct target *t, taddr from, void *ret, size_t len);
MUST_CHECK struct error *target_read_string(struct target *t, taddr from, size_t most, char **ret);
/* Reads a little-endian number of size 1, 2, 4 or 8. */
MUST_CHECK struct error *target_read_uint(struct target *t, taddr from, size_t size, uint64_t *ret);
MUST_CHECK struct error *target_write(struct target *t, taddr to, const void *bytes, size_t len);

/* The general registers of a stopped thread: arch->general_size bytes, borrowed, until resume. */
MUST_CHECK struct error *target_general(struct target *t, struct thread *th, const uint8_t **ret);
MUST_CHECK struct error *target_get_uint(struct target *t, struct thread *th, const struct reg *r,
					 uint64_t *ret);
/* Any register. UNSUPPORTED: this processor, or this core file, has no such register. */
MUST_CHECK struct error *target_get_register(struct target *t, struct thread *th,
					     const struct reg *r, uint8_t ret[ARCH_REGISTER_MAX],
					     size_t *ret_size);
/* The first "size" bytes of one that is none of the general ones. */
MUST_CHECK struct error *target_set_register(struct target *t, struct thread *th,
					     const struct reg *r, const void *bytes, size_t size);
MUST_CHECK struct error *target_set_uint(struct target *t, struct thread *th, const struct reg *r,
					 uint64_t value);

/* All registers of a stopped thread, as the kernel hands them out, and which signals it blocks. */
struct register_sets {
	uint8_t *bytes[NUM_REGSETS]; /* owned; NULL: none of that set */
	size_t len[NUM_REGSETS];
};
void register_sets_fini(struct register_sets *r);
MUST_CHECK struct error *target_save_registers(struct target *t, struct thread *th,
					       struct register_sets *ret);
/* As they were: a system call that was to be made again will be. */
MUST_CHECK struct error *target_load_registers(struct target *t, struct thread *th,
					       const struct register_sets *r);

/* What a thread is given back if it is let go before anything else is said here, be it because
 * ompdb dies. NULL: nothing. Where nobody is let go that does nothing. */
MUST_CHECK struct error *target_keep_registers(struct target *t, pid_t lwp,
					       const struct register_sets *r);

/* Mappings with a name (files, [vdso]) or with code, as they are now. ret is the caller's. */
MUST_CHECK struct error *target_maps(struct target *t, struct map_list *ret);

/* Value of an entry of the auxiliary vector (AT_*); 0 when it is not there. */
MUST_CHECK struct error *target_auxv(struct target *t, uint64_t type, uint64_t *ret);

/*
 * Opens the file of a mapping for reading: the very file that is mapped, also when it was
 * renamed, deleted or lies in another mount namespace, as far as the system allows. The caller
 * still compares build-ids: a path may have been given a new file. *ret is the caller's. All other
 * files that the target or its files name are opened with file_root_open(t->root, ...).
 */
MUST_CHECK struct error *target_open_file(struct target *t, const struct map *map,
					  struct file *ret);

/*
 * Whose word the target is. own: it is of the user for whom ompdb acts. paths: and by a path it
 * means the file that ompdb finds there, so that what it names can be believed as far as that user
 * can. NOT_PERMITTED: no; the message is a clause that says why. Others: it cannot be told.
 */
MUST_CHECK struct error *target_check_own(struct target *t);
MUST_CHECK struct error *target_check_paths(struct target *t);

/*
 * Resumes one thread that is STOPPED, or with th NULL all of them. Delivers th->signal. Threads in
 * group-stop listen instead of running. One step executes one instruction: signals that arrive
 * meanwhile are told and delivered afterwards, but for those that stop the process. A thread that
 * stopped at a site executes what belongs there, while the others stand still.
 */
MUST_CHECK struct error *target_resume(struct target *t, struct thread *th, enum resume_how how);

/*
 * Stops every thread and waits until they are; threads in D state become STUCK after a short
 * while and the call succeeds. GONE: the process has ended.
 */
MUST_CHECK struct error *target_stop_all(struct target *t);

/*
 * The next event of any thread; others go on running, or have been stopped with it, as a kind of
 * target likes: target_stop_all() makes sure. timeout_us in microseconds, -1: none; when
 * it is over ret->stop is STOP_NONE. Each event is told once, in the order in which they were
 * noticed; but the outcome of a step goes first, and the events of others wait until the step is
 * done or sleeps in a system call. The end of the process goes last: it is
 * the leader's STOP_EXITED or STOP_KILLED; with a thread of NULL and a value of -1 if the leader
 * was dead before ompdb came. Ends of other threads are not told. GONE: the end has been told
 * already.
 *
 * Each CLONE, FORK and VFORK is reported when the new thread or process has been stopped at its
 * first instruction. A new thread is in the list, stopped and reported. A new process is
 * not part of the target: until its parent is resumed it stands still; then it is detached, or goes
 * on silently if it has the memory of its parent, until it runs another program.
 */
MUST_CHECK struct error *target_wait(struct target *t, long timeout_us, struct event *ret);

/*
 * Attaches after live_open(), or again after target_detach(), and stops every thread; does nothing
 * to what is attached, or to a core file. NOT_FOUND: the process has ended, and its number may be
 * another one's. Else as live_attach().
 */
MUST_CHECK struct error *target_attach(struct target *t);

/*
 * Attaches, calls a function while every thread stands still, and lets all of them go (visit.h):
 * for looks, which resume nothing and plant nothing. What is attached already, or a core file, is
 * only stopped and looked at; what takes all that is needed lets it go before (still.h). Returns
 * what the function returns, or why it could not attach.
 */
MUST_CHECK struct error *target_visit(struct target *t, visit_function *look, void *context);

/*
 * Makes a target of its own of a process that an event has told of, FORK, VFORK or CLONE, while it
 * stands still as that says: attached, with all traps and points that its memory has copies of, or
 * that are in the memory that it shares. Then each of the two goes its own way; the maker of a
 * VFORK has to stay attached until its VFORK_DONE, for what is planted in the memory is also its
 * own; one that is detached while it shares that dies of it when it gets there. NOT_FOUND: there is
 * no such process that stands.
 */
MUST_CHECK struct error *target_take_child(struct target *t, pid_t pid, struct target **ret);

/*
 * Whether all that was read in the last target_visit() was there at one moment, at which every
 * thread stood still. false: it has to be read again, in another one. Only what is let go before it
 * is read says no; see still.h.
 */
bool target_is_whole(const struct target *t);

/*
 * For waiting for events beside other things: a descriptor, borrowed, that can be read when there
 * may be an event. Call target_wait() with a time of 0 until it tells STOP_NONE, then poll(2). -1:
 * there are never any.
 */
int target_wait_fd(struct target *t);

/*
 * Plants a trap, once more, where an instruction begins; takes one back. Whoever executes it stops
 * with STOP_SITE, and gets over it when it is resumed. All threads have to be stopped: USAGE. What
 * is read and written through the target is the program's own code. NO_ADDRESS, OS: there is no
 * memory, or it cannot be written to.
 */
MUST_CHECK struct error *target_plant(struct target *t, taddr at);
MUST_CHECK struct error *target_unplant(struct target *t, taddr at);

/*
 * Points: point.h. All threads have to be stopped: USAGE. What is borrowed by the point is copied;
 * one with the same number is replaced, and keeps its hits. An event (target_wait()) of a thread
 * that came to code or data of points is a STOP_SITE or STOP_WATCHPOINT with their numbers; of one
 * that nobody stops at nothing is told. A hit is counted when it is told, or would have been; once
 * for each execution of the instruction, however often the thread gets there before that.
 * NO_ADDRESS, OS: there is no memory, or it cannot be written to; UNSUPPORTED: no debug register is
 * left. NOT_FOUND: no point has that number.
 */
MUST_CHECK struct error *target_set_point(struct target *t, const struct point *p);
MUST_CHECK struct error *target_clear_point(struct target *t, unsigned int id);
MUST_CHECK struct error *target_point_state(struct target *t, unsigned int id,
					    struct point_state *ret);
/* For points that ask: a hit that was told counts. *ret_stops: it is not one of those ignored. */
MUST_CHECK struct error *target_count_hit(struct target *t, unsigned int id, bool *ret_stops);
/* Adds what a point has counted to ret, which is the caller's. NOT_FOUND. */
MUST_CHECK struct error *target_point_tally(struct target *t, unsigned int id, struct tally *ret);
/* As a point that notes would have done when the thread entered that function. */
MUST_CHECK struct error *target_note(struct target *t, const struct note *note);

/*
 * As target_resume() with one step, again and again while pc is in [start, end) and nothing else
 * happens to any thread. Told is STOP_STEPPED: behind the range, or at the first instruction of a
 * function that was called from it, or of one that it returned to. Others that run go on running.
 * One that has been stopped with all others in the middle of it tells that, too.
 */
MUST_CHECK struct error *target_step_range(struct target *t, struct thread *th, taddr start,
					   taddr end);
/* The same of many threads, none of them twice: in one go, which is faster. */
MUST_CHECK struct error *target_step_ranges(struct target *t, const struct range_step *steps,
					    size_t n);

/*
 * Signals (bit 1 << (number - 1)) that are delivered at once and not told. Faults of instructions
 * are told nevertheless when a step meets them.
 */
MUST_CHECK struct error *target_pass_signals(struct target *t, uint64_t signals);

/*
 * From the next time on that they are resumed, threads tell STOP_CALL and STOP_RETURN of these
 * system calls; in place of those named before. One in which a thread is just then tells nothing,
 * or its return alone.
 */
MUST_CHECK struct error *target_trace_calls(struct target *t, const struct call_set *calls);

/*
 * Memory with the right to execute, in which nothing lies that the program uses: behind the end of
 * a module's code, up to the end of its page. Copies of instructions at sites nearby are put there,
 * so that threads get over sites while others run; until it is detached. Without: they stand still.
 */
MUST_CHECK struct error *target_lend(struct target *t, taddr start, taddr end);

/* Detaches from every thread, which go on as if nothing had been. A core file: does nothing. */
MUST_CHECK struct error *target_detach(struct target *t);

/* Kills the process and reaps every thread. */
MUST_CHECK struct error *target_kill(struct target *t);

#endif
