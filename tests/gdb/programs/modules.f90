! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Procedures of modules, with one name in two of them, and a subroutine of none.
module first_module
  implicit none
  integer :: state = 0
contains
  subroutine change(n)
    integer, intent(in) :: n
    state = state + n ! MARK: first_change
  end subroutine change
end module first_module

module second_module
  implicit none
contains
  subroutine change(n)
    use first_module, only: state
    integer, intent(in) :: n
    state = state * n ! MARK: second_change
  end subroutine change
  logical function is_large(n)
    integer, intent(in) :: n
    is_large = n > 10 ! MARK: is_large
  end function is_large
end module second_module

subroutine Outside(n)
  use first_module, only: state
  implicit none
  integer, intent(in) :: n
  state = state - n ! MARK: outside
end subroutine Outside

program modules
  use first_module, only: first_change => change, state ! MARK: program
  use second_module, only: second_change => change, is_large
  implicit none
  call first_change(4) ! MARK: calls
  call second_change(5)
  call Outside(3) ! MARK: outside_call
  if (.not. is_large(state)) stop 3 ! MARK: large_call
  stop 7 ! MARK: stop
end program modules
