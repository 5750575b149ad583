#include "measure/type_layout.hpp"

#include "trace/column.hpp"

namespace refrain::measure {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

namespace {

/// Numbers from a trace: products of larger ones are not computed.
constexpr int64_t most_elements = int64_t{1} << 40;
bool can_be_size(int64_t n) { return n >= 0 && n <= most_elements; }

TypeLayout piece_row(const TypeLayout& type, Slab::Dimension pieces, int64_t extent) {
  TypeLayout made{.slab = {.dimensions = {pieces}}, .unit = type.unit, .extent = extent};
  made.slab.simplify();
  return made;
}

}  // namespace

TypeLayout TypeLayout::element(int64_t bytes) {
  return {.slab = {.dimensions = {Slab::Dimension{}}}, .unit = bytes, .extent = 1};
}

int64_t TypeLayout::run() const {
  if (slab.dimensions.size() != 1 || !slab.is_block()) return 0;
  const Slab::Dimension& d = slab.dimensions[0];
  return d.start == 0 && d.block == extent ? d.block : 0;
}

int64_t TypeLayout::bytes() const {
  int64_t bytes = 0;
  std::optional<int64_t> points = slab.points();
  return points && !__builtin_mul_overflow(*points, unit, &bytes) ? bytes : 0;
}

KnownLayout repeated(const TypeLayout& type, int64_t count) {
  if (!can_be_size(count) || !can_be_size(type.extent) || type.slab.dimensions.size() != 1 ||
      !type.slab.is_block())
    return {};
  const Slab::Dimension& d = type.slab.dimensions[0];
  return piece_row(type, {d.start, type.extent, count, d.block}, wrap_mul(count, type.extent));
}

KnownLayout strided(const TypeLayout& type, int64_t count, int64_t block, int64_t stride, bool in_bytes) {
  int64_t run = type.run();
  if (run == 0 || run > most_elements || !can_be_size(count) || !can_be_size(block) || !can_be_size(stride))
    return {};
  if (in_bytes && (type.unit == 0 || stride % type.unit != 0)) return {};
  int64_t step = in_bytes ? stride / type.unit : wrap_mul(stride, run);
  int64_t length = wrap_mul(block, run);
  if (count > 1 && step < length) return {};
  return piece_row(type, {0, step, count, length}, wrap_add(wrap_mul(count - 1, step), length));
}

KnownLayout cut(const TypeLayout& type, std::vector<int64_t> sizes, std::vector<int64_t> parts,
                std::vector<int64_t> starts) {
  int64_t run = type.run();
  if (run == 0 || sizes.empty() || sizes.size() != parts.size() || sizes.size() != starts.size()) return {};
  TypeLayout made{.unit = type.unit, .extent = 1};
  sizes.back() = wrap_mul(sizes.back(), run);  // of elements, if the type has several
  parts.back() = wrap_mul(parts.back(), run);
  starts.back() = wrap_mul(starts.back(), run);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (__builtin_mul_overflow(made.extent, sizes[d], &made.extent)) return {};
    made.slab.dimensions.push_back({starts[d], parts[d], 1, parts[d]});
  }
  made.slab.of = std::move(sizes);
  return made;
}

KnownLayout resized(const TypeLayout& type, int64_t lower_bound, int64_t bytes) {
  if (lower_bound != 0 || type.unit == 0 || !can_be_size(bytes) || bytes % type.unit != 0) return {};
  TypeLayout made = type;
  made.extent = bytes / type.unit;
  return made;
}

std::optional<Slab> seen_through(const TypeLayout& type, int64_t at, int64_t bytes) {
  int64_t tile = type.bytes();
  if (tile <= 0 || bytes <= 0 || at < 0 || !can_be_size(type.extent)) return {};
  Slab slab = type.slab;
  if (slab.dimensions.size() != 1) {
    if (at % tile != 0 || bytes != tile) return {};
    slab.before = wrap_mul(wrap_mul(at / tile, type.extent), type.unit);
    return slab;
  }
  Slab::Dimension& d = slab.dimensions[0];
  if (d.count == 1) d.stride = type.extent;  // tiles go on as pieces do
  int64_t piece = wrap_mul(d.block, type.unit);
  bool goes_on = wrap_mul(d.count, d.stride) == type.extent || wrap_add(at, bytes) <= tile;
  if (!goes_on || piece <= 0) return {};
  if (at % piece == 0 && bytes % piece == 0) {
    d.start = wrap_add(d.start, wrap_mul(at / piece, d.stride));
    d.count = bytes / piece;
    if (wrap_add(at, bytes) > tile) slab.of.clear();
  } else {
    if (at / piece != (at + bytes - 1) / piece || at % type.unit != 0 || bytes % type.unit != 0) return {};
    d.start = wrap_add(d.start, wrap_add(wrap_mul(at / piece, d.stride), at % piece / type.unit));
    d.count = 1;
    d.block = bytes / type.unit;
    if (at >= tile) slab.of.clear();
  }
  slab.simplify();
  return slab;
}

}  // namespace refrain::measure
