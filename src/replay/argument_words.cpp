// See arguments.hpp.
#include "replay/argument_words.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "api/hdf5/id_types.hpp"
#include "api/names.hpp"
#include "replay/library_facts.hpp"
#include "replay/replay_error.hpp"
#include "replay/ring_steps.hpp"
#include "trace/text.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

using trace::OperandKind;

uint64_t address(const void* p) { return reinterpret_cast<uint64_t>(p); }
uint64_t word_of(int64_t v) { return static_cast<uint64_t>(v); }

/// Stand-in for a descriptor that is not a file: a pipe, a socket, a terminal.
uint64_t other_descriptor() {
  static const int fd = [] {
    long low = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
    return refrain_wall_out_of_reach(static_cast<int>(low));
  }();
  return static_cast<uint64_t>(fd);
}

/// An invalid address, and whether the recorded call was given one.
constexpr uint64_t nowhere = 8;
bool leads_nowhere(const trace::Signature& s) { return s.error == "EFAULT"; }

/// An access control list that is equal to the permission bits 0644.
constexpr unsigned char plain_access_list[28] = {2,    0,    0, 0, 1,    0,    6,    0,    0xff, 0xff,
                                                 0xff, 0xff, 4, 0, 4,    0,    0xff, 0xff, 0xff, 0xff,
                                                 0x20, 0,    4, 0, 0xff, 0xff, 0xff, 0xff};

/// Size of memory that a call fills and whose content is not used.
constexpr uint64_t output_bytes = 1 << 16;

bool is_bytes(std::string_view type) {
  return type == "void*" || type == "const void*" || type == "char*" || type == "const char*";
}
/// Whether the call writes into the buffer; otherwise it reads from it.
bool fills(const plan::GivenArgument& g) { return api::facts_of(g.argument->kind).fills; }

}  // namespace

Arguments::Arguments(ThreadContext& stage, const trace::Signature& signature)
    : stage_(stage), signature_(signature), layer_(api::layer_named(signature.layer)) {
  auto plan = plan::plan_call(signature_);
  if (!plan) throw ReplayError{plan.error().message};
  plan_ = std::move(*plan);
  size_t at = 0;
  for (const Operand& o : signature_.operands) {
    homes_.push_back(home_of(o));
    if (o.parameters() == 1 && o.role == trace::Role::bytes_read) reads_.push_back(at);
    if (o.parameters() == 1 && o.role == trace::Role::bytes_written) writes_.push_back(at);
    at += o.parameters();
  }
  homes_.push_back(home_of(signature_.result));
  for (const GivenArgument& g : plan_.arguments)
    if (api::ends(g.argument->kind) && g.count > 0 && homes_[g.first].shelf != nullptr) closed_.push_back(&g);
}

Arguments::Home Arguments::home_of(const Operand& o) {
  if (o.kind != OperandKind::slot) return {};
  uint32_t maker = o.thread == Operand::own_thread ? stage_.thread : static_cast<uint32_t>(o.thread);
  bool is_counted = api::layer_named(signature_.layer).counts_references ||
                    api::facts_of(api::handle_class_named(o.text)).counts_references;
  Handles::If condition = is_counted ? Handles::If::ever_made : Handles::If::open;
  if (stage_.has_threads && maker != stage_.thread) condition = Handles::If::awaited;
  return {&stage_.handles.shelf(o.text, maker), condition};
}

/// Whether the word of an argument is the same for all events.
bool Arguments::is_fixed(const GivenArgument& g) const {
  switch (g.form) {
    case Form::name:
    case Form::status:
      return true;
    case Form::number:
    case Form::system_handle:
      return operand(g).kind == OperandKind::name;
    case Form::library_handle:
      return operand(g).kind == OperandKind::name && Libraries::is_fixed(operand(g).text);
    default:
      return false;
  }
}

