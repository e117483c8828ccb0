! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Variables of Fortran, and what they hold. This preprocessor puts names between quotes, too.
#define TI(ID, X) call truth_int(ID, 1, "X"//c_null_char, int(X, c_long))
#define TR(ID, X) call truth_real(ID, 1, "X"//c_null_char, real(X, c_double))
#define TL(ID, X) call truth_bool(ID, 1, "X"//c_null_char, logical(X, c_bool))
#define MARK(ID) call mark(ID, me())
#define USE_INT(X) call use_long(int(X, c_long))
module telling
	use iso_c_binding
	implicit none
	interface
		integer(c_int) function me() bind(C)
			import
		end function
		subroutine mark(id, thread) bind(C)
			import
			integer(c_int), value :: id, thread
		end subroutine
		subroutine use_long(n) bind(C, name="use")
			import
			integer(c_long), value :: n
		end subroutine
		subroutine truth_int(id, frame, name, n) bind(C)
			import
			integer(c_int), value :: id, frame
			character(kind=c_char) :: name(*)
			integer(c_long), value :: n
		end subroutine
		subroutine truth_real(id, frame, name, n) bind(C)
			import
			integer(c_int), value :: id, frame
			character(kind=c_char) :: name(*)
			real(c_double), value :: n
		end subroutine
		subroutine truth_bool(id, frame, name, n) bind(C)
			import
			integer(c_int), value :: id, frame
			character(kind=c_char) :: name(*)
			logical(c_bool), value :: n
		end subroutine
	end interface
end module

module shared_data
	implicit none
	type point
		integer :: x
		real(8) :: y
	end type
	integer :: in_module = 31
	real(8) :: weight = 0.375d0
	integer :: own = 5
	!$omp threadprivate(own)
end module

module work
	use telling
	use shared_data
	use omp_lib
	implicit none
