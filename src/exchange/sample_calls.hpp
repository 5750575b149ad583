// Traces made of a few calls, for tests.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>

#include "exchange/trace_builder.hpp"

namespace refrain::exchange::sample {

/// A member to which calls are added by their rows, each 10 ns behind the last and 5 ns long.
class Calls {
 public:
  explicit Calls(std::optional<uint32_t> rank = {}) {
    trace::Process process{.pid = 7, .program = "/bin/app", .ending = trace::Ending::exited};
    if (rank) process.ranks = trace::RankSet::range(*rank, 1);
    builder_ = std::make_unique<MemberBuilder>(std::move(process));
  }

  Calls& add(std::string_view function, const std::vector<Given>& arguments, int64_t result = 0,
             uint32_t thread = 0, const std::string& layer = {}, const std::string& error = {}) {
    Result<ImportedCall> call = call_of_row(function, arguments, result);
    EXPECT_TRUE(call) << (call ? "" : call.error().message);
    uint64_t& clock = clocks_[{thread, layer}];
    call->error = error;
    call->start_ns = clock + 10;
    call->end_ns = clock = call->start_ns + 5;
    EXPECT_TRUE(builder_->add(*call, thread, layer));
    return *this;
  }
  Calls& open(const std::string& path, int64_t flags, int64_t slot) {
    return add("open", {{0, path}, {flags}, {0644}}, slot);
  }
  Calls& pwrite(int64_t slot, int64_t bytes, int64_t offset) {
    return add("pwrite", {{slot}, {0}, {bytes}, {offset}}, bytes);
  }
  Calls& write(int64_t slot, int64_t bytes) { return add("write", {{slot}, {0}, {bytes}}, bytes); }
  Calls& read(int64_t slot, int64_t bytes) { return add("read", {{slot}, {0}, {bytes}}, bytes); }
  Calls& close(int64_t slot) { return add("close", {{slot}}); }

  trace::Trace piece(uint32_t ranks = 0) {
    trace::Trace t = builder_->finish();
    t.nprocs = ranks;
    return t;
  }

 private:
  std::unique_ptr<MemberBuilder> builder_;
  std::map<std::pair<uint32_t, std::string>, uint64_t> clocks_;
};

/// One process that is no rank.
inline trace::Trace alone(Calls& calls) {
  std::vector<trace::Trace> pieces;
  pieces.push_back(calls.piece());
  return assemble_members(std::move(pieces), "test", {});
}

/// `ranks` ranks, each with what `make(calls, rank)` adds.
template <class Make>
trace::Trace parallel(uint32_t ranks, Make make) {
  std::vector<trace::Trace> pieces;
  for (uint32_t r = 0; r < ranks; ++r) {
    Calls calls(r);
    make(calls, r);
    pieces.push_back(calls.piece(ranks));
  }
  return assemble_members(std::move(pieces), "test", {});
}

}  // namespace refrain::exchange::sample
