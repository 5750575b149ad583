// The items of a column. A column without any rule has an item for every second value, and there may be
// millions of them: in a long list each field takes as many bytes as the largest one of the list needs.
//
// Example: sizes below 1000 in random order are runs of two values, {first, stride, 2, 0}. A list of many
// takes two bytes for each first, two for each stride, one for each count and none for bodies: 5 instead
// of 32.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <vector>

namespace refrain::trace {

/// `body == 0`: the arithmetic run first, first+stride, … (`count` values). Otherwise body number `body - 1`
/// of the column, repeated `count` times, its values shifted by first, first+stride, …
struct Item {
  int64_t first = 0;
  int64_t stride = 0;
  uint64_t count = 0;
  uint32_t body = 0;
  bool operator==(const Item&) const = default;
};

class ItemList {
 public:
  ItemList() = default;
  ItemList(const std::vector<Item>& items) : ItemList(items.data(), items.size()) {}
  ItemList(std::initializer_list<Item> items) : ItemList(items.begin(), items.size()) {}
  ItemList(const Item* items, size_t count);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Item operator[](size_t i) const { return is_packed() ? unpacked(i) : plain(i); }
  Item front() const { return (*this)[0]; }
  Item back() const { return (*this)[size_ - 1]; }

  void push_back(const Item& item);
  void set_back(const Item& item);
  /// Makes room for so many in all.
  void reserve(size_t items);
  /// Gives back room that isn't used.
  void shrink();

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = const Item*;
    using reference = Item;
    Iterator(const ItemList& list, size_t at) : list_(&list), at_(at) {}
    Item operator*() const { return (*list_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const ItemList* list_;
    size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

  bool operator==(const ItemList& other) const;

 private:
  static constexpr size_t longest_plain = 256;
  static constexpr size_t fields = 4;
  using Widths = std::array<uint8_t, fields>;  ///< of first, stride, count, body in bytes, 0 to 8

  bool is_packed() const { return each_ != sizeof(Item); }
  static Widths widths_of(const Item& item);
  Item plain(size_t i) const {
    Item item;
    std::memcpy(&item, bytes_.data() + i * sizeof item, sizeof item);
    return item;
  }
  Item unpacked(size_t i) const {
    const uint8_t* at = bytes_.data() + i * each_;
    auto next = [&](size_t field) {
      uint64_t word;
      std::memcpy(&word, at, sizeof word);
      at += widths_[field];
      unsigned unused = 64u - 8u * widths_[field];
      return widths_[field] == 0 ? 0 : static_cast<int64_t>(word << unused) >> unused;
    };
    Item item;
    item.first = next(0);
    item.stride = next(1);
    item.count = static_cast<uint64_t>(next(2));
    item.body = static_cast<uint32_t>(next(3));
    return item;
  }
  void put(size_t i, const Item& item);
  /// Packs everything, with fields of at least these widths.
  void pack(Widths widths, size_t room);

  std::vector<uint8_t>
      bytes_;  ///< items one behind the other; where they are packed, bytes that can be read follow
  size_t size_ = 0;
  uint32_t each_ = sizeof(Item);  ///< bytes of an item
  Widths widths_{};               ///< where they are packed
};

}  // namespace refrain::trace
