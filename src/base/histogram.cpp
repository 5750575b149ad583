// Histogram of durations; see histogram.hpp.
#include "base/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace refrain {

Histogram::Buckets::Buckets(const Buckets& other) : first_(other.first_), size_(other.size_) {
  if (size_ == 0) return;
  counts_ = std::make_unique<uint64_t[]>(size_);
  std::copy_n(other.counts_.get(), size_, counts_.get());
}

void Histogram::Buckets::cover(int first, int end) {
  if (!empty()) first = std::min(first, this->first()), end = std::max(end, this->end());
  if (covers(first) && covers(end - 1)) return;
  auto wider = std::make_unique<uint64_t[]>(static_cast<size_t>(end - first));
  std::copy_n(counts_.get(), size_, wider.get() + (empty() ? 0 : first_ - first));
  counts_ = std::move(wider);
  first_ = static_cast<uint8_t>(first), size_ = static_cast<uint8_t>(end - first);
}

int Histogram::Buckets::fullest() const {
  const uint64_t* counts = counts_.get();
  return first_ + static_cast<int>(std::max_element(counts, counts + size_) - counts);
}

void Histogram::ensure_buckets() {
  if (count_ == 1) buckets_.made(bucket_of(sum_)) = 1;
}

/// The first sample needs no buckets, the second makes them.
void Histogram::add_elsewhere(int b) {
  if (count_ == 0) return;
  ensure_buckets();
  ++buckets_.made(b);
}

uint64_t Histogram::bucket(int b) const {
  if (count_ == 1) return bucket_of(sum_) == b ? 1 : 0;
  return buckets_.at(b);
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  if (other.count_ == 1) return add(other.sum_);
  ensure_buckets();
  buckets_.cover(other.buckets_.first(), other.buckets_.end());
  for (int b = other.buckets_.first(); b < other.buckets_.end(); ++b) buckets_[b] += other.buckets_.at(b);
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  squares_ += other.squares_;
}

Histogram Histogram::split(uint64_t samples) {
  Histogram out;
  samples = std::min(samples, count_);
  if (samples == 0) return out;
  if (samples == count_) {
    std::swap(out, *this);
    return out;
  }
  uint64_t mean = sum_ / count_;
  out.count_ = samples;
  out.sum_ = mean * samples;
  out.min_ = out.max_ = mean;
  out.squares_ = static_cast<double>(mean) * static_cast<double>(mean) * static_cast<double>(samples);
  int from = bucket_of(mean);  // take them from the mean's bucket, then the fullest
  for (uint64_t need = samples;;) {
    if (uint64_t taken = std::min(need, buckets_.at(from)); taken > 0) {
      buckets_[from] -= taken;
      if (samples > 1) out.buckets_.made(from) += taken;
      need -= taken;
    }
    from = buckets_.fullest();
    if (need == 0 || buckets_.at(from) == 0) break;
  }
  count_ -= samples;
  sum_ -= out.sum_;
  squares_ = std::max(0.0, squares_ - out.squares_);
  if (count_ == 1) {
    buckets_ = {};
    min_ = max_ = sum_;
    squares_ = static_cast<double>(sum_) * static_cast<double>(sum_);
  }
  return out;
}

void Histogram::write(ByteWriter& out) const {
  out.varint(count_);
  if (count_ == 0) return;
  out.varint(sum_);
  if (count_ == 1) return;
  out.varint(min_);
  out.varint(max_);
  out.u64(std::bit_cast<uint64_t>(squares_));
  int last = bucket_count;
  while (last > 0 && bucket(last - 1) == 0) --last;
  int first = 0;
  while (first < last && bucket(first) == 0) ++first;
  out.u8(static_cast<uint8_t>(first));
  out.u8(static_cast<uint8_t>(last));
  for (int b = first; b < last; ++b) out.varint(bucket(b));
}

Histogram Histogram::read(ByteReader& in) {
  Histogram h;
  h.count_ = in.varint();
  if (h.count_ == 0) return h;
  h.sum_ = in.varint();
  if (h.count_ == 1) {
    h.min_ = h.max_ = h.sum_;
    h.squares_ = static_cast<double>(h.sum_) * static_cast<double>(h.sum_);
    return h;
  }
  h.min_ = in.varint();
  h.max_ = in.varint();
  h.squares_ = std::bit_cast<double>(in.u64());
  if (!std::isfinite(h.squares_) || h.squares_ < 0) in.fail("bad sum of squares");
  int first = in.u8(), last = in.u8();
  if (first > last || last > bucket_count) in.fail("bad histogram buckets");
  if (!in.ok()) return {};
  h.buckets_.cover(first, last);
  for (int b = first; b < last; ++b) h.buckets_[b] = in.varint();
  return h;
}

bool Histogram::operator==(const Histogram& other) const {
  if (count_ != other.count_ || sum_ != other.sum_ || min_ns() != other.min_ns() || max_ != other.max_ ||
      squares_ != other.squares_)
    return false;
  for (int b = 0; b < bucket_count; ++b)
    if (bucket(b) != other.bucket(b)) return false;
  return true;
}

}  // namespace refrain
