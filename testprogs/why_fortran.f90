! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What decides who hangs, in Fortran: of three threads the last one does not come to a barrier.
program why_fortran
    use omp_lib
    implicit none
    integer :: rows(3) = (/ 1, 2, 7 /)
    !$omp parallel num_threads(3) shared(rows) ! MARK: region
    call visit(rows, size(rows), omp_get_thread_num())
    !$omp end parallel
contains
    subroutine visit(list, n, me)
        integer, intent(in) :: n, me
        integer, intent(in) :: list(n)
        integer :: i
        do i = 1, n ! MARK: loop
            if (list(i) < 5) cycle
            if (list(i) > 6 .and. &
                me /= 2) then
                !$omp barrier ! MARK: barrier
            end if
        end do
    end subroutine
end program
