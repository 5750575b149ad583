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

trace::Trace writing_several(std::string_view datasets, std::string_view types) {
  trace::Trace t{.command = "writes", .layers = {"hdf5"}, .nprocs = 1};
  trace::Signature& s = t.signatures.emplace_back();
  s.function = "H5Dwrite_multi";
  s.layer = "hdf5";
  auto name = [](std::string_view text) {
    return Operand{.kind = OperandKind::name, .text = std::string(text)};
  };
  auto slots = [](uint32_t width) { return Operand{.kind = OperandKind::list, .width = width}; };
  s.operands = {name(datasets),
                slots(2),
                name(types),
                slots(0),
                name("[2 x H5S_ALL]"),
                slots(0),
                name("[2 x H5S_ALL]"),
                slots(0),
                name("H5P_DEFAULT"),
                {.kind = OperandKind::sized_data},
                slots(2)};
  trace::Node write{};
  for (int64_t value : {0, 1, 64, 32, 32}) write.parameters.push_back(trace::Value::constant(value));
  trace::Process& p = t.processes.emplace_back();
  p.program = "writes";
  p.ranks = trace::RankSet::range(0, 1);
  p.streams.push_back({.nodes = {write}});
  return t;
}

TEST(HandleLists, OfOneCallAreOfOneLength) {
  std::string fits = program_of(writing_several("[2 x dataset]", "[2 x H5T_NATIVE_INT]"));
  EXPECT_TRUE(has(fits, "H5Dwrite_multi(2, ")) << fits;
  auto refused = generate(writing_several("[2 x dataset]", "[H5T_NATIVE_INT]"), {});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has(refused.error().text(), "lists of different lengths")) << refused.error().text();
}

}  // namespace
}  // namespace refrain::generate
