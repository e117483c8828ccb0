/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/oneshot_help.h"

#define HELP_TARGET                                                                                \
	"TARGET is the id of a process, which is stopped for some milliseconds and then "          \
	"goes on as if nothing had been, or the path of a core file. A core file whose "           \
	"name is a number needs a path: ./123. There may be several targets; job:PID stands "      \
	"for all ranks of an MPI job on this host, by the process id of its starter, such as "     \
	"mpiexec, or of any rank; name:PROGRAM for all of your processes that run that "           \
	"program. They are looked at at the same time, and those with equal answers are shown "    \
	"once, the rarest first. Ranks are those of the table that the starter keeps for "         \
	"debuggers (MPIR), or those whose environment says so. Ranks on other hosts, of that "     \
	"table, of Slurm's list or of --hosts, are looked at by ompdb there: see HOSTS.\n"         \
	"\n"

const char oneshot_help_stack[] = HELP_TARGET
	"Stacks read as the source code does. Each begins with the frames of the thread itself and "
	"goes on with those of the thread that made its parallel region, from the place where it "
	"did so, and so on out to main(). A line stands where a region or a task begins. Threads "
	"are named by team and number: 0.3 is thread 3 of team 0. Frames of the OpenMP runtime are "
	"left out, functions that the compiler has made of OpenMP constructs bear the name of the "
	"function that they were written in, and what each thread waits for is said in the terms "
	"of OpenMP. Threads with equal stacks are shown once; of the interpreters of Python, R and "
	"Julia there is one line for all frames in a row, unless --all-frames shows them.\n"
	"\n"
	"With --raw, the stacks are those of the machine. Each frame has a number, an address, a "
	"function, and the source line it is at or, for code without line information, the file it "
	"is in. Calls that the compiler has inlined into the next frame have the word 'inlined' "
	"for an address. Frames found by frame pointer, or by what looks like a return address, "
	"because code that they have called has no unwind tables, are marked as guessed. Where a "
	"stack cannot be followed to the thread's start, a last "
	"line says why.";

const char oneshot_help_omp[] = HELP_TARGET
	"Regions are a tree with the threads of their teams, tasks a tree of those that created "
	"each other. What was not read from the OpenMP runtime but inferred is marked so.\n"
	"\n"
	"With the word loop, the worksharing loops that threads are in are printed instead: the "
	"directive, the schedule that is in force, the bounds, what no thread has been given yet, "
	"and which iterations each thread has. Which part of a static loop a thread has is "
	"computed "
	"where the compiler has left no trace of it, and marked so.";

const char oneshot_help_why[] = HELP_TARGET
	"The first line is the verdict in one sentence. Below it stands who is to blame: the "
	"thread that stops all others first, then those that wait for it, with their source lines; "
	"how sure that is, and why; and what to look at next. Where the source can be read, the "
	"loops and branches that lead to these lines are there, too, with the values that decide.\n"
	"\n"
	"A process is looked at twice, a quarter of a second apart: what has not moved and has not "
	"used CPU time is stuck. A core file, or --once, is one look, and the words are weaker. "
	"Who holds a lock is known for nest locks; for others it is inferred from the code that "
	"each thread is in, and is called probable.\n"
	"\n"
	"The verdicts on the ranks of a job are joined through the MPI calls that they wait in: "
	"each of them waits for the ranks that are not in the same collective call, or for its "
	"peer. What ranks cannot end for each other is a deadlock, if they are in the same calls "
	"in four looks in turn, have not left them in between, and the variables around stay the "
	"same: --once does not tell. Where the kernel does not count who leaves (see "
	"perf_event_open(2): not everybody may ask, and hardware breakpoints may be used up), "
	"ranks may as well pass messages to and fro: for whom each waits is told, and that it is "
	"not known whether they go on. From MPI_Reduce and others "
	"that have a root ranks may go on before all have "
	"come: there any rank that can go on may be the one that is waited for. Peers count in "
	"MPI_COMM_WORLD, whose ranks are the job's. Messages that are on their way are not read, "
	"so that is called probable.\n"
	"\n"
	"The exit status is 4 if the program is stuck, in a deadlock or has crashed, 0 if not, and "
	"3 on "
	"failure.";

const char oneshot_help_check[] =
	"LIBRARY is the path of an OMPD library, which is loaded into ompdb, TARGET the id of a "
	"process or the path of a core file. All routines that OpenMP 5.2 has for such libraries "
	"are asked about each thread, region and task, and about what makes no sense. Each answer "
	"that contradicts the standard, another answer, or what ompdb knows of the target is one "
	"line: the routine, what it was asked, what it has answered, and what was expected. That "
	"something is unavailable or unsupported is no contradiction.\n"
	"\n"
	"The exit status is 0 if there are none, 1 if there are, 2 if the command line makes no "
	"sense, and 3 if the library or the target cannot be used.";

const char oneshot_help_host[] =
	"This is what ompdb executes on the other hosts of a job: it looks at the ranks that are "
	"there, and writes what it finds as numbered lines for the ompdb that has asked. It ends "
	"when "
	"nobody reads them any more, or after --deadline. TARGET may be ranks:0.4711,2.4713, which "
	"are ranks and their processes there; key:HEX, the ranks whose environment has that in "
	"common; any:, all ranks of yours; or table:-, one of these from the line of this host on "
	"standard input.";

const char oneshot_help_rank[] =
	"This stands in the place of a program that something else starts: mpiexec -n 4 ompdb rank "
	"-- ./app. Each rank waits before it executes PROGRAM, until a debugger attaches to it: "
	"ompdb -p PID then has it at its first instruction, before main, where breakpoints can be "
	"set. It stays the same process, with the environment, files and signals that its starter "
	"has given it, and needs no MPI. Rank 0 says on standard error how to attach. kill -CONT "
	"PID lets a rank go on without a debugger; if what has started it ends meanwhile, so does "
	"it.\n"
	"\n"
	"The exit status is the program's; 127 if there is no such program, 126 if it cannot be "
	"executed, 3 if the starter has ended.";
