! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! called_fortran: procedures to be called from a prompt, one for each way in which arguments are passed.
module called
  implicit none
  type :: pair
    integer :: x, y
  end type
  type :: shape
    real :: r = 2.0
  end type
  type, extends(shape) :: ring
    integer, allocatable :: marks(:)
  end type
  integer :: counted = 0
  integer, parameter :: wide = 8
contains
  integer function add(a, b)
    integer, intent(in) :: a, b
    add = a + b
  end function
  integer function add_values(a, b)
    integer, value :: a, b
    add_values = a + b
  end function
  real(8) function half(x)
    real(8), intent(in) :: x
    half = x / 2
  end function
  complex(8) function twice(c)
    complex(8), value :: c
    twice = c * 2
  end function
  logical function invert(l)
    logical, intent(in) :: l
    invert = .not. l
  end function
  integer function lengths(s, k, t)
    character(*), intent(in) :: s, t
    integer, intent(in) :: k
    lengths = 100 * len(s) + 10 * k + len(t)
  end function
  integer function last(s)
    character(5), intent(in) :: s
    last = ichar(s(5:5))
  end function
  function fixed() result(r)
    character(4) :: r
    r = 'abcd'
  end function
  function repeated(s, n) result(r)
    character(*), intent(in) :: s
    integer, intent(in) :: n
    character(len(s) * n) :: r
    r = repeat(s, n)
  end function
  function make(a, b) result(p)
    integer, intent(in) :: a, b
    type(pair) :: p
    p = pair(a, b)
  end function
  function squares(n) result(r)
    integer, intent(in) :: n
    integer, allocatable :: r(:)
    integer :: i
    r = [(i * i, i = 1, n)]
  end function
  integer function sum_shape(a)
    integer, intent(in) :: a(:, :)
    sum_shape = sum(a) + 1000 * size(a, 1)
  end function
  integer function sum_of(a, n)
    integer, intent(in) :: n, a(n)
    sum_of = sum(a)
  end function
  integer function first(p)
    type(pair), intent(in) :: p
    first = p%x
  end function
  integer function given(a, b)
    integer, intent(in) :: a
    integer, intent(in), optional :: b
    given = a
    if (present(b)) given = given + 100 * b
  end function
  integer function size_of(a)
    integer, allocatable, intent(in) :: a(:)
    size_of = size(a)
  end function
  subroutine bump(k)
    integer, intent(inout) :: k
    k = k + 1
    counted = counted + 1
  end subroutine
  real function area(this)
    class(shape), intent(in) :: this
    area = 3 * this%r
  end function
  integer function apply(f, x)
    interface
      integer function f(a, b)
        integer, intent(in) :: a, b
      end function
    end interface
    integer, intent(in) :: x
    apply = f(x, x)
  end function
end module

subroutine open_ended(rows, some, n)
  use called
  implicit none
  integer :: n
  integer :: rows(0:n - 1, *), some(:)
  type(pair) :: p(2)
  p%x = n
  rows(0, 1) = some(1) + p(1)%x - 2
end subroutine

program called_fortran
  use called
  implicit none
  interface
    subroutine open_ended(rows, some, n)
      integer :: n
      integer :: rows(0:n - 1, *), some(:)
    end subroutine
  end interface
  integer :: i = 3, j = 4, a(3) = [1, 2, 3], m(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  integer, allocatable :: al(:)
  complex(8) :: c = (3, 4)
  character(5) :: s = 'hi'
  character(:), allocatable :: r
  type(pair) :: p = pair(1, 2)
  type(shape) :: sh
  type(ring) :: rings(3)
  integer :: total
  procedure(add), pointer :: chosen, none => null()

  chosen => add
  allocate (al(4), source=5)
  r = repeated(s, 2)
  total = add(i, j) + add_values(i, j) + int(half(3d0)) + lengths(s, 1, 'a') + last(s) + first(p)
  total = total + chosen(1, wide) + sum_shape(m) + sum_of(a, 3) + given(1) + size_of(al) + apply(add, 2)
  print *, total, twice(c), invert(.true.), fixed(), make(1, 2), squares(2), area(sh), r
  call bump(counted) ! MARK: calls
  print *, i, a, counted, sh%r, associated(none)
  rings(2)%marks = [5, 6]
  call open_ended(m, a, 2)
  call inside(total, r, rings(2), rings, [1.5, 2.5])
contains
  subroutine inside(k, grown, one, many, any_of)
    integer, intent(in) :: k
    class(shape), intent(in) :: one
    class(*), intent(in) :: many(:), any_of(:)
    character(:), allocatable :: grown
    print *, r, k, grown, one%r, size(many), size(any_of), size(rings(2)%marks)
  end subroutine
end program
