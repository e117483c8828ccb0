! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! For looking up symbols and lines: a module procedure, one inside of it, a region.
module fields
    implicit none
    integer :: total = 0
contains
    subroutine relax(n)
        integer, intent(in) :: n
        integer :: i
        !$omp parallel do reduction(+:total) num_threads(2) ! MARK: region
        do i = 1, n
            total = total + i                               ! MARK: body
        end do
        call finish(n)                                      ! MARK: relax
    contains
        subroutine finish(m)
            integer, intent(in) :: m
            total = total + m * n                           ! MARK: finish
        end subroutine
    end subroutine
end module

program symbol_module
    use fields
    implicit none
    call relax(4)                                           ! MARK: main
    print *, total
end program
