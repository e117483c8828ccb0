! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Ranks that wait for messages of each other, by either module of MPI's.
program mpi_job_fortran
#ifdef __OPTIMIZE__
    use mpi_f08
#else
    use mpi
#endif
    implicit none
    integer :: rank, ranks, ierr
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    call exchange(mod(rank + 1, ranks), 7)
    call mpi_finalize(ierr)
contains
    subroutine exchange(peer, tag)
        integer, intent(in) :: peer, tag
        integer :: x, error
        call mpi_recv(x, 1, mpi_integer, peer, tag, mpi_comm_world, mpi_status_ignore, error) ! MARK: receive
        if (error /= 0) stop 1
    end subroutine
end program
