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
!$omp task shared(s)
  s = s + t                            ! MARK: in-task
  s = s + 1                            ! MARK: task-last
!$omp end task
  t = 3                                ! MARK: behind-task
!$omp end master
!$omp end parallel
  if (s /= 11) stop 1                  ! MARK: end
end program steps
