! The file routines of MPI through the Fortran 2008 interface: handles have types, error codes may be left out.
program fortran_f08
  use mpi_f08
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer, parameter :: n = 16
  integer :: rank, ranks
  type(MPI_File) :: file
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  integer :: mine(n), again(n), first(n), second(n)
  integer(kind=MPI_OFFSET_KIND) :: offset

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL)
  call open_fresh('f08_data')
  call blocking()
  call nonblocking()
  call split()
  call through_view()
  call MPI_File_close(file)
  call part_of_the_ranks()
  if (rank == 0) print '(a)', 'Fortran 2008 wrote and read everything'
  call MPI_Finalize()

contains
  subroutine fill(values, occasion)
    integer, intent(out) :: values(n)
    integer, intent(in) :: occasion
    integer :: i
    values = [(occasion * 100000 + rank * 100 + i, i = 1, n)]
    again = 0
  end subroutine

  subroutine expect_same(found, expected, what)
    integer, intent(in) :: found(n), expected(n)
    character(len=*), intent(in) :: what
    if (all(found == expected)) return
    write(error_unit, '(2a)') what, ': this was not written'
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  subroutine open_fresh(name)
    character(len=*), intent(in) :: name
    call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file)
    call MPI_File_set_size(file, 0_MPI_OFFSET_KIND)
    offset = int(rank, MPI_OFFSET_KIND) * n * 4
  end subroutine

  ! What collective calls have written may still be on its way through other ranks.
  subroutine settle()
    call MPI_File_sync(file)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_sync(file)
  end subroutine

  subroutine blocking()
    integer :: count
    call fill(mine, 1)
    call MPI_File_write_at(file, offset, mine, n, MPI_INTEGER, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    if (count /= n) call MPI_Abort(MPI_COMM_WORLD, 2)
    call MPI_File_read_at_all(file, offset, again, n, MPI_INTEGER, MPI_STATUS_IGNORE)
    call expect_same(again, mine, 'MPI_File_read_at_all')
    call MPI_File_seek(file, offset, MPI_SEEK_SET)
    call fill(mine, 2)
    call MPI_File_write_all(file, mine, n, MPI_INTEGER, status)
    call settle()
    call MPI_File_seek(file, offset, MPI_SEEK_SET)
    call MPI_File_read(file, again, n, MPI_INTEGER, status)
    call expect_same(again, mine, 'MPI_File_read')
  end subroutine

  subroutine nonblocking()
    integer(kind=MPI_OFFSET_KIND) :: further
    further = offset + int(ranks, MPI_OFFSET_KIND) * n * 4
    call fill(first, 3)
    call fill(second, 4)
    call MPI_File_iwrite_at(file, offset, first, n, MPI_INTEGER, requests(1))
    call MPI_File_iwrite_at(file, further, second, n, MPI_INTEGER, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_File_iread_at(file, further, again, n, MPI_INTEGER, requests(1))
    call MPI_Wait(requests(1), status)
    call expect_same(again, second, 'MPI_File_iread_at')
  end subroutine

  subroutine split()
    call fill(mine, 5)
    call MPI_File_write_at_all_begin(file, offset, mine, n, MPI_INTEGER)
    call MPI_File_write_at_all_end(file, mine, status)
    call settle()
    call MPI_File_read_at_all_begin(file, offset, again, n, MPI_INTEGER)
    call MPI_File_read_at_all_end(file, again, status)
    call expect_same(again, mine, 'MPI_File_read_at_all_end')
  end subroutine

  subroutine through_view()
    type(MPI_Datatype) :: type
    call MPI_Type_create_subarray(2, [4, 4 * ranks], [4, 4], [0, 4 * rank], MPI_ORDER_FORTRAN, MPI_INTEGER, type)
    call MPI_Type_commit(type)
    call MPI_File_set_view(file, 4096_MPI_OFFSET_KIND, MPI_INTEGER, type, 'native', MPI_INFO_NULL)
    call fill(mine, 6)
    call MPI_File_write_all(file, mine, n, MPI_INTEGER, MPI_STATUS_IGNORE)
    call settle()
    call MPI_File_read_at_all(file, 0_MPI_OFFSET_KIND, again, n, MPI_INTEGER, MPI_STATUS_IGNORE)
    call expect_same(again, mine, 'view')
    call MPI_Type_free(type)
  end subroutine

  subroutine part_of_the_ranks()
    type(MPI_Comm) :: half
    character(len=16) :: name
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
    write(name, '(a,i0)') 'f08_half_', mod(rank, 2)
    call MPI_File_open(half, trim(name), MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file)
    call MPI_File_write_ordered(file, mine, n, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_close(file)
    call MPI_Comm_free(half)
  end subroutine
end program
