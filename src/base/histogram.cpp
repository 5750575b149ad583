// Histogram of durations; see histogram.hpp.
#include "base/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bit_cast.hpp"

namespace refrain {

Histogram::Histogram(const Histogram& other) { *this = other; }

Histogram& Histogram::operator=(const Histogram& other) {
  if (this == &other) return *this;
  count_ = other.count_, sum_ = other.sum_, min_ = other.min_, max_ = other.max_, squares_ = other.squares_;
  buckets_ = other.buckets_ ? std::make_unique<Buckets>(*other.buckets_) : nullptr;
  return *this;
}

void Histogram::ensure_buckets() {
  if (buckets_) return;
  buckets_ = std::make_unique<Buckets>();
  buckets_->fill(0);
  if (count_ > 0) (*buckets_)[bucket_of(sum_)] = count_;
}

void Histogram::add_early(uint64_t ns) {
  if (count_ > 0) {
    ensure_buckets();
    ++(*buckets_)[bucket_of(ns)];
  }
  note(ns);
}

void Histogram::add_all(const uint64_t* ns, size_t n) {
  const uint64_t* end = ns + n;
  // The bucket of anything shorter is the number of its bits, and it is a signed number as well: that is
  // less work.
  constexpr uint64_t unusual = ~((uint64_t{1} << (bucket_count - 1)) - 1);
  uint64_t any = 0;
  for (const uint64_t* sample = ns; sample != end; ++sample) any |= *sample;
  while (ns != end && (!buckets_ || (any & unusual) != 0)) add(*ns++);
  if (ns == end) return;
  // In registers: each sample would wait for the one before it to be stored.
  Buckets& buckets = *buckets_;
  uint64_t sum = sum_, least = min_, most = max_;
  double squares = squares_;
  count_ += static_cast<uint64_t>(end - ns);
  for (; ns != end; ++ns) {
    const uint64_t sample = *ns;
    ++buckets[static_cast<size_t>(63 - std::countl_zero(2 * sample + 1))];
    sum += sample;
    least = std::min(least, sample);
    most = std::max(most, sample);
    const auto value = static_cast<double>(static_cast<int64_t>(sample));
    squares += value * value;
  }
  sum_ = sum, min_ = least, max_ = most, squares_ = squares;
}

uint64_t Histogram::bucket(int b) const {
  if (buckets_) return (*buckets_)[b];
  return count_ > 0 && bucket_of(sum_) == b ? count_ : 0;
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  if (other.count_ == 1) return add(other.sum_);
  ensure_buckets();
  for (int b = 0; b < bucket_count; ++b) (*buckets_)[b] += other.bucket(b);
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
  if (samples > 1) {
    out.buckets_ = std::make_unique<Buckets>();
    out.buckets_->fill(0);
  }
  auto from = buckets_->begin() + bucket_of(mean);  // take them from the mean's bucket, then the fullest
  for (uint64_t need = samples; need > 0;) {
    uint64_t taken = std::min(need, *from);
    *from -= taken;
    if (out.buckets_) (*out.buckets_)[from - buckets_->begin()] += taken;
    need -= taken;
    if (need == 0) break;
    from = std::max_element(buckets_->begin(), buckets_->end());
    if (*from == 0) break;
  }
  count_ -= samples;
  sum_ -= out.sum_;
  squares_ = std::max(0.0, squares_ - out.squares_);
  if (count_ == 1) {
    buckets_.reset();
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
  out.u64(bit_cast<uint64_t>(squares_));
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
  h.squares_ = bit_cast<double>(in.u64());
  if (!std::isfinite(h.squares_) || h.squares_ < 0) in.fail("bad sum of squares");
  int first = in.u8(), last = in.u8();
  if (first > last || last > bucket_count) in.fail("bad histogram buckets");
  if (!in.ok()) return {};
  h.buckets_ = std::make_unique<Buckets>();
  h.buckets_->fill(0);
  for (int b = first; b < last; ++b) (*h.buckets_)[b] = in.varint();
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
