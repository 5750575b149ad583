! The file routines of MPI through the older Fortran interface (mpif.h): integers for handles, an error code at the
! end of every call. Each rank checks what it reads; rank 0 prints one line.
program fortran_every_mpiio
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 32
  integer :: rank, ranks, code, file, request
  integer :: status(MPI_STATUS_SIZE)
  integer :: mine(n), again(n)
  integer(kind=MPI_OFFSET_KIND) :: offset, size

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call explicit_offsets()
  call own_pointer()
  call shared_pointer()
  call views()
  call properties()
  if (rank == 0) print '(a)', 'Fortran wrote and read everything'
  call MPI_Finalize(code)

contains
  subroutine must(what)
    character(len=*), intent(in) :: what
    character(len=MPI_MAX_ERROR_STRING) :: why
    integer :: length, ignored
    if (code == MPI_SUCCESS) return
    call MPI_Error_string(code, why, length, ignored)
    write(0, '(4a)') 'fortran_every_mpiio: ', what, ': ', why(1:length)
    call MPI_Abort(MPI_COMM_WORLD, 1, ignored)
  end subroutine

  subroutine fill(occasion)
    integer, intent(in) :: occasion
    integer :: i
    mine = [(occasion * 100000 + rank * 100 + i, i = 1, n)]
    again = 0
  end subroutine

  subroutine expect_same(what)
    character(len=*), intent(in) :: what
    integer :: ignored
    call must(what)
    if (all(mine == again)) return
    write(0, '(2a)') what, ': this was not written'
    call MPI_Abort(MPI_COMM_WORLD, 1, ignored)
  end subroutine

  subroutine open_fresh(name)
    character(len=*), intent(in) :: name
    call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, code)
    call must('MPI_File_open')
    size = 0
    call MPI_File_set_size(file, size, code)
    call must('MPI_File_set_size')
  end subroutine

  subroutine close_file()
    call MPI_File_close(file, code)
    call must('MPI_File_close')
  end subroutine

  ! What collective calls have written may still be on its way through other ranks.
  subroutine settle(what)
    character(len=*), intent(in) :: what
    call must(what)
    call MPI_File_sync(file, code)
    call must('MPI_File_sync')
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call MPI_File_sync(file, code)
  end subroutine

  subroutine explicit_offsets()
    call open_fresh('fortran_offsets')
    offset = int(rank, MPI_OFFSET_KIND) * n * 4
    call fill(1)
    call MPI_File_write_at(file, offset, mine, n, MPI_INTEGER, status, code)
    call must('MPI_File_write_at')
    call MPI_File_read_at(file, offset, again, n, MPI_INTEGER, status, code)
    call expect_same('MPI_File_read_at')
    call fill(2)
    call MPI_File_write_at_all(file, offset, mine, n, MPI_INTEGER, status, code)
    call settle('MPI_File_write_at_all')
    call MPI_File_read_at_all(file, offset, again, n, MPI_INTEGER, status, code)
    call expect_same('MPI_File_read_at_all')
    call fill(3)
    call MPI_File_iwrite_at(file, offset, mine, n, MPI_INTEGER, request, code)
    call must('MPI_File_iwrite_at')
    call MPI_Wait(request, status, code)
    call must('MPI_Wait')
    call MPI_File_iread_at(file, offset, again, n, MPI_INTEGER, request, code)
    call must('MPI_File_iread_at')
    call MPI_Wait(request, MPI_STATUS_IGNORE, code)
    call expect_same('MPI_Wait')
    call fill(4)
    call MPI_File_write_at_all_begin(file, offset, mine, n, MPI_INTEGER, code)
    call MPI_File_write_at_all_end(file, mine, status, code)
    call settle('MPI_File_write_at_all_end')
    call MPI_File_read_at_all_begin(file, offset, again, n, MPI_INTEGER, code)
    call MPI_File_read_at_all_end(file, again, status, code)
    call expect_same('MPI_File_read_at_all_end')
    call close_file()
  end subroutine

  subroutine own_pointer()
    call open_fresh('fortran_pointers')
    offset = int(rank, MPI_OFFSET_KIND) * n * 4
    call MPI_File_seek(file, offset, MPI_SEEK_SET, code)
    call must('MPI_File_seek')
    call fill(5)
    call MPI_File_write(file, mine, n, MPI_INTEGER, status, code)
    call must('MPI_File_write')
    call MPI_File_get_position(file, size, code)
    call must('MPI_File_get_position')
    call MPI_File_seek(file, offset, MPI_SEEK_SET, code)
    call MPI_File_read(file, again, n, MPI_INTEGER, status, code)
    call expect_same('MPI_File_read')
    call MPI_File_seek(file, offset, MPI_SEEK_SET, code)
    call fill(6)
    call MPI_File_write_all(file, mine, n, MPI_INTEGER, status, code)
    call settle('MPI_File_write_all')
    call MPI_File_seek(file, offset, MPI_SEEK_SET, code)
    call MPI_File_read_all(file, again, n, MPI_INTEGER, status, code)
    call expect_same('MPI_File_read_all')
    call MPI_File_seek(file, offset, MPI_SEEK_SET, code)
    call MPI_File_iwrite(file, mine, n, MPI_INTEGER, request, code)
    call MPI_Wait(request, status, code)
    call must('MPI_File_iwrite')
    call MPI_File_seek(file, offset, MPI_SEEK_SET, code)
    call MPI_File_iread(file, again, n, MPI_INTEGER, request, code)
    call MPI_Wait(request, status, code)
    call expect_same('MPI_File_iread')
    call close_file()
  end subroutine

  subroutine shared_pointer()
    call open_fresh('fortran_shared')
    call fill(7)
    call MPI_File_write_ordered(file, mine, n, MPI_INTEGER, status, code)
    call settle('MPI_File_write_ordered')
    size = 0
    call MPI_File_seek_shared(file, size, MPI_SEEK_SET, code)
    call must('MPI_File_seek_shared')
    call MPI_File_read_ordered(file, again, n, MPI_INTEGER, status, code)
    call expect_same('MPI_File_read_ordered')
    call MPI_File_write_shared(file, mine, n, MPI_INTEGER, status, code)
    call must('MPI_File_write_shared')
    call close_file()
  end subroutine

  subroutine views()
    integer :: vector, part, etype, filetype
    integer(kind=MPI_OFFSET_KIND) :: start, found
    character(len=MPI_MAX_DATAREP_STRING) :: representation
    call open_fresh('fortran_views')
    call MPI_Type_vector(n / 4, 4, 4 * ranks, MPI_INTEGER, vector, code)
    call MPI_Type_commit(vector, code)
    start = int(rank, MPI_OFFSET_KIND) * 16
    call MPI_File_set_view(file, start, MPI_INTEGER, vector, 'native', MPI_INFO_NULL, code)
    call must('MPI_File_set_view')
    call fill(8)
    call MPI_File_write_all(file, mine, n, MPI_INTEGER, status, code)
    call settle('MPI_File_write_all')
    offset = 0
    call MPI_File_read_at_all(file, offset, again, n, MPI_INTEGER, status, code)
    call expect_same('MPI_File_read_at_all')
    call MPI_File_get_view(file, found, etype, filetype, representation, code)
    call must('MPI_File_get_view')
    call MPI_Type_create_subarray(2, [8, 4 * ranks], [8, 4], [0, 4 * rank], MPI_ORDER_FORTRAN, MPI_INTEGER, part, code)
    call must('MPI_Type_create_subarray')
    call MPI_Type_commit(part, code)
    start = 0
    call MPI_File_set_view(file, start, MPI_INTEGER, part, 'native', MPI_INFO_NULL, code)
    call fill(9)
    call MPI_File_write_at_all(file, offset, mine, n, MPI_INTEGER, status, code)
    call settle('MPI_File_write_at_all')
    call MPI_File_read_at_all(file, offset, again, n, MPI_INTEGER, status, code)
    call expect_same('subarray')
    call MPI_Type_free(part, code)
    call MPI_Type_free(vector, code)
    call close_file()
  end subroutine

  subroutine properties()
    integer :: info, mode, group
    call MPI_Info_create(info, code)
    call MPI_Info_set(info, 'cb_nodes', '1', code)
    call must('MPI_Info_set')
    call MPI_File_open(MPI_COMM_SELF, 'fortran_missing', MPI_MODE_RDONLY, info, file, code)
    if (code == MPI_SUCCESS) then
      code = MPI_ERR_OTHER
      call must('a file that is missing was opened')
    end if
    call MPI_File_open(MPI_COMM_WORLD, 'fortran_offsets', MPI_MODE_RDWR, info, file, code)
    call must('MPI_File_open')
    call MPI_File_get_size(file, size, code)
    call must('MPI_File_get_size')
    call MPI_File_get_amode(file, mode, code)
    call MPI_File_get_group(file, group, code)
    call MPI_Group_free(group, code)
    call close_file()
    call MPI_Info_free(info, code)
    if (rank == 0) call MPI_File_delete('fortran_shared', MPI_INFO_NULL, code)
    call must('MPI_File_delete')
  end subroutine
end program
