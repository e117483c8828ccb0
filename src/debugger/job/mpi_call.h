/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Mpi_call: the calls of MPI functions that threads are in, with what their arguments tell: whom
 * they wait for.
 *
 * Arguments are read as the caller has passed them: in registers as its code tells (target/flow),
 * on the stack, and through the addresses that Fortran passes. A communicator's handle is a number
 * of its process; MPI_COMM_WORLD alone is the same in all ranks: 0x44000000 in MPICH and those that
 * share its ABI, the address of ompi_mpi_comm_world in Open MPI (0 in Fortran).
 */
#ifndef DEBUGGER_MPI_CALL_H
#define DEBUGGER_MPI_CALL_H

#include "debugger/snapshot.h"

enum mpi_kind {
	MPI_OTHER,      /* nothing that is known to wait for other ranks                  */
	MPI_COLLECTIVE, /* all ranks of its communicator have to come                     */
	MPI_ROOTED,     /* the same, but some may leave before others have come           */
	MPI_RECEIVE,    /* a message from its peer                                        */
	MPI_SEND,       /* that its peer takes the message, if that is large or the mode wants it */
	MPI_EXCHANGE,   /* both, with peers that may differ                               */
	MPI_WAIT,       /* requests, whose peers cannot be read                           */
};

enum mpi_comm { MPI_COMM_UNKNOWN, MPI_COMM_IS_WORLD, MPI_COMM_IS_OTHER, NUM_MPI_COMMS };

enum {
	MPI_NUMBER_UNKNOWN = -100, /* of a peer or tag                                    */
	MPI_NUMBER_ANY = -101,     /* MPI_ANY_SOURCE, MPI_ANY_TAG                         */
	MPI_NUMBER_NONE = -102,    /* MPI_PROC_NULL                                       */
	MPI_THREADS_UNKNOWN = -1,
	MPI_THREADS_MULTIPLE = 3,
};

struct mpi_call {
	int thread;       /* of the picture                                  */
	const char *name; /* borrowed from the picture: "MPI_Recv"           */
	enum mpi_kind kind;
	long peer, tag;  /* MPI_NUMBER_*; the root of a collective          */
	long to, to_tag; /* of an exchange: of what it sends                */
	enum mpi_comm comm;
};

static inline bool mpi_is_collective(enum mpi_kind kind)
{
	return kind == MPI_COLLECTIVE || kind == MPI_ROOTED;
}

struct mpi_calls {
	VEC(struct mpi_call) list;
	int threads; /* what MPI_Init_thread() has granted, MPI_THREAD_SINGLE 0 to MULTIPLE 3 */
};
void mpi_calls_fini(struct mpi_calls *c);

/* Finds them while memory can be read: for snapshot_options. Errors only for lack of memory. */
MUST_CHECK struct error *mpi_calls_find(struct session *s, struct snapshot *from,
					struct mpi_calls *ret);

/* Of a function by its name: "MPI_Recv", "PMPI_Recv". */
enum mpi_kind mpi_kind_of(const char *function);

/* "world", "other": as JSON has them. */
const char *mpi_comm_name(enum mpi_comm comm);

#endif
