#include "record/hdf5_contents.hpp"

#include <cstring>
#include <memory>

#include "record/hdf5_callers.hpp"
#include "record/hdf5_memory.hpp"
#include "record/real.hpp"
#include "record/recorder.hpp"

namespace refrain::record::hdf5 {
namespace {

RF_HDF5_REAL(H5Tget_class, int(int64_t))
RF_HDF5_REAL(H5Tget_size, size_t(int64_t))
RF_HDF5_REAL(H5Tget_super, int64_t(int64_t))
RF_HDF5_REAL(H5Tget_nmembers, int(int64_t))
RF_HDF5_REAL(H5Tget_member_type, int64_t(int64_t, unsigned))
RF_HDF5_REAL(H5Tget_member_offset, size_t(int64_t, unsigned))
RF_HDF5_REAL(H5Tis_variable_str, int(int64_t))
RF_HDF5_REAL(H5Tdetect_class, int(int64_t, int))
RF_HDF5_REAL(H5Tclose, int(int64_t))
RF_HDF5_REAL(H5Sclose, int(int64_t))
RF_HDF5_REAL(H5Sget_select_npoints, long long(int64_t))
RF_HDF5_REAL(H5Dget_space, int64_t(int64_t))
RF_HDF5_REAL(H5Aget_space, int64_t(int64_t))
using Operator = int (*)(void*, int64_t, unsigned, const unsigned long long*, void*);
RF_HDF5_REAL(H5Diterate, int(void*, int64_t, int64_t, Operator, void*))

enum TypeClass { string = 3, compound = 6, reference = 7, variable = 9, array = 10 };  // of H5T_class_t

constexpr size_t object_reference_bytes = 8;  // hobj_ref_t
constexpr size_t most_numbers = size_t{1} << 20;
constexpr int deepest = 32;

/// Where in an element of a type something is that is more than bytes.
struct Held {
  int type_class = 0;  ///< string, reference or variable; array for several of what follows
  size_t offset = 0;
  size_t count = 1, bytes = 0;  ///< of an array's elements; of those of a sequence
  std::vector<Held> inner{};    ///< in each of these
};

class Closed {
 public:
  explicit Closed(Identifier type) : type_(type) {}
  ~Closed() {
    if (type_ >= 0) real_H5Tclose()(type_);
  }
  Closed(const Closed&) = delete;
  Closed& operator=(const Closed&) = delete;
  Identifier get() const { return type_; }

 private:
  Identifier type_;
};

void look(Identifier type, size_t offset, int depth, std::vector<Held>& out) {
  if (type < 0 || depth > deepest || !holds_more_than_bytes(type)) return;
  switch (int c = real_H5Tget_class()(type); c) {
    case string:
      out.push_back({.type_class = string, .offset = offset});
      return;
    case reference:
      if (real_H5Tget_size()(type) == object_reference_bytes)
        out.push_back({.type_class = reference, .offset = offset});
      return;
    case variable:
    case array: {
      Closed base(real_H5Tget_super()(type));
      if (base.get() < 0) return;
      Held held{.type_class = c, .offset = offset, .bytes = real_H5Tget_size()(base.get())};
      if (c == array && held.bytes > 0) held.count = real_H5Tget_size()(type) / held.bytes;
      look(base.get(), 0, depth + 1, held.inner);
      if (c == variable || !held.inner.empty()) out.push_back(std::move(held));
      return;
    }
    case compound: {
      int members = real_H5Tget_nmembers()(type);
      for (int m = 0; m < members; ++m) {
        Closed member(real_H5Tget_member_type()(type, static_cast<unsigned>(m)));
        look(member.get(), offset + real_H5Tget_member_offset()(type, static_cast<unsigned>(m)), depth + 1,
             out);
      }
      return;
    }
    default:
      return;
  }
}

/// HDF5's hvl_t.
struct Sequence {
  size_t length;
  const char* first;
};

class Collector {
 public:
  Collector(LibraryCall& call, std::vector<Held> held)
      : call_(call), out_(call.lane.contents), held_(std::move(held)) {
    out_.clear();
  }