Arguments::Step Arguments::step_of(const GivenArgument& g) const {
  auto argument = static_cast<size_t>(&g - plan_.arguments.data());
  bool is_handle = g.form == Form::system_handle || g.form == Form::library_handle;
  if (is_handle && operand(g).kind == OperandKind::slot) return {Step::From::slot, argument, g.parameter};
  if (g.form == Form::number && operand(g).kind == OperandKind::integer)
    return {Step::From::parameter, argument, g.parameter};
  if (g.form == Form::buffer && operand(g).kind != OperandKind::name && !layer().has_typed_buffers &&
      is_bytes(g.argument->type) && !leads_nowhere(signature_) && !plan::sets_access_list(signature_)) {
    const GivenArgument* size = size_near(g);
    if (size != nullptr && operand(*size).kind == OperandKind::integer)
      return {fills(g) ? Step::From::to_read : Step::From::to_write, argument, size->parameter};
  }
  return {Step::From::event, argument, 0};
}

size_t Arguments::plan_words() {
  size_t n = plan_.arguments.size();
  auto is_missing = [](const GivenArgument& g) {
    return g.count == 0 && api::facts_of(g.argument->kind).operands == api::Operands::maybe;
  };
  while (n > 0 && is_missing(plan_.arguments[n - 1])) --n;
  words_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    const GivenArgument& g = plan_.arguments[i];
    if (is_fixed(g))
      words_[i] = word(g);
    else
      steps_.push_back(step_of(g));
  }
  return n;
}

std::span<uint64_t> Arguments::words() {
  for (const Step& s : steps_) {
    uint64_t& word_here = words_[s.argument];
    switch (s.from) {
      case Step::From::parameter:
        word_here = word_of(parameters_[s.parameter]);
        break;
      case Step::From::slot:
        word_here = slot(plan_.arguments[s.argument]);
        break;
      case Step::From::to_write:
        word_here = address(stage_.buffers.to_write(word_of(parameters_[s.parameter])));
        break;
      case Step::From::to_read:
        word_here = address(stage_.buffers.to_read(word_of(parameters_[s.parameter])));
        break;
      case Step::From::event:
        word_here = word(plan_.arguments[s.argument]);
        break;
    }
  }
  return words_;
}

uint64_t Arguments::moved(trace::Role role) const {
  uint64_t bytes = 0;
  for (size_t p : role == trace::Role::bytes_read ? reads_ : writes_)
    if (parameters_[p] > 0) bytes += word_of(parameters_[p]);
  return bytes;
}

int64_t Arguments::recorded_result() const {
  return signature_.result.kind == OperandKind::integer ? parameters_[plan_.result_parameter] : 0;
}

uint64_t Arguments::slot(const GivenArgument& g) {
  const Home& home = homes_[g.first];
  return home.shelf->get(parameters_[g.parameter], home.condition);
}

bool Arguments::is_of_mpi() const { return layer().home == "mpi"; }

/// What the library that is here has for a constant whose number in our tables is `value`.
uint64_t Arguments::library_value(Kind kind, uint64_t value) const {
  if (kind == Kind::h5_id_type)
    return word_of(
        api::id_type_in_library(static_cast<int32_t>(value), stage_.libraries.hdf5_version() >= 112));
  if (!is_of_mpi()) return value;
  return word_of(stage_.libraries.mpi().from_named(kind, static_cast<int32_t>(value)));
}

/// Flags and enumerators.
uint64_t Arguments::named(const GivenArgument& g) const {
  const Operand& o = operand(g);
  if (o.kind != OperandKind::name) throw ReplayError{"a flag that is no name"};
  if (plan::sends_signals(signature_, g)) throw ReplayError{"would have signals sent to another process"};
  auto value = api::value_of(g.argument->kind, o.text);
  if (!value) throw ReplayError{fmt::format("the unknown name {}", trace::plain_name(o.text))};
  return library_value(g.argument->kind, *value);
}

uint64_t Arguments::system_handle(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::slot) return slot(g);
  if (o.kind == OperandKind::integer && g.argument->kind == Kind::uring_file)
    return word_of(registered_file(parameters_[g.parameter]));
  if (o.text == "NULL") return 0;
  if (o.text == "AT_FDCWD") return word_of(AT_FDCWD);
  if (plan::changes_attributes(signature_)) throw ReplayError{"changes something that is no file"};
  if (g.argument->type == "int" || g.argument->kind == Kind::ioctl_argument) return other_descriptor();
  throw ReplayError{"uses something that is no file"};
}

