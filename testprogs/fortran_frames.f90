! SPDX-FileCopyrightText: The ompdb developers
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Fortran: a module procedure and an internal procedure under an OpenMP region.
module heat
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
contains
    subroutine step(cells, left)
        integer, intent(inout) :: cells(:)
        integer(c_size_t), intent(out) :: left
        call sweep(2)                                       ! MARK: step
        cells(1) = cells(1) + 1
    contains
        recursive subroutine sweep(depth)
            integer, intent(in) :: depth
            character(c_char) :: buffer(1)
            if (depth > 0) then
                call sweep(depth - 1)                       ! MARK: sweep
                cells(depth) = depth
            else
                left = c_read(0_c_int, buffer, 1_c_size_t)  ! MARK: stuck
            end if
        end subroutine
    end subroutine
end module

program fortran_frames
    use heat
    use omp_lib
    implicit none
    integer :: cells(4)
    integer(c_size_t) :: left
    cells = 0
    left = 1
    !$omp parallel num_threads(2)                           ! MARK: region
    if (omp_get_thread_num() == 1) then
        write (*, '(a)') 'ready'
        flush (6)
        call step(cells, left)                              ! MARK: guilty
    end if
    !$omp end parallel
    if (left /= 0 .or. cells(1) /= 2) stop 1
end program
