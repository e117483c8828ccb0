! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! omp_worksharing_fortran LOOP: one thread stays in an iteration of it, the others are through.
module staying
    use iso_c_binding
    implicit none
    interface
        function c_read(fd, buffer, n) bind(c, name="read") result(r)
            import
            integer(c_int), value :: fd
            character(c_char) :: buffer(*)
            integer(c_size_t), value :: n
            integer(c_size_t) :: r
        end function
    end interface
    character(8) :: chosen
    integer :: stayed = 0
contains
    subroutine stay(name)
        character(*), intent(in) :: name
        character(c_char) :: buffer(1)
        if (chosen /= name) return
        write (*, '(a)') 'ready'
        flush (6)
        stayed = stayed + 1 + int(c_read(0_c_int, buffer, 1_c_size_t))
    end subroutine
end module

program omp_worksharing_fortran
    use staying
    implicit none
    integer :: i, n, total
    call get_command_argument(1, chosen)
    n = 20
    total = 0
    !$omp parallel num_threads(2)
    !$omp do schedule(dynamic, 3)       ! MARK: by_two
    do i = 5, n, 2
        if (i == 9) call stay('by_two')
    end do
    !$omp do schedule(static)           ! MARK: down
    do i = n, 1, -3
        if (i == 14) call stay('down')
    end do
    !$omp end parallel
    !$omp parallel do num_threads(2) ordered
    do i = 1, 2
        !$omp ordered
        total = total + i
        !$omp end ordered
    end do
end program
