// The buckets of a histogram for a trace file. How many samples fell into each is noise in its lower digits,
// and would make a trace grow with the number of ranks. So a file says how the samples are spread in
// quarters: up to which bucket the first quarter of them goes, the second, and so on. Up to four samples this
// is exact.
//
// Example: 1,000 samples of 300 … 9,000 ns, with 430 in bucket 9 (256 … 511 ns), 520 in bucket 10, 45 in
// bucket 11, 4 in bucket 12 and 1 in bucket 14. Of four shares 2, 4, 4, 4, 4 lie below the end of these
// buckets, so 2 and 2 are written for the first two, and read as 500 and 500 samples. The bucket to begin
// with follows from the smallest sample.
//
// Reading rounds to the nearest number of samples, and writing to the nearest share. With more samples than
// shares each undoes the other, so what was read is written again as the same bytes.
#include <algorithm>

#include "base/histogram.hpp"

namespace refrain {
namespace {

constexpr uint64_t most_shares = 4;
/// A byte is the number of empty buckets before the next, and in its last bits the shares of that minus one.
constexpr int share_bits = 2;

uint64_t shares_of(uint64_t samples) { return std::min(samples, most_shares); }

/// part · shares / whole, rounded.
uint64_t to_shares(uint64_t part, uint64_t whole, uint64_t shares) {
  for (; whole >> 58 != 0; whole >>= 1) part >>= 1;
  return (part * shares + whole / 2) / whole;
}

/// samples · part / shares, rounded.
uint64_t to_samples(uint64_t samples, uint64_t part, uint64_t shares) {
  return samples / shares * part + (samples % shares * part + shares / 2) / shares;
}

}  // namespace

void Histogram::write_shares(ByteWriter& out) const {
  int first = bucket_of(min_ns()), last = std::max(first, bucket_of(max_));
  if (count_ <= 1 || first == last) return;
  uint64_t total = 0, below = 0, written = 0, shares = shares_of(count_);
  for (int b = 0; b < bucket_count; ++b) total += bucket(b);
  for (int b = 0; b < first; ++b) below += bucket(b);
  uint64_t skipped = 0;
  for (int b = first; b <= last && written < shares; ++b) {
    below += bucket(b);
    uint64_t reached = b == last || total == 0 ? shares : std::min(to_shares(below, total, shares), shares);
    if (reached == written) {
      ++skipped;
      continue;
    }
    out.u8(static_cast<uint8_t>(skipped << share_bits | (reached - written - 1)));
    written = reached;
    skipped = 0;
  }
}

Histogram Histogram::read_shares(const Moments& moments, ByteReader& in) {
  Histogram h;
  h.count_ = moments.count, h.sum_ = moments.sum, h.min_ = moments.min, h.max_ = moments.max;
  h.squares_ = moments.squares;
  if (h.count_ == 0) return {};
  if (h.count_ == 1) return h;
  h.buckets_ = std::make_unique<Buckets>();
  h.buckets_->fill(0);
  int b = bucket_of(h.min_), last = std::max(b, bucket_of(h.max_));
  if (b == last) {
    (*h.buckets_)[b] = h.count_;
    return h;
  }
  uint64_t shares = shares_of(h.count_), read = 0, samples = 0;
  for (; read < shares; ++b) {
    uint8_t next = in.u8();
    b += next >> share_bits;
    read += (next & (most_shares - 1)) + 1;
    if (b > last || read > shares) in.fail("bad histogram buckets");
    if (!in.ok()) return {};
    uint64_t reached = to_samples(h.count_, read, shares);
    (*h.buckets_)[b] = reached - samples;
    samples = reached;
  }
  return h;
}

}  // namespace refrain
