! Writes one dataset through the Fortran interface of HDF5.
program h5_fortran
  use hdf5
  implicit none
  integer(hid_t) :: file, space, set
  integer :: error, data(4) = [1,2,3,4]
  integer(hsize_t) :: dims(1) = [4]
  call h5open_f(error)
  call h5fcreate_f("fortran.h5", H5F_ACC_TRUNC_F, file, error)
  call h5screate_simple_f(1, dims, space, error)
  call h5dcreate_f(file, "numbers", H5T_NATIVE_INTEGER, space, set, error)
  call h5dwrite_f(set, H5T_NATIVE_INTEGER, data, dims, error)
  call h5dclose_f(set, error)
  call h5sclose_f(space, error)
  call h5fclose_f(file, error)
  call h5close_f(error)
end program h5_fortran
