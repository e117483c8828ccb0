! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Internal procedures, which use the variables of the program around them.
program hosts
  implicit none
  integer :: total, k
  logical :: ready
  namelist /settings/ total, k, ready
  total = 5
  k = 1
  ready = .true.
  call inner(4)
  call recursive_one(3)
  stop 3
contains
  subroutine inner(k)
    integer :: k
    total = total + k ! MARK: inner
    call deeper(k)
  end subroutine inner

  subroutine deeper(n)
    integer, intent(in) :: n
    total = total + n ! MARK: deeper
  end subroutine deeper

  recursive subroutine recursive_one(n)
    integer, intent(in) :: n
    integer :: mine
    mine = n * 10
    if (n > 0) call recursive_one(n - 1) ! MARK: recursive
    total = total + mine ! MARK: mine
  end subroutine recursive_one
end program hosts
