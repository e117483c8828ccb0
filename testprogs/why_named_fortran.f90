! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Threads that wait for locks of a module: in arrays, in components, passed on; and for input.
module locks_of_all
    use omp_lib
    implicit none
    type cell
        real :: x
        integer(omp_lock_kind) :: guard
    end type
    type holder
        integer :: n
        type(cell), allocatable :: cells(:)
        integer(omp_lock_kind) :: own
    end type
    integer(omp_lock_kind), allocatable :: many(:), others(:)
    type(cell) :: fixed(4)
    type(holder) :: held
contains
    subroutine take(lock)
        integer(omp_lock_kind) :: lock
        call omp_init_lock(lock)
        call omp_set_lock(lock)
    end subroutine
    subroutine passed(list)
        integer(omp_lock_kind) :: list(:)
        call omp_set_lock(list(6))
    end subroutine
end module

program why_named_fortran
    use locks_of_all
    implicit none
    integer, volatile :: passes(0:6)
    allocate(many(8), others(8), held%cells(5))
    call take(many(3))
    call take(others(6))
    call take(fixed(2)%guard)
    call take(held%cells(4)%guard)
    call take(held%own)
    !$omp parallel num_threads(7)
    select case (omp_get_thread_num())
    case (1)
        call omp_set_lock(many(3))
    case (2)
        call omp_set_lock(fixed(2)%guard)
    case (3)
        call omp_set_lock(held%cells(4)%guard)
    case (4)
        call omp_set_lock(held%own)
    case (5)
        call passed(others)
    case (6)
        read (*, *) passes(0) ! MARK: reads
    end select
    passes(omp_get_thread_num()) = 1 ! so that no call is the last thing in the code
    !$omp end parallel
end program
