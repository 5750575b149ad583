// Lists of handles in kernels: a damaged trace may name handles that it never makes, and the kernel must not
// read beyond what it has.
#include <gtest/gtest.h>

#include "generate/kernel.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {
namespace {

using trace::Operand;
using trace::OperandKind;

trace::Trace waiting_for(const std::vector<int64_t>& slots) {
  trace::Trace t{.command = "waits", .layers = {"mpiio"}, .nprocs = 1};
  trace::Signature& s = t.signatures.emplace_back();
  s.function = "MPI_Waitall";
  s.layer = "mpiio";
  bool is_long = slots.size() > Operand::max_width;
  s.operands = {is_long ? Operand{.kind = OperandKind::long_list}
                        : Operand{.kind = OperandKind::list, .width = static_cast<uint32_t>(slots.size())}};
  trace::Node wait{};
  if (is_long) t.lists.push_back(trace::Column::of(slots));
  for (int64_t slot : is_long ? std::vector<int64_t>{0} : slots)
    wait.parameters.push_back(trace::Value::constant(slot));
  trace::Process& p = t.processes.emplace_back();
  p.program = "waits";
  p.ranks = trace::RankSet::range(0, 1);
  p.streams.push_back({.nodes = {wait}});
  return t;
}

std::string program_of(const trace::Trace& t) {
  auto kernel = generate(t, {});
  EXPECT_TRUE(kernel) << kernel.error().text();
  return kernel ? kernel->files[0].text : std::string();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(HandleLists, AreNotLongerThanWhatTheyArePickedFrom) {
  std::string few = program_of(waiting_for({3, -1, 5}));
  EXPECT_TRUE(has(few, "static MPI_Request request[6];")) << few;
  std::vector<int64_t> many;
  for (int64_t k = 0; k < 70; ++k) many.push_back(2 * k);
  std::string all = program_of(waiting_for(many));
  EXPECT_TRUE(has(all, "static MPI_Request request[139];")) << all;
}

TEST(HandleLists, NumbersThatCanNotBeKnownAreCheckedWhenTheKernelRuns) {
  for (size_t length : {size_t{3}, size_t{70}}) {
    auto kernel = generate(waiting_for(std::vector<int64_t>(length, int64_t{1} << 40)), {});
    ASSERT_TRUE(kernel) << kernel.error().text();
    EXPECT_TRUE(has(kernel->files[0].text, "static MPI_Request request[65536];")) << kernel->files[0].text;
    EXPECT_TRUE(has(kernel->files[1].text, "all[slot_of(which[i], (long long)known)]"));
  }
}

}  // namespace
}  // namespace refrain::generate