uint64_t Arguments::library_handle(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::slot) return slot(g);
  if (o.kind != OperandKind::name) throw ReplayError{"a handle that is none"};
  if (o.text == "0" || o.text == "NULL") return 0;
  if (o.text == "invalid" && g.argument->type == "int") return ~uint64_t{0};
  if (o.text == "invalid") return plan::takes_closed_list(signature_) ? stage_.libraries.closed_list() : 1;
  if (o.text == "H5F_OBJ_ALL") return hdf5_all_objects;
  if (o.text == "foreign")
    throw ReplayError{"uses a communicator with processes that the trace doesn't hold"};
  return stage_.libraries.predefined(o.text);
}

/// A handle that the call takes by address because it frees it.
uint64_t Arguments::behind(const GivenArgument& g) {
  auto* place = stage_.buffers.list<uint64_t>(1);
  *place = library_handle(g);
  return address(place);
}

/// Memory for what the call makes or returns by address.
uint64_t Arguments::output(const GivenArgument& g) {
  if (g.form == Form::made_behind && plan::leaves_out_result(signature_)) return 0;
  auto* place = reinterpret_cast<uint64_t*>(stage_.buffers.scratch(output_bytes));
  *place = 0;  // a handle may be shorter
  if (g.form == Form::made_behind && signature_.result.kind == OperandKind::slot)
    pending_.push_back({homes_.back().shelf, parameters_[plan_.result_parameter], place});
  if (g.count > 0 && operand(g).kind == OperandKind::slot)
    pending_.push_back({homes_[g.first].shelf, parameters_[g.parameter], place});
  return address(place);
}

uint64_t Arguments::number(const GivenArgument& g) const {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::integer) return word_of(parameters_[g.parameter]);
  if (o.text == "H5S_UNLIMITED" || o.text == "H5T_VARIABLE") return ~uint64_t{0};
  if (auto value = api::value_of(g.argument->kind, o.text)) return library_value(g.argument->kind, *value);
  throw ReplayError{"a number that is none"};
}

/// The size argument nearest to a buffer, which gives the size of the buffer; null if there is none.
const Arguments::GivenArgument* Arguments::size_near(const GivenArgument& g) const {
  const GivenArgument* nearest = nullptr;
  for (const GivenArgument& other : plan_.arguments) {
    if (!api::facts_of(other.argument->kind).is_size) continue;
    if (nearest == nullptr || std::abs(&other - &g) < std::abs(nearest - &g)) nearest = &other;
  }
  return nearest;
}

uint64_t Arguments::buffer(const GivenArgument& g) {
  if (operand(g).kind == OperandKind::name) return 0;
  if (leads_nowhere(signature_)) return nowhere;
  if (layer().has_typed_buffers) return mpi_buffer(g, !fills(g));
  std::string_view type = g.argument->type;
  const GivenArgument* size = size_near(g);
  uint64_t bytes = size == nullptr ? 0 : number(*size);
  if (plan::sets_access_list(signature_) && bytes == sizeof plain_access_list)
    return address(plain_access_list);
  if (is_bytes(type))
    return address(fills(g) ? stage_.buffers.to_read(bytes) : stage_.buffers.to_write(bytes));
  if (!fills(g)) return 0;  // a time: now
  if (bytes > Buffers::max_bytes / 512) throw ReplayError{"asks for more than there can be"};
  char* place = stage_.buffers.scratch(output_bytes + 512 * bytes);
  if (type.starts_with("H5AC_")) *place = 1;  // the version of the structure, which is asked for
  return address(place);
}

/// An argument that isn't recorded because it follows from others or has no effect.
uint64_t Arguments::implied(const GivenArgument& g) {
  std::string_view type = g.argument->type, name = g.argument->name;
  if (name == "vector_length" || (name == "count" && type == "int")) {
    const GivenArgument& before = *(&g - 1);
    if (before.count > 0 && operand(before).text == "unreadable") return 1;
    return before.count == 0 ? 0 : numbers(before).size();
  }
  if (name == "character") return 'x';
  if (type.starts_with("MPI_") && type.ends_with("function*")) return address(ignored_function());
  if (type == "MPI_Status*") return stage_.libraries.mpi().status_ignore;
  bool is_told = type.ends_with('*') && !type.starts_with("const ") && type != "void*";
  return is_told ? address(stage_.buffers.scratch(output_bytes)) : 0;
}

