! Fortran I/O: a sequential text file, a direct-access file of records, an inquiry, and reading both back.
program fortran_io
  implicit none
  integer :: i, unit, value, total
  real(kind=8) :: record(64)
  logical :: present

  open(newunit=unit, file='table.txt', status='replace', action='write')
  do i = 1, 500
    write(unit, '(i6, 1x, i10)') i, i * i
  end do
  close(unit)

  open(newunit=unit, file='records.dat', access='direct', recl=512, form='unformatted', status='replace')
  do i = 1, 40
    record = real(i, kind=8)
    write(unit, rec=i) record
  end do
  total = 0
  do i = 40, 1, -3
    read(unit, rec=i) record
    total = total + int(record(1))
  end do
  close(unit)

  open(newunit=unit, file='table.txt', status='old', action='read')
  do i = 1, 500
    read(unit, *) value, value
  end do
  close(unit)

  inquire(file='no_such_file', exist=present)
  print '(a, i0, a, i0, a, l1)', 'total ', total, ' last ', value, ' present ', present
end program fortran_io
