! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Constructs to step into, over and out of.
program steps
  implicit none
  integer :: i, s, t, a(4)
  s = 1                                ! MARK: before-loop
!$omp parallel do num_threads(2) &
!$omp schedule(static)
  do i = 1, 4
     a(i) = i                          ! MARK: in-loop
     a(i) = a(i) * 2                   ! MARK: loop-last
  end do
!$omp end parallel do
  s = a(4)                             ! MARK: behind-loop
!$omp parallel num_threads(2)
!$omp master
  t = 2                                ! MARK: before-task
!$omp task shared(s)                   ! MARK: task
  s = s + t                            ! MARK: in-task
  s = s + 1                            ! MARK: task-last
!$omp end task
  t = 3                                ! MARK: behind-task
!$omp end master
!$omp end parallel
  if (s /= 11) stop 1                  ! MARK: end
  call early
contains
  ! Optimised, parts of directives come before what stands before them.
  subroutine early
    integer :: before, me
    before = 0
    call touch(1)
!$omp parallel num_threads(3) private(me) ! MARK: early
    me = 3
    call touch(me)
!$omp critical (named)
    before = before + 1
!$omp end critical (named)
!$omp end parallel
    call touch(before)
!$omp parallel num_threads(1)
!$omp master                             ! MARK: inlined
    before = fib(5)
!$omp end master
!$omp end parallel
    call touch(before)
  end subroutine early
  subroutine touch(n)
    integer, intent(in) :: n
    integer, volatile :: k
    k = n
  end subroutine touch
  recursive function fib(n) result(r)
    integer, intent(in) :: n
    integer :: r, a, b
    if (n < 2) then
      r = n
      return
    end if
!$omp task shared(a)
    a = fib(n - 1)
!$omp end task
!$omp task shared(b)
    b = fib(n - 2)
!$omp end task
!$omp taskwait
    r = a + b
  end function fib
end program steps
