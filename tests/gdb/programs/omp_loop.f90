! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A parallel loop in Fortran, by a team of one, whose order is fixed.
program omp_loop
  implicit none
  integer :: i, total
  total = 0
  !$omp parallel do num_threads(1) reduction(+:total)
  do i = 1, 3
    total = total + square(i) ! MARK: body
  end do
  !$omp end parallel do
  if (total /= 14) stop 1 ! MARK: check
contains
  integer function square(n)
    integer, intent(in) :: n
    square = n * n ! MARK: square
  end function square
end program omp_loop
