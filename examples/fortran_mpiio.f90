! A Fortran program that writes a matrix to one file with MPI-IO and reads it back: the columns go round the ranks
! (a vector view, collective), then every rank notes its number at an offset of its own (independent).
program fortran_mpiio
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  interface
    subroutine leave(code) bind(c, name='exit')
      import :: c_int
      integer(c_int), value :: code
    end subroutine
  end interface
  integer, parameter :: bytes_per_real = 8
  integer :: rows = 256, columns = 16, rounds = 3
  character(len=*), parameter :: file_name = 'fortran_mpiio.dat'
  type(MPI_File) :: file
  type(MPI_Datatype) :: column_view
  integer :: rank, ranks, round, note
  integer(kind=MPI_OFFSET_KIND) :: round_bytes, notes_begin
  double precision, allocatable :: mine(:,:), again(:,:)

  call read_options()
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate(mine(rows, columns), again(rows, columns))
  round_bytes = int(rows, MPI_OFFSET_KIND) * columns * ranks * bytes_per_real
  notes_begin = rounds * round_bytes

  call open_file()
  call make_view()
  do round = 0, rounds - 1
    call fill(round)
    call write_round(round * round_bytes)
  end do
  call settle()
  do round = 0, rounds - 1
    call fill(round)
    call read_round(round * round_bytes)
    if (any(mine /= again)) call give_up('read', 'this was not written')
  end do
  call write_note()
  call close_file()
  deallocate(mine, again)
  if (rank == 0) print '(i0,a,i0,a,a)', rounds, ' rounds of ', columns * ranks, ' columns written to ', file_name
  call MPI_Finalize()

contains
  subroutine give_up(what, why)
    character(len=*), intent(in) :: what, why
    write(error_unit, '(4a)') 'fortran_mpiio: ', what, ': ', trim(why)
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  subroutine check(code, what)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    character(len=MPI_MAX_ERROR_STRING) :: why
    integer :: length
    if (code == MPI_SUCCESS) return
    call MPI_Error_string(code, why, length)
    call give_up(what, why(1:length))
  end subroutine

  ! --rows N, --columns N, --rounds N, --help
  subroutine read_options()
    character(len=32) :: name, value
    integer :: i, problem
    problem = 0
    do i = 1, command_argument_count(), 2
      call get_command_argument(i, name)
      if (name == '--help') then
        print '(a)', 'fortran_mpiio: a matrix written to one file by columns, with MPI-IO from Fortran'
        print '(a)', 'Options: --rows N (256), --columns N of each rank (16), --rounds N (3)'
        stop
      end if
      call get_command_argument(i + 1, value)
      select case (name)
      case ('--rows')
        read(value, *, iostat=problem) rows
      case ('--columns')
        read(value, *, iostat=problem) columns
      case ('--rounds')
        read(value, *, iostat=problem) rounds
      case default
        problem = 1
      end select
      if (problem /= 0 .or. min(rows, columns, rounds) < 1) then
        write(error_unit, '(2a)') 'fortran_mpiio: no sense in option ', trim(name)
        call leave(2_c_int) ! says nothing, as STOP does
      end if
    end do
  end subroutine

  subroutine open_file()
    integer :: code
    call MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDWR + MPI_MODE_CREATE, MPI_INFO_NULL, file, code)
    call check(code, 'MPI_File_open')
    call MPI_File_set_size(file, 0_MPI_OFFSET_KIND, code)
    call check(code, 'MPI_File_set_size')
  end subroutine

  ! The columns rank, rank + ranks, rank + 2 ranks, ...
  subroutine make_view()
    integer :: code
    call MPI_Type_vector(columns, rows, rows * ranks, MPI_DOUBLE_PRECISION, column_view, code)
    call check(code, 'MPI_Type_vector')
    call MPI_Type_commit(column_view, code)
    call check(code, 'MPI_Type_commit')
  end subroutine

  subroutine fill(number)
    integer, intent(in) :: number
    integer :: row, column
    do column = 1, columns
      do row = 1, rows
        mine(row, column) = row + 1000d0 * (rank + (column - 1) * ranks) + 0.5d0 * number
      end do
    end do
  end subroutine

  subroutine set_view(start)
    integer(kind=MPI_OFFSET_KIND), intent(in) :: start
    integer(kind=MPI_OFFSET_KIND) :: first
    integer :: code
    first = start + int(rank, MPI_OFFSET_KIND) * rows * bytes_per_real
    call MPI_File_set_view(file, first, MPI_DOUBLE_PRECISION, column_view, 'native', MPI_INFO_NULL, code)
    call check(code, 'MPI_File_set_view')
  end subroutine

  subroutine write_round(start)
    integer(kind=MPI_OFFSET_KIND), intent(in) :: start
    integer :: code
    call set_view(start)
    call MPI_File_write_all(file, mine, rows * columns, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, code)
    call check(code, 'MPI_File_write_all')
  end subroutine

  ! What was written together may still be on its way through other ranks.
  subroutine settle()
    integer :: code
    call MPI_File_sync(file, code)
    call check(code, 'MPI_File_sync')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_sync(file, code)
    call check(code, 'MPI_File_sync')
  end subroutine

  subroutine read_round(start)
    integer(kind=MPI_OFFSET_KIND), intent(in) :: start
    integer :: code
    call set_view(start)
    call MPI_File_read_all(file, again, rows * columns, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, code)
    call check(code, 'MPI_File_read_all')
  end subroutine

  subroutine write_note()
    integer(kind=MPI_OFFSET_KIND) :: offset
    integer :: code
    call MPI_File_set_view(file, notes_begin, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, code)
    call check(code, 'MPI_File_set_view')
    note = rank
    offset = rank
    call MPI_File_write_at(file, offset, note, 1, MPI_INTEGER, MPI_STATUS_IGNORE, code)
    call check(code, 'MPI_File_write_at')
  end subroutine

  subroutine close_file()
    integer :: code
    call MPI_Type_free(column_view, code)
    call check(code, 'MPI_Type_free')
    call MPI_File_close(file, code)
    call check(code, 'MPI_File_close')
  end subroutine
end program
