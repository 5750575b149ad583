// Strings to templates, fast: the digits of a path are its integers, the rest is looked up by content.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/signature.hpp"

namespace refrain::record {

class TemplateTable {
 public:
  struct Found {
    uint32_t index;
    uint32_t fields;
    bool fresh;  ///< new in the table: its definition must be kept
  };
  /// The template of `text`, and the values of its fields (at most Template::max_fields).
  Found find(std::string_view text, int64_t* fields);
  /// The template last found fresh.
  const trace::Template& latest() const { return latest_; }
  size_t memory() const;

 private:
  struct Entry {
    uint64_t hash;
    uint32_t at, length;  ///< skeleton, in pool_
    uint32_t index;
  };
  /// A text as it was last found: most programs name the same few files again and again.
  class Recent {
   public:
    static constexpr size_t shortest = 8, longest = 96;
    /// Where it would be; for texts of these lengths.
    static size_t place(std::string_view text);
    bool is(std::string_view text) const;
    void keep(std::string_view text, Found found, const int64_t* fields);
    Found found(int64_t* fields) const;

   private:
    static constexpr uint32_t most_fields = 4;
    uint32_t length_ = 0, index_ = 0, fields_ = 0;  ///< length 0: none
    char text_[longest] = {};
    int64_t values_[most_fields] = {};
  };
  static constexpr size_t recent_bits = 3;

  Found take_apart(std::string_view text, int64_t* fields);
  int64_t look_up(std::string_view skeleton, uint64_t hash) const;
  void insert(std::string_view skeleton, uint64_t hash);

  Recent recent_[size_t{1} << recent_bits];
  std::vector<char> pool_;
  std::vector<Entry> entries_;  ///< open addressing; length 0: free
  uint32_t size_ = 0;
  trace::Template latest_;
  std::vector<char> buffer_;  ///< for skeletons: the application's stack may be small
};

}  // namespace refrain::record