uint64_t Arguments::fcntl_argument(const GivenArgument& g) {
  const Operand& o = operand(g);
  if (o.kind == OperandKind::list && o.width == 4) {
    struct flock* lock = stage_.buffers.list<struct flock>(1);
    lock->l_type = static_cast<short>(parameters_[g.parameter]);
    lock->l_whence = static_cast<short>(parameters_[g.parameter + 1]);
    lock->l_start = parameters_[g.parameter + 2];
    lock->l_len = parameters_[g.parameter + 3];
    return address(lock);
  }
  if (g.argument->kind == Kind::ioctl_argument) return system_handle(g);
  if (o.kind == OperandKind::integer) return word_of(parameters_[g.parameter]);
  if (o.kind == OperandKind::data) return address(stage_.buffers.scratch(4096));
  if (o.text == "NULL") return 0;
  if (o.text == "unreadable") return nowhere;
  auto flags = api::value_of(Kind::open_flags, o.text);
  if (!flags) throw ReplayError{fmt::format("the unknown name {}", trace::plain_name(o.text))};
  return *flags;
}

/// A single value of an HDF5 type, as many bytes as the type has.
uint64_t Arguments::typed_value(const GivenArgument& g) {
  const Operand& o = operand(g);
  const GivenArgument& type = plan::type_of(plan_, g);
  if (o.kind == OperandKind::sized_data)
    return address(stage_.buffers.to_write(word_of(parameters_[g.parameter])));
  if (o.text == "NULL") return 0;
  if (o.text == "data") return address(stage_.buffers.to_write(0));
  uint64_t size = hdf5_type_size(stage_.libraries, word(type));
  char* at = stage_.buffers.scratch(64);
  if (o.kind == OperandKind::integer) {
    int64_t value = parameters_[g.parameter];
    memcpy(at, &value, std::min<uint64_t>(size, sizeof value));
    return address(at);
  }
  auto bits = api::value_of(Kind::h5_real, o.text);
  if (!bits) throw ReplayError{"a value that can't be read"};
  double wide;
  memcpy(&wide, &*bits, sizeof wide);
  auto narrow = static_cast<float>(wide);
  if (size == sizeof narrow)
    memcpy(at, &narrow, sizeof narrow);
  else
    memcpy(at, &wide, sizeof wide);
  return address(at);
}

uint64_t Arguments::function(const GivenArgument& g) const {
  if (operand(g).text == "NULL") return 0;
  if (g.argument->type == "H5E_auto2_t") return address(stage_.libraries.function("H5Eprint2"));
  if (g.argument->type == "H5E_auto1_t") return address(stage_.libraries.function("H5Eprint1"));
  return address(ignored_function());
}

bool Arguments::is_slot(std::string_view name) const {
  const GivenArgument& g = plan_.named(name);
  return g.count > 0 && homes_[g.first].shelf != nullptr;
}

void Arguments::put_operand(std::string_view name, uint64_t word) {
  const GivenArgument& g = plan_.named(name);
  if (g.count == 0 || homes_[g.first].shelf == nullptr) throw ReplayError{"makes something that has no name"};
  homes_[g.first].shelf->put(parameters_[g.parameter], word);
}

uint64_t Arguments::made(uint64_t result) const {
  return plan::is_made_as_result(*plan_.row) || pending_.empty() ? result : *pending_.front().made;
}

void Arguments::keep(uint64_t result) {
  for (const GivenArgument* g : closed_) homes_[g->first].shelf->drop(parameters_[g->parameter]);
  if (homes_.back().shelf != nullptr && plan::is_made_as_result(*plan_.row))
    homes_.back().shelf->put(parameters_[plan_.result_parameter], result);
  for (const Pending& p : pending_) p.shelf->put(p.slot, *p.made);
  pending_.clear();
}

