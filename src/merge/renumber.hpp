// Moving the references of one part's trees (signatures, templates, lists) into shared tables.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::merge {

/// A table that holds equal entries once. Entries are compared by their encoding.
template <class T>
class SharedTable {
 public:
  explicit SharedTable(std::vector<T>& entries) : entries_(entries) {}

  uint32_t number_of(const T& entry) {
    ByteWriter code;
    entry.write(code);
    std::string key(code.bytes().begin(), code.bytes().end());
    auto [found, is_new] = numbers_.try_emplace(std::move(key), static_cast<uint32_t>(entries_.size()));
    if (is_new) entries_.push_back(entry);
    return found->second;
  }

  /// Appends all of them, equal ones included; returns the number of the first.
  uint32_t append(const std::vector<T>& block) {
    auto first = static_cast<uint32_t>(entries_.size());
    entries_.insert(entries_.end(), block.begin(), block.end());
    return first;
  }

 private:
  std::vector<T>& entries_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

struct SharedTables {
  explicit SharedTables(trace::Trace& whole)
      : templates(whole.templates), lists(whole.lists), signatures(whole.signatures) {}
  SharedTable<trace::Template> templates;
  SharedTable<trace::Column> lists;
  SharedTable<trace::Signature> signatures;
};

/// Where the references of one kind of one part go.
struct Renumbering {
  bool as_block = false;  ///< all entries were appended together: new = old + offset
  uint32_t offset = 0;
  std::vector<int64_t> numbers;  ///< otherwise new = numbers[old], -1 while not used yet
};

/// Rewrites the trees of a part; one object per part.
class Renumberer {
 public:
  Renumberer(const trace::Trace& part, SharedTables& shared);
  void apply(std::vector<trace::Node>& nodes);

 private:
  void event(trace::Node& node, const std::vector<trace::Node>& siblings);
  template <class T>
  void index(trace::Value& value, Renumbering& map, const std::vector<T>& from, SharedTable<T>& to);
  const trace::Trace& part_;
  SharedTables& shared_;
  Renumbering templates_, lists_;
  std::vector<int64_t> signatures_;
};

}  // namespace refrain::merge
