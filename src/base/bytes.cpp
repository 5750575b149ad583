// Byte codec; see bytes.hpp for the contract.
#include "base/bytes.hpp"

namespace refrain {

void ByteWriter::varint(uint64_t v) {
  while (v >= 128) {
    bytes_.push_back(static_cast<uint8_t>(v | 128));
    v >>= 7;
  }
  bytes_.push_back(static_cast<uint8_t>(v));
}

void ByteWriter::string(std::string_view s) {
  varint(s.size());
  bytes_.insert(bytes_.end(), s.begin(), s.end());
}

void ByteReader::fail(const char* reason) {
  if (!ok()) return;
  reason_ = reason;
  failed_at_ = at_;
  at_ = data_.size();
}

uint8_t ByteReader::u8() {
  if (at_ >= data_.size()) {
    fail("unexpected end");
    return 0;
  }
  return data_[at_++];
}

uint64_t ByteReader::fixed(int n) {
  if (left() < static_cast<size_t>(n)) {
    fail("unexpected end");
    return 0;
  }
  uint64_t v = 0;
  for (int i = 0; i < n; ++i) v |= static_cast<uint64_t>(data_[at_++]) << (8 * i);
  return v;
}

uint64_t ByteReader::varint() {
  uint64_t v = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    uint8_t b = u8();
    if (!ok()) return 0;
    if (shift == 63 && b > 1) break;
    v |= static_cast<uint64_t>(b & 127) << shift;
    if (b < 128) return v;
  }
  fail("number too long");
  return 0;
}

std::span<const uint8_t> ByteReader::raw(uint64_t n) {
  if (n > left()) {
    fail("unexpected end");
    return {};
  }
  auto s = data_.subspan(at_, n);
  at_ += n;
  return s;
}

std::string_view ByteReader::string(uint64_t max_length) {
  uint64_t n = varint();
  if (n > max_length) {
    fail("string too long");
    return {};
  }
  auto s = raw(n);
  return {reinterpret_cast<const char*>(s.data()), s.size()};
}

uint64_t ByteReader::bounded(uint64_t max, const char* what) {
  uint64_t v = varint();
  if (v <= max) return v;
  fail(what);
  return 0;
}

size_t ByteReader::count(size_t min_bytes_each, const char* what) {
  return static_cast<size_t>(bounded(left() / min_bytes_each, what));
}

}  // namespace refrain
