// Lists of items; see item_list.hpp.
#include "trace/item_list.hpp"

#include <algorithm>
#include <bit>

namespace refrain::trace {
namespace {

static_assert(std::endian::native == std::endian::little, "the low bytes of a number come first");
constexpr size_t slack = sizeof(uint64_t);

/// Bytes that hold a number with its sign.
uint8_t signed_width(int64_t n) {
  auto magnitude = static_cast<uint64_t>(n < 0 ? ~n : n);
  return n == 0 ? uint8_t{0} : static_cast<uint8_t>(std::bit_width(magnitude) / 8 + 1);
}

}  // namespace

ItemList::ItemList(const Item* items, size_t count) {
  if (count <= longest_plain) {
    bytes_.resize(count * sizeof(Item));
    if (count > 0) std::memcpy(bytes_.data(), items, bytes_.size());
    size_ = count;
    return;
  }
  Widths widths{};
  for (size_t i = 0; i < count; ++i) {
    Widths own = widths_of(items[i]);
    for (size_t f = 0; f < fields; ++f) widths[f] = std::max(widths[f], own[f]);
  }
  pack(widths, count);
  bytes_.resize(count * each_ + slack);
  for (size_ = 0; size_ < count; ++size_) put(size_, items[size_]);
}

ItemList::Widths ItemList::widths_of(const Item& item) {
  return {signed_width(item.first), signed_width(item.stride), signed_width(static_cast<int64_t>(item.count)),
          signed_width(item.body)};
}

void ItemList::put(size_t i, const Item& item) {
  uint8_t* at = bytes_.data() + i * each_;
  if (!is_packed()) {
    std::memcpy(at, &item, sizeof item);
    return;
  }
  const uint64_t words[fields] = {static_cast<uint64_t>(item.first), static_cast<uint64_t>(item.stride),
                                  item.count, item.body};
  for (size_t f = 0; f < fields; ++f) {
    std::memcpy(at, &words[f], widths_[f]);
    at += widths_[f];
  }
}

void ItemList::pack(Widths widths, size_t room) {
  for (size_t i = 0; i < size_; ++i) {
    Widths own = is_packed() ? widths_ : widths_of(plain(i));
    for (size_t f = 0; f < fields; ++f) widths[f] = std::max(widths[f], own[f]);
    if (is_packed()) break;
  }
  ItemList packed;
  packed.widths_ = widths;
  packed.each_ = uint32_t{widths[0]} + widths[1] + widths[2] + widths[3];
  packed.bytes_.reserve(std::max(room, size_) * packed.each_ + slack);
  packed.bytes_.resize(size_ * packed.each_ + slack);
  for (size_t i = 0; i < size_; ++i) packed.put(i, (*this)[i]);
  packed.size_ = size_;
  *this = std::move(packed);
}

void ItemList::push_back(const Item& item) {
  if (is_packed() || size_ == longest_plain) {
    Widths own = widths_of(item);
    bool fits = is_packed();
    for (size_t f = 0; f < fields; ++f) fits &= own[f] <= widths_[f];
    if (!fits) pack(own, 2 * size_);
  }
  bytes_.resize(bytes_.size() + each_);
  put(size_++, item);
}

void ItemList::set_back(const Item& item) {
  bytes_.resize(bytes_.size() - each_);
  --size_;
  push_back(item);
}

void ItemList::reserve(size_t items) {
  if (is_packed())
    bytes_.reserve(items * each_ + slack);
  else
    bytes_.reserve(std::min(items, longest_plain) * sizeof(Item));
}

void ItemList::shrink() {
  if (bytes_.capacity() > bytes_.size() + bytes_.size() / 4) bytes_.shrink_to_fit();
}

bool ItemList::operator==(const ItemList& other) const {
  if (size_ != other.size_) return false;
  if (!is_packed() && !other.is_packed()) {
    for (size_t i = 0; i < size_; ++i)
      if (!(plain(i) == other.plain(i))) return false;
    return true;
  }
  for (size_t i = 0; i < size_; ++i)
    if (!((*this)[i] == other[i])) return false;
  return true;
}

}  // namespace refrain::trace
