! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Subroutines, functions, internal and recursive procedures, arguments of base types.
program procedures
  implicit none
  integer :: total
  real(8) :: area
  total = 0
  call add(total, 5) ! MARK: first
  call add(total, 7) ! MARK: second
  area = circle(2.0d0) ! MARK: circle_call
  total = total + factorial(5) ! MARK: recursion
  total = total + loop(4) ! MARK: loop_call
  if (area > 12.0d0) total = total + 1 ! MARK: if
  if (total /= 143) stop 1 ! MARK: check
contains
  subroutine add(sum, n)
    integer, intent(inout) :: sum
    integer, intent(in) :: n
    sum = sum + n ! MARK: add
  end subroutine add ! MARK: add_end

  function circle(radius) result(area)
    real(8), intent(in) :: radius
    real(8) :: area
    area = 3.14d0 * radius * radius ! MARK: circle
  end function circle

  recursive function factorial(n) result(f)
    integer, intent(in) :: n
    integer :: f
    if (n <= 1) then
      f = 1 ! MARK: bottom
    else
      f = n * factorial(n - 1) ! MARK: factorial
    end if
  end function factorial

  function loop(n) result(sum)
    integer, intent(in) :: n
    integer :: sum, i
    sum = 0
    do i = 1, n
      sum = sum + i ! MARK: loop
    end do
  end function loop
end program procedures ! MARK: end
