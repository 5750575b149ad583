#include "plan/argument_form.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
using Form = ArgumentForm;

Form form_in_system_calls(Kind kind) {
  switch (kind) {
    case Kind::fd:
    case Kind::closed_fd:
    case Kind::dirfd:
    case Kind::stream:
    case Kind::closed_stream:
    case Kind::dir:
    case Kind::closed_dir:
    case Kind::aio:
    case Kind::new_aio:
    case Kind::closed_aio:
      return Form::system_handle;
    case Kind::aio_list:
      return Form::aio_list;
    case Kind::new_aio_list:
      return Form::started_list;
    case Kind::mapped:
      return Form::mapped;
    case Kind::path:
    case Kind::made_path:
      return Form::path;
    case Kind::text:
      return Form::text;
    case Kind::size:
    case Kind::offset:
    case Kind::integer:
    case Kind::target_fd:
      return Form::number;
    case Kind::offset_ptr:
      return Form::number_behind;
    case Kind::fcntl_argument:
    case Kind::ioctl_argument:
      return Form::lock_or_number;
    case Kind::iov_in:
    case Kind::iov_out:
      return Form::vector;
    case Kind::data_in:
    case Kind::data_out:
    case Kind::moved_in:
    case Kind::moved_out:
      return Form::buffer;
    case Kind::implied:
      return Form::implied;
    default:
      return Form::name;
  }
}

Form form_in_mpi(Kind kind) {
  switch (kind) {
    case Kind::mpi_file:
    case Kind::comm:
    case Kind::mpi_group:
    case Kind::mpi_type:
    case Kind::mpi_info:
    case Kind::errhandler:
    case Kind::request:
      return Form::library_handle;
    case Kind::closed_mpi_file:
    case Kind::freed_comm:
    case Kind::freed_mpi_group:
    case Kind::committed_mpi_type:
    case Kind::freed_mpi_type:
    case Kind::freed_mpi_info:
    case Kind::freed_errhandler:
    case Kind::freed_mpi_op:
    case Kind::freed_request:
    case Kind::cancelled_request:
      return Form::handle_behind;
    case Kind::new_mpi_file:
    case Kind::new_comm:
    case Kind::new_mpi_group:
    case Kind::new_mpi_type:
    case Kind::new_mpi_info:
    case Kind::new_errhandler:
    case Kind::new_mpi_op:
    case Kind::new_request:
    case Kind::out_int:
    case Kind::out_offset:
    case Kind::out_amode:
    case Kind::out_thread_level:
    case Kind::out_indices:
      return Form::made_behind;
    case Kind::mpi_types:
      return Form::handle_list;
    case Kind::distributions:
      return Form::name_list;
    case Kind::requests:
      return Form::request_list;
    case Kind::list_size:
      return Form::list_length;
    case Kind::int_list:
    case Kind::last_list:
    case Kind::sum_list:
    case Kind::weights:
    case Kind::sum_weights:
    case Kind::cart_list:
      return Form::int_list;
    case Kind::ranges:
      return Form::range_list;
    case Kind::aint_list:
      return Form::wide_list;
    case Kind::string:
      return Form::string;
    case Kind::io_status:
      return Form::status;
    case Kind::out_flag:
      return Form::told_done;
    case Kind::out_text:
      return Form::told_text;
    case Kind::seen_mpi_type:
      return Form::told_type;
    case Kind::seen_object:
      return Form::unkept;
    default:
      return Form::name;
  }
}

Form form_in_hdf5(Kind kind) {
  switch (kind) {
    case Kind::h5_id:
    case Kind::h5_closed:
    case Kind::h5_space:
    case Kind::h5_plist:
    case Kind::h5_stack:
    case Kind::h5_vfd:
    case Kind::h5_closed_vfd:
    case Kind::h5_comm:
    case Kind::h5_info:
      return Form::library_handle;
    case Kind::h5_name:
      return Form::string;
    case Kind::h5_file:
      return Form::later_path;
    case Kind::h5_extension:
      return Form::extension;
    case Kind::h5_read:
    case Kind::h5_written:
      return Form::number;
    case Kind::h5_words:
      return Form::int_list;
    case Kind::h5_sizes:
    case Kind::h5_coordinates:
    case Kind::h5_offsets:
    case Kind::h5_points:
    case Kind::h5_extent:
      return Form::wide_list;
    case Kind::h5_value:
    case Kind::h5_value_before:
    case Kind::h5_member_value:
      return Form::value;
    case Kind::h5_multi_map:
    case Kind::h5_multi_plists:
    case Kind::h5_multi_names:
    case Kind::h5_multi_offsets:
      return Form::driver_members;
    case Kind::h5_cache_config:
      return Form::cache_config;
    case Kind::h5_filter_class:
      return Form::filter;
    case Kind::h5_function:
      return Form::function;
    case Kind::h5_data_in:
    case Kind::h5_data_out:
    case Kind::h5_attribute_in:
    case Kind::h5_attribute_out:
      return Form::elements;
    case Kind::h5_memory_out:
    case Kind::h5_memory_in:
      return Form::memory;
    case Kind::h5_room:
      return Form::room;
    case Kind::new_h5_comm:
    case Kind::new_h5_info:
    case Kind::new_h5_behind:
      return Form::made_id;
    case Kind::new_h5_multi:
      return Form::made_ids;
    case Kind::h5_image_config:
      return Form::image_config;
    case Kind::h5_link_class:
      return Form::link_class;
    default:
      return Form::name;
  }
}

}  // namespace

ArgumentForm form_of(Kind kind) {
  if (kind < Kind::mpi_file) return form_in_system_calls(kind);
  return kind < Kind::h5_id ? form_in_mpi(kind) : form_in_hdf5(kind);
}

}  // namespace refrain::plan
