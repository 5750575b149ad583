// Moving the references of one part's trees (signatures, templates, lists) into shared tables.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::merge {

/// A table that holds equal entries once, as long as that is up to it. Entries are compared by their
/// encoding.
template <class T>
class SharedTable {
 public:
  /// Entries that are there already keep their numbers.
  explicit SharedTable(std::vector<T>& entries) : entries_(entries) {
    for (const T& entry : entries) note(entry);
  }

  uint32_t number_of(const T& entry) {
    auto [found, is_new] = numbers_.try_emplace(key_of(entry), static_cast<uint32_t>(entries_.size()));
    if (is_new) {
      entries_.push_back(entry);
      firsts_.push_back(found->second);
    }
    return found->second;
  }

  /// All of them, one behind the other, equal ones included; returns the number of the first. A block that
  /// is there already, wherever it begins, is used again, so that parts with equal tables don't add up.
  uint32_t append(const std::vector<T>& block) {
    std::vector<uint32_t> firsts;
    for (const T& entry : block) {
      auto known = numbers_.find(key_of(entry));
      if (known == numbers_.end()) break;
      firsts.push_back(known->second);
    }
    auto found = firsts.size() < block.size()
                     ? firsts_.end()
                     : std::search(firsts_.begin(), firsts_.end(), firsts.begin(), firsts.end());
    auto number = static_cast<uint32_t>(found - firsts_.begin());
    if (found != firsts_.end()) return number;
    for (const T& entry : block) note(entry);
    entries_.insert(entries_.end(), block.begin(), block.end());
    return number;
  }

 private:
  void note(const T& entry) {
    auto number = static_cast<uint32_t>(firsts_.size());
    firsts_.push_back(numbers_.try_emplace(key_of(entry), number).first->second);
  }
  static std::string key_of(const T& entry) {
    ByteWriter code;
    entry.write(code);
    return {code.bytes().begin(), code.bytes().end()};
  }
  std::vector<T>& entries_;
  std::vector<uint32_t> firsts_;  ///< per entry, the first that is equal to it
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

/// Rewrites the trees of a part, or of several with equal tables. The part must outlive it.
class Renumberer {
 public:
  /// `alike`: the renumberer of a part with equal tables, to which these have been moved already.
  Renumberer(const trace::Trace& part, SharedTables& shared, const Renumberer* alike = nullptr);
  void apply(std::vector<trace::Node>& nodes);

  const trace::Trace& part() const { return part_; }
  /// Whether it does for another part, which has equal tables.
  bool serves(const trace::Trace& other) const;

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