contains
	subroutine serial(n, factor, flag)
		integer, intent(in) :: n
		real(8), intent(in) :: factor
		logical, intent(in) :: flag
		integer :: array(4), total, i
		integer(8) :: large
		real(4) :: narrow
		type(point) :: p
		integer :: in_common
		common /block/ in_common
		total = n * 3
		large = 10_8 ** 11 + n
		narrow = real(factor / 2, 4)
		p = point(n + 1, factor)
		in_common = n + 77
		do i = 1, 4
			array(i) = i * n
		end do
		TI(101, n)
		TR(101, factor)
		TL(101, flag)
		TI(101, total)
		TI(101, large)
		TR(101, narrow)
		MARK(101)
		TI(102, array(2))
		TI(102, array(4))
		TI(102, p%x)
		TR(102, p%y)
		TI(102, in_module)
		TR(102, weight)
		TI(102, in_common)
		MARK(102)
		USE_INT(total + array(1) + p%x + large)
		do i = 1, 4
			if (i == 3) then
				TI(103, i)
				TI(103, total)
				MARK(103)
			end if
			USE_INT(array(i))
		end do
	end subroutine

	subroutine passed(array, n, most)
		integer, intent(in) :: n
		integer, intent(in) :: array(n)
		integer, value :: most
		integer :: found
		found = maxval(array) + most
		TI(104, array(1))
		TI(104, array(3))
		TI(104, n)
		TI(104, most)
		TI(104, found)
		MARK(104)
		USE_INT(found)
		call contained()
		!$omp parallel num_threads(2) private(most)
		most = -1
		call within(omp_get_thread_num())
		USE_INT(most)
		!$omp end parallel
	contains
		subroutine within(thread)
			integer, intent(in) :: thread
			TI(204, thread)
			TI(204, found)
			TI(204, n)
			TI(204, array(2))
			MARK(204)
			USE_INT(thread + found)
		end subroutine
		subroutine contained()
			integer :: deeper
			deeper = found + 1
			TI(105, deeper)
			TI(105, found)
			TI(105, n)
			MARK(105)
			USE_INT(deeper)
		end subroutine
	end subroutine

	subroutine regions(n, factor)
		integer, intent(in) :: n
		real(8), intent(in) :: factor
		integer :: shared_one, first, mine, array(3)
		shared_one = n
		first = n * 2
		array = [n, n + 1, n + 2]
		!$omp parallel num_threads(2) firstprivate(first) private(mine)
		mine = omp_get_thread_num() + 20
		first = first + mine
		TI(201, shared_one)
		TI(201, first)
		TI(201, mine)
		TI(201, array(2))
		TI(201, n)
		TR(201, factor)
		MARK(201)
		!$omp barrier
		!$omp single
		shared_one = shared_one + 50
		!$omp end single
		own = mine * 2
		TI(202, shared_one)
		TI(202, own)
		TI(202, mine)
		TI(202, in_module)
		MARK(202)
		USE_INT(mine + first)
		!$omp end parallel
		TI(203, shared_one)
		TI(203, first)
		MARK(203)
		USE_INT(shared_one + first)
	end subroutine

	subroutine nested(n)
		integer, intent(in) :: n
		integer :: outermost, between, innermost
		outermost = n * 7
		!$omp parallel num_threads(2) private(between, innermost)
		between = omp_get_thread_num() + 3
		!$omp parallel num_threads(2) private(innermost)
		innermost = between * 10 + omp_get_thread_num()
		TI(301, outermost)
		TI(301, between)
		TI(301, innermost)
		TI(301, n)
		MARK(301)
		USE_INT(innermost)
		!$omp end parallel
		TI(302, outermost)
		TI(302, between)
		MARK(302)
		USE_INT(between)
		!$omp end parallel
		USE_INT(outermost)
	end subroutine

	subroutine loops(n)
		integer, intent(in) :: n
		integer :: i, j, square, last, base, total
		real(8) :: most
		base = n + 1
		!$omp parallel do num_threads(2) private(square) lastprivate(last)
		do i = 1, 16
			square = i * i
			last = square + base
			if (i == 4 .or. i == 13) then
				TI(401, i)
				TI(401, square)
				TI(401, last)
				TI(401, base)
				TI(401, n)
				MARK(401)
			end if
			USE_INT(square)
		end do
		!$omp parallel do num_threads(2) collapse(2) schedule(dynamic) private(square)
		do i = 1, 3
			do j = 1, 4
				square = i * j
				if (i == 2 .and. j == 3) then
					TI(402, i)
					TI(402, j)
					TI(402, square)
					TI(402, base)
					MARK(402)
				end if
				USE_INT(square)
			end do
		end do
		total = n
		most = -1
		!$omp parallel do num_threads(2) reduction(+:total) reduction(max:most) private(square)
		do i = 1, 8
			square = i + base
			total = total + i
			most = max(most, i * 0.5d0)
			if (i == 3 .or. i == 7) then
				TI(501, i)
				TI(501, total)
				TR(501, most)
				TI(501, square)
				TI(501, n)
				MARK(501)
			end if
			USE_INT(square)
		end do
		TI(502, total)
		TR(502, most)
		TI(502, base)
		MARK(502)
		USE_INT(total + last)
	end subroutine

	subroutine tasks(n)
		integer, intent(in) :: n
		integer :: shared_one, first, local, i
		shared_one = n * 2
		first = n + 9
		!$omp parallel num_threads(2)
		!$omp single
		!$omp task firstprivate(first) private(local) shared(shared_one)
		local = first * 2
		TI(601, local)
		TI(601, first)
		TI(601, shared_one)
		TI(601, n)
		MARK(601)
		USE_INT(local)
		!$omp end task
		!$omp taskwait
		!$omp taskloop grainsize(4) private(local) firstprivate(first)
		do i = 1, 12
			local = i * first
			if (i == 7) then
				TI(701, i)
				TI(701, local)
				TI(701, first)
				TI(701, shared_one)
				MARK(701)
			end if
			USE_INT(local)
		end do
		!$omp end single
		!$omp end parallel
		USE_INT(shared_one)
	end subroutine
end module

program truth
	use work
	implicit none
	integer :: n, values(3)
	n = in_module - 25
	values = [4, 9, 2]
	call omp_set_dynamic(.false.)
	call omp_set_max_active_levels(2)
	call serial(n, 1.5d0, n > 2)
	call passed(values, 3, n)
	call regions(n, 2.25d0)
	call nested(n)
	call loops(n)
	call tasks(n)
end program
