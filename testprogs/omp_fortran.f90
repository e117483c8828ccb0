! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Fortran: a region in a module procedure. Tells the truth about its threads, as testprog_omp.h has
! it. The first thread needs no more than the time to print for its way to the barrier.
module ocean
    use iso_c_binding
    use omp_lib
    implicit none
    interface
        function c_read(fd, buffer, n) bind(c, name="read") result(r)
            import
            integer(c_int), value :: fd
            character(c_char) :: buffer(*)
            integer(c_size_t), value :: n
            integer(c_size_t) :: r
        end function
        function c_gettid() bind(c, name="gettid") result(r)
            import
            integer(c_int) :: r
        end function
    end interface
    integer :: arrived = 0, left = 0
contains
    subroutine tell(name, what)
        character(*), intent(in) :: name, what
        character(200) :: line
        write (line, '(*(a,i0))') 'truth lwp=', c_gettid(), ' num=', omp_get_thread_num(), &
            ' level=', omp_get_level(), ' active=', omp_get_active_level(), ' team=', omp_get_team_num(), &
            ' ancestors=0,', omp_get_ancestor_thread_num(1), ' sizes=1,', omp_get_team_size(1)
        !$omp critical
        write (*, '(a)') trim(line)//' in='//name//' what='//what
        flush (6)
        arrived = arrived + 1
        !$omp end critical
    end subroutine

    integer function arrivals()
        !$omp atomic read
        arrivals = arrived
    end function

    subroutine stay()
        character(c_char) :: buffer(1)
        integer(c_size_t) :: r
        r = c_read(0_c_int, buffer, 1_c_size_t)             ! MARK: stay
        left = left + int(r) + 1
    end subroutine

    subroutine flow(cells)
        integer, intent(inout) :: cells(:)
        !$omp parallel num_threads(2)                       ! MARK: flow
        cells(omp_get_thread_num() + 1) = 1
        if (omp_get_thread_num() == 1) then
            call tell('flow', 'stays')
            do while (arrivals() < 2)
            end do
            call say_ready()
            call stay()                                     ! MARK: stays in flow
        else
            call tell('flow', 'waits')
            !$omp flush
        end if
        !$omp barrier                                       ! MARK: barrier
        cells(omp_get_thread_num() + 1) = cells(omp_get_thread_num() + 1) + 1
        !$omp end parallel
    end subroutine

    subroutine say_ready()
        write (*, '(a)') 'ready'
        flush (6)
    end subroutine
end module

program omp_fortran                                         ! MARK: program
    use ocean
    implicit none
    integer :: cells(2)
    cells = 0
    call omp_set_dynamic(.false.)
    call flow(cells)                                        ! MARK: call of flow
    if (left /= 1 .or. sum(cells) /= 4) stop 1
end program
