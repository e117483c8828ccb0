! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! omp_sharing_fortran: a loop where private(tmp) is missing, and the variables of loops; arrays.
program omp_sharing_fortran
  implicit none
  integer, volatile :: tmp, own, i, k, total
  integer :: counted = 0
  real :: field(2) = 1
  own = 0
  total = 0
  !$omp parallel do private(own) &
  !$omp& num_threads(4) schedule(static, 1) reduction(+:total) shared(counted)
  do i = 1, 4
    tmp = i
    !$omp critical
    counted = counted + 1
    !$omp end critical
    own = tmp
    do k = 1, 2
      total = total + own
      call here(i, k, own)
    end do
    total = total + tmp + k
  end do
  !$omp end parallel do
  print *, total > 0, tmp, own
  call arrays(field)
contains
  subroutine arrays(a)
    real, intent(inout) :: a(:)
    integer, volatile :: at
    !$omp parallel do default(none) &
    !$omp shared(a) num_threads(2) schedule(static, 1)
    do at = 1, 2
      a(at) = a(at) + at
      call seen(at)
    end do
  end subroutine
  subroutine seen(a)
    integer, volatile :: a
    if (a < 0) print *, a
  end subroutine
  subroutine here(a, b, c)
    integer, volatile :: a, b, c
    !$omp critical
    if (a + b + c < 0) print *, a
    !$omp end critical
  end subroutine
end program
