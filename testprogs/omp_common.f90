! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! omp_common: variables of common blocks, and arrays that were passed, in code of a region.
subroutine work(given, bounds, open_ended, n)
  implicit none
  integer :: n, i, shared_one, copied, own, listed, given(3), bounds(n), open_ended(2, *)
  common /numbers/ shared_one, copied, listed
  common /threads/ own
  !$omp threadprivate(/threads/)
  shared_one = 11
  copied = 12
  listed = 13
  !$omp parallel do num_threads(2) private(copied) firstprivate(listed) schedule(static, 1)
  do i = 1, 2
    own = 10 * i
    copied = 100 + i
    listed = listed + i
    given(i) = shared_one + bounds(i) + open_ended(2, i)
    call stop_here(i, given)
    given(i) = given(i) + copied + listed + own + shared_one
  end do
  !$omp end parallel do
  print *, given(1), copied
end subroutine

subroutine stop_here(i, values)
  implicit none
  integer :: i, values(3)
  !$omp barrier
  if (i == 2 .and. values(1) > 0) then
    values(3) = 7 ! MARK: stopped
  end if
  !$omp barrier
end subroutine

subroutine within(n)
  implicit none
  integer :: n, one, two, three
  common /numbers/ one, two, three
  integer, save :: kept = 3, mine = 4
  integer :: sized(n), from(n - 7:n)
  !$omp threadprivate(mine)
  sized = n
  from = 0
  from(3) = 33
  associate (also => n)
  !$omp parallel num_threads(2) firstprivate(sized)
  mine = also
  sized(2) = 5 ! MARK: sized
  !$omp barrier
  !$omp single
  !$omp task
  one = one + kept + mine + from(2) ! MARK: in_task
  !$omp end task
  !$omp task firstprivate(one)
  kept = kept + one
  !$omp end task
  !$omp end single
  !$omp end parallel
  end associate
end subroutine

! A block of which the region's code uses nothing.
subroutine apart(n)
  implicit none
  integer :: n, first, second, used
  common /pair/ first, second
  !$omp threadprivate(/pair/)
  first = n
  second = n + 1
  used = n
  !$omp parallel num_threads(2) copyin(/pair/)
  !$omp barrier
  !$omp atomic
  used = used + 1 ! MARK: common_code
  !$omp barrier
  !$omp end parallel
  print *, first, second, used
end subroutine

program omp_common
  implicit none
  integer :: given(3) = 0, bounds(4) = (/ 1, 2, 3, 4 /), open_ended(2, 2) = 5
  call work(given, bounds, open_ended, 4)
  call within(9)
  call apart(9)
end program
