#include "replay/hdf5_elements.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <vector>

#include "replay/replay_error.hpp"

namespace refrain::replay {
namespace {

using Id = int64_t;
enum TypeClass { string = 3, compound = 6, reference = 7, variable = 9, array = 10 };  // of H5T_class_t
constexpr size_t object_reference_bytes = 8;                                           // hobj_ref_t
constexpr int deepest = 32;

/// HDF5's hvl_t.
struct Sequence {
  size_t length;
  char* first;
};

class Filler {
 public:
  Filler(ThreadContext& stage, std::span<const int64_t> numbers) : stage_(stage), numbers_(numbers) {}

  static int put_one(void* to, Id type, unsigned, const unsigned long long*, void* self) {
    auto* filler = static_cast<Filler*>(self);
    try {
      filler->put(type, static_cast<char*>(to), 0);
      return 0;
    } catch (...) {  // not through the library
      filler->trouble_ = std::current_exception();
      return -1;
    }
  }
  void finish() const {
    if (trouble_) std::rethrow_exception(trouble_);
  }

  template <class Function>
  Function* get(const char* name) {
    return stage_.libraries.get<Function>(name);
  }

 private:
  int64_t next() { return at_ < numbers_.size() ? numbers_[at_++] : -1; }
  int class_of(Id type) { return get<int(Id)>("H5Tget_class")(type); }
  size_t size_of(Id type) { return get<size_t(Id)>("H5Tget_size")(type); }
  void close(Id type) { get<int(Id)>("H5Tclose")(type); }
  bool holds_more(Id type) {
    auto* has = get<int(Id, int)>("H5Tdetect_class");
    return has(type, string) > 0 || has(type, reference) > 0 || has(type, variable) > 0;
  }

  /// Memory that is freed after the call. There may be many small pieces.
  char* memory(int64_t count, size_t size) {
    constexpr uint64_t chunk = 1 << 20;
    uint64_t bytes = Buffers::bytes_of(static_cast<uint64_t>(count), size), rounded = (bytes + 16) / 16 * 16;
    if (rounded > left_) {
      left_ = std::max(rounded, chunk);
      room_ = stage_.buffers.scratch(left_);
    }
    char* at = room_;
    room_ += rounded, left_ -= rounded;
    for (uint64_t i = 0; i < bytes; ++i) at[i] = static_cast<char>('a' + i % 23);
    at[bytes] = 0;
    return at;
  }

  void put(Id type, char* to, int depth) {
    if (depth > deepest) throw ReplayError{"a datatype of too many levels"};
    switch (class_of(type)) {
      case string: {
        if (get<int(Id)>("H5Tis_variable_str")(type) <= 0) return;
        int64_t length = next();
        char* text = length < 0 ? nullptr : memory(length, 1);
        memcpy(to, &text, sizeof text);
        return;
      }
      case reference:
        return put_reference(type, to);
      case variable:
      case array:
        return put_several(type, to, depth);
      case compound:
        for (unsigned m = 0; m < static_cast<unsigned>(std::max(0, get<int(Id)>("H5Tget_nmembers")(type)));
             ++m) {
          Id member = get<Id(Id, unsigned)>("H5Tget_member_type")(type, m);
          put(member, to + get<size_t(Id, unsigned)>("H5Tget_member_offset")(type, m), depth + 1);
          close(member);
        }
        return;
      default:
        return;
    }
  }

  void put_reference(Id type, char* to) {
    if (size_of(type) != object_reference_bytes) return;
    int64_t number = next();
    if (number < 0) return;
    std::vector<char>& kept = stage_.buffers.kept("reference", number);
    if (kept.size() < object_reference_bytes) throw ReplayError{"writes a reference that no call has left"};
    memcpy(to, kept.data(), object_reference_bytes);
  }

  void put_several(Id type, char* to, int depth) {
    Id base = get<Id(Id)>("H5Tget_super")(type);
    size_t size = size_of(base);
    bool more = holds_more(base), is_sequence = class_of(type) == variable;
    int64_t count = is_sequence ? next() : static_cast<int64_t>(size_of(type) / std::max<size_t>(size, 1));
    char* first = to;
    if (is_sequence) {
      Sequence sequence{count > 0 ? static_cast<size_t>(count) : 0,
                        count > 0 ? memory(count, size) : nullptr};
      first = sequence.first;
      if (more && first != nullptr) memset(first, 0, sequence.length * size);
      memcpy(to, &sequence, sizeof sequence);
    }
    for (int64_t i = 0; more && i < count; ++i) put(base, first + static_cast<size_t>(i) * size, depth + 1);
    close(base);
  }

  ThreadContext& stage_;
  std::span<const int64_t> numbers_;
  size_t at_ = 0;
  char* room_ = nullptr;
  uint64_t left_ = 0;
  std::exception_ptr trouble_;
};

}  // namespace

void put_contents(ThreadContext& stage, const WrittenElements& elements, std::span<const int64_t> numbers) {
  Quiet quiet;
  Filler filler(stage, numbers);
  auto object = static_cast<Id>(elements.object), type = static_cast<Id>(elements.type);
  bool own = elements.is_attribute || (elements.space == 0 && elements.file_space == 0);
  constexpr uint64_t last_constant = 2;  // H5S_ALL is 0, H5S_BLOCK 1, H5S_PLIST 2
  Id space = static_cast<Id>(elements.space > last_constant ? elements.space : elements.file_space);
  if (own) space = filler.get<Id(Id)>(elements.is_attribute ? "H5Aget_space" : "H5Dget_space")(object);
  if (filler.get<long long(Id)>("H5Sget_select_npoints")(space) > 0) {
    using Operator = int(void*, Id, unsigned, const unsigned long long*, void*);
    filler.get<int(void*, Id, Id, Operator*, void*)>("H5Diterate")(elements.at, type, space, Filler::put_one,
                                                                   &filler);
  }
  if (own) filler.get<int(Id)>("H5Sclose")(space);
  filler.finish();
}

}  // namespace refrain::replay
