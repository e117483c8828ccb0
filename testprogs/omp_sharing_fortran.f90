! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! omp_sharing_fortran: a loop where private(tmp) is missing, and the variables of loops.
program omp_sharing_fortran
  implicit none
  integer, volatile :: tmp, own, i, k, total
  own = 0
  total = 0
  !$omp parallel do private(own) &
  !$omp& num_threads(4) schedule(static, 1) reduction(+:total)
  do i = 1, 4
    tmp = i
    own = tmp
    do k = 1, 2
      total = total + own
      call here(i, k, own)
    end do
    total = total + tmp + k
  end do
  !$omp end parallel do
  print *, total > 0, tmp, own
contains
  subroutine here(a, b, c)
    integer, volatile :: a, b, c
    !$omp critical
    if (a + b + c < 0) print *, a
    !$omp end critical
  end subroutine
end program