  void element(const char* at) { all(held_, at); }
  bool complete() const { return complete_; }
  static int take(void* element, int64_t, unsigned, const unsigned long long*, void* self) {
    auto* collector = static_cast<Collector*>(self);
    try {
      collector->element(static_cast<const char*>(element));
    } catch (const std::exception&) {
      collector->complete_ = false;
    }
    return 0;
  }

 private:
  void add(int64_t number) {
    if (out_.size() < most_numbers)
      out_.push_back(number);
    else
      complete_ = false;
  }
  void all(const std::vector<Held>& held, const char* element) {
    for (const Held& h : held)
      if (complete_) one(h, element + h.offset);
  }
  void one(const Held& h, const char* at) {
    if (h.type_class == string) {
      const char* text;
      std::memcpy(&text, at, sizeof text);
      add(text == nullptr ? -1 : static_cast<int64_t>(std::strlen(text)));
    } else if (h.type_class == reference) {
      auto number = number_of_reference(call_, at);
      add(number ? static_cast<int64_t>(*number) : -1);
    } else if (h.type_class == array) {
      for (size_t k = 0; k < h.count && complete_; ++k) all(h.inner, at + k * h.bytes);
    } else {
      Sequence sequence;
      std::memcpy(&sequence, at, sizeof sequence);
      if (sequence.first == nullptr) sequence.length = 0;
      add(static_cast<int64_t>(sequence.length));
      if (h.inner.empty()) return;
      for (size_t k = 0; k < sequence.length && complete_; ++k) all(h.inner, sequence.first + k * h.bytes);
    }
  }

  LibraryCall& call_;
  std::vector<int64_t>& out_;
  std::vector<Held> held_;
  bool complete_ = true;
};

/// The argument that is the elements' memory.
size_t buffer_of(const LibraryCall& call) {
  size_t i = call.count() - 1;
  while (i > 0 && call.kind(i) != api::Kind::h5_attribute_in && call.kind(i) != api::Kind::h5_data_in) --i;
  return i;
}

/// The space of what was written: that in memory, else that in the file, else all; to be closed if it is
/// `own`.
Identifier space_of(const LibraryCall& call, bool& own) {
  bool is_attribute = call.kind(buffer_of(call)) == api::Kind::h5_attribute_in;
  own = is_attribute || (call.words[2] == 0 && call.words[3] == 0);
  if (is_attribute) return real_H5Aget_space()(call.integer(0));
  if (own) return real_H5Dget_space()(call.integer(0));
  return call.words[2] != 0 ? call.integer(2) : call.integer(3);
}

}  // namespace

bool holds_more_than_bytes(Identifier type) {
  if (real_H5Tget_class()(type) == string) return real_H5Tis_variable_str()(type) > 0;
  for (int c : {static_cast<int>(string), static_cast<int>(reference), static_cast<int>(variable)})
    if (real_H5Tdetect_class()(type, c) > 0) return true;
  return false;
}

void find_contents(LibraryCall& call) {
  size_t buffer = buffer_of(call);
  if (call.short_way || call.words[buffer] == 0 || call.known <= 0) return;
  try {
    if (!holds_more_than_bytes(call.integer(1))) return;
    std::vector<Held> held;
    look(call.integer(1), 0, 0, held);
    if (held.empty()) return;
    bool own = false;
    Identifier space = space_of(call, own);
    if (space < 0) return;
    Collector collector(call, std::move(held));
    bool told = real_H5Sget_select_npoints()(space) > 0 &&
                real_H5Diterate()(call.pointer<void>(buffer), call.integer(1), space, Collector::take,
                                  &collector) >= 0;
    if (own) real_H5Sclose()(space);
    call.has_contents = told && collector.complete();
    if (SessionPage* page = session_page(); told && !call.has_contents && page != nullptr)
      page->emptied.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::exception&) {
    call.has_contents = false;
  }
}

}  // namespace refrain::record::hdf5
