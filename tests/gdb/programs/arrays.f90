! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Arrays of every kind, and what else Fortran has.
module shapes
  implicit none
  type point
    integer :: x
    real(8) :: y
  end type
  type grid
    integer :: n
    real, allocatable :: cells(:,:)
    type(point) :: corner
    character(len=4) :: tag
    integer, pointer :: link(:) => null()
  end type
  integer, allocatable :: table(:)
  namelist /input/ table
  integer, parameter :: limit = 17
contains
  subroutine adjustable(n, lo, hi, x, y, z, s)  ! MARK: adjustable_entry
    integer, intent(in) :: n, lo, hi
    integer :: x(n), y(lo:hi), z(n,*)
    character(len=*) :: s
    integer :: local(n, 2)
    local = n
    x(1) = x(1) + y(lo) + z(1, 1) + len(s)
    print *, x(1), local(1,1)  ! MARK: adjustable
  end subroutine
  subroutine shaped(a, b, p, q)
    integer :: a(:,:)
    real :: b(-1:)
    integer, pointer :: p(:)
    integer, allocatable :: q(:)
    print *, a(1,1), b(-1), associated(p), allocated(q) ! MARK: shaped
  end subroutine
end module

program arrays
  use shapes
  implicit none
  integer :: one(5), two(2,3), three(2,2,2), low(-1:2)
  integer, target :: big(10)
  integer, pointer :: view(:), none(:)
  real, allocatable :: heap(:,:), later(:)
  character(len=5) :: word, words(2)
  character(len=:), allocatable :: grown
  logical :: yes, no, flags(3)
  complex :: z
  complex(8) :: zz(2)
  type(point) :: pt, pts(2)
  type(grid) :: g
  integer(1) :: tiny
  integer(8) :: huge_one
  real(8) :: d
  integer, allocatable :: q(:)
  integer, pointer :: scalar
  integer :: i
  integer :: same(30)
  common /block/ c1, c2
  integer :: c1
  real :: c2(3)
  c1 = 11
  c2 = (/ 1.5, 2.5, 3.5 /)
  one = (/ 1, 2, 3, 4, 5 /)
  two = reshape((/ 1, 2, 3, 4, 5, 6 /), (/ 2, 3 /))
  three = reshape((/ 1, 2, 3, 4, 5, 6, 7, 8 /), (/ 2, 2, 2 /))
  low = (/ 10, 20, 30, 40 /)
  big = (/ (i * 11, i = 1, 10) /)
  view => big(1:9:2)
  nullify(none)
  allocate(heap(0:1, 3))
  heap = 1.25
  heap(1, 2) = 9
  allocate(table(3))
  table = (/ 7, 8, 9 /)
  word = 'hello'
  words = (/ 'one  ', 'two  ' /)
  grown = 'grown text'
  yes = .true.; no = .false.; flags = (/ .true., .false., .true. /)
  z = (1.5, -2.0)
  zz = (/ (1d0, 2d0), (3d0, 4d0) /)
  pt = point(3, 4.5d0)
  pts(1) = point(1, 1d0); pts(2) = point(2, 2d0)
  g%n = 2
  allocate(g%cells(2, 2))
  g%cells = 0.5
  g%corner = pt
  g%tag = 'tag '
  tiny = -3; huge_one = 12345678901_8; d = 2.5d0
  allocate(scalar); scalar = 42
  same = 4
  call adjustable(4, 2, 4, one, big, big, 'words')  ! MARK: start
  call shaped(two, c2, view, q)
  view => big(10:1:-3)
  call shaped(two(2:1:-1, 1:3:2), c2, none, q)
  print *, z, zz, later, word, words, grown, yes, no, flags, pt, pts, tiny, huge_one, d, same  ! MARK: end
end program
