! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Arrays of any rank, extended types, texts whose length is not known before.
module m
  type base
    integer :: id = 7
  end type
  type, extends(base) :: child
    real :: w = 1.5
    character(len=:), allocatable :: label
    type(base), pointer :: next => null()
    type(base), allocatable :: more(:)
    procedure(work), pointer, nopass :: run => null()
  end type
  enum, bind(c)
    enumerator :: red = 1, green
  end enum
contains
  subroutine work(x)
    integer :: x
    x = x + 1
  end subroutine
  subroutine anyrank(a)
    integer :: a(..)
    print *, rank(a) ! MARK: anyrank
  end subroutine
  subroutine poly(p, u)
    class(base) :: p
    class(*) :: u
    print *, p%id ! MARK: poly
  end subroutine
  subroutine opt(a, n, s)
    integer, optional :: n
    integer :: a(:)
    character(len=*), optional :: s
    character(len=size(a)) :: t
    real, dimension(2*size(a), 0:3) :: auto
    t = 'abcdefgh'
    auto = 2
    print *, size(a), present(n), t ! MARK: opt
  end subroutine
  function chars(n) result(r)
    integer, value :: n
    character(len=n) :: r
    r = repeat('x', n)
  end function
end module
program p
  use m
  integer :: a(2,3), s, i
  integer, allocatable :: none(:)
  type(child), target :: c
  type(child), target :: many(3)
  type(child), pointer :: pc
  character(kind=1, len=3), allocatable :: names(:)
  character(len=:), pointer :: cp
  character(len=8), target :: store = 'storage!'
  real(16) :: q = 1.25_16
  real(10) :: x = 2.5_10
  complex(16) :: zq = (1, 2)
  logical(1) :: l1 = .true.
  integer(16) :: i16 = 12
  integer, parameter :: tbl(3) = (/ 1, 2, 3 /)
  integer :: section(4,4)
  integer(kind(red)) :: colour = green
  a = reshape((/ (i, i = 1, 6) /), (/ 2, 3 /))
  section = reshape((/ (i, i = 1, 16) /), (/ 4, 4 /))
  s = 5
  c%label = 'the label'
  allocate(c%more(2))
  allocate(names(2)); names = (/ 'one', 'two' /)
  pc => many(2)
  cp => store(1:4)
  c%next => c%base
  call anyrank(a)
  call anyrank(s)
  call anyrank(section(1:3:2, 2:4))
  call poly(c, s)
  call opt(a(1, :))
  call opt(a(:, 1), s, chars(3))
  print *, c%label, names, cp, q, x, zq, l1, i16, tbl, pc%w, colour ! MARK: end
end program