uint64_t Arguments::library_argument(const GivenArgument& g) {
  switch (g.form) {
    case Form::made_id:
      return operand(g).kind == OperandKind::name && operand(g).text == "NULL" ? 0 : output(g);
    case Form::output_type:
    case Form::output_text:
    case Form::output_done:
      return output(g);
    case Form::output:
      return operand(g).kind == OperandKind::name ? 0 : output(g);
    case Form::bytes:
      return bytes(g);
    case Form::variable_data:
      return variable_data(g);
    case Form::several_data:
      return several_data(g);
    case Form::string_data:
      return string_data(g);
    case Form::number_rows:
      return number_rows(g);
    case Form::status:
      return plan::tells_bytes_read(*plan_.row) ? address(status_) : stage_.libraries.mpi().status_ignore;
    case Form::int_list:
    case Form::range_list:
      return list(g, 4);
    case Form::wide_list:
      return list(g, 8);
    case Form::handle_list:
      return handle_list(g);
    case Form::name_list:
      return name_list(g);
    case Form::request_list:
      return request_list(g);
    case Form::memory:
      return memory(g);
    case Form::room:
      return room(g);
    case Form::value:
      return typed_value(g);
    case Form::function:
      return function(g);
    case Form::elements:
      return hdf5_buffer(g);
    case Form::cache_config:
      return cache_config(g);
    case Form::image_config:
      return image_config(g);
    case Form::filter:
      return filter(g);
    case Form::link_class:
      return link_class(g);
    case Form::driver_members:
      return driver_members(g);
    case Form::made_ids:
      return made_ids(g);
    default:
      if (g.count > 0 && operand(g).kind == OperandKind::name && operand(g).text == "NULL") return 0;
      throw ReplayError{"takes a structure that the trace doesn't hold whole"};
  }
}

uint64_t Arguments::word(const GivenArgument& g) {
  switch (g.form) {
    case Form::name:
      return g.count == 0 ? 0 : named(g);
    case Form::number:
      return number(g);
    case Form::number_behind: {
      if (operand(g).kind == OperandKind::name) return 0;
      if (leads_nowhere(signature_)) return nowhere;
      auto* place = stage_.buffers.list<int64_t>(1);
      *place = parameters_[g.parameter];
      return address(place);
    }
    case Form::text:
      if (leads_nowhere(signature_) && operand(g).text == "unreadable") return nowhere;
      return operand(g).text == "NULL" ? 0 : address(stage_.buffers.text(operand(g).text));
    case Form::string:
    case Form::path:
    case Form::later_path:
    case Form::extension:
      if (operand(g).kind == OperandKind::name) return operand(g).text == "NULL" ? 0 : nowhere;
      return address(stage_.buffers.text(g.form == Form::path         ? path(g)
                                         : g.form == Form::later_path ? later_path(g)
                                         : g.form == Form::extension  ? extension(g)
                                                                      : string(g)));
    case Form::system_handle:
      return system_handle(g);
    case Form::library_handle:
      return library_handle(g);
    case Form::handle_behind:
      return behind(g);
    case Form::made_behind:
      return output(g);
    case Form::mapped: {
      if (operand(g).kind != OperandKind::slot) throw ReplayError{"an address that is none"};
      uint64_t begin = slot(g) + word_of(parameters_[g.parameter + 1]);
      if (!refrain_wall_is_mapped(begin, word("length"),
                                  plan_.row->is(api::Trait::unmaps_file) && signature_.error.empty()))
        throw ReplayError{"this memory is not mapped by a call of the trace"};
      return begin;
    }
    case Form::buffer:
      return buffer(g);
    case Form::vector:
      return vector(g);
    case Form::lock_or_number:
      return g.count == 0 ? 0 : fcntl_argument(g);
    case Form::implied:
      return implied(g);
    case Form::list_length:
      return list_length(g);
    case Form::aio_list:
      return aio_list(g);
    case Form::started_list:
      return started_list(g);
    case Form::fd_list:
      return descriptor_list(g);
    default:
      return library_argument(g);
  }
}

}  // namespace refrain::replay
