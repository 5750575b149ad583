// Signatures describe themselves: how many parameters, and nothing lost in their bytes.
#include "trace/signature.hpp"

#include <gtest/gtest.h>

namespace refrain::trace {
namespace {

Signature sample() {
  Signature s{.function = "weird", .layer = "posix", .site = 0xfeedfacecafebeef, .error = "ENOENT"};
  s.bracket = Bracket::opens;
  s.operands = {{.kind = OperandKind::slot, .text = "fd", .thread = 3},
                {.kind = OperandKind::slot, .text = "fd"},
                {.kind = OperandKind::text, .width = 2},
                {.kind = OperandKind::list, .role = Role::size, .width = 4},
                {.kind = OperandKind::long_list},
                {.kind = OperandKind::name, .text = "O_RDONLY|O_CLOEXEC"},
                {.kind = OperandKind::data},
                {.kind = OperandKind::sized_data, .role = Role::bytes_written},
                {.kind = OperandKind::integer, .role = Role::offset}};
  s.result = {.kind = OperandKind::integer, .role = Role::bytes_read};
  return s;
}

TEST(Signature, CountsParameters) {
  EXPECT_EQ(sample().parameters(), 1u + 1 + 3 + 4 + 1 + 0 + 0 + 1 + 1 + 1);
  EXPECT_EQ(Signature{}.parameters(), 0u);
}

TEST(Signature, RoundTripsThroughBytes) {
  for (const Signature& s : {sample(), Signature{}}) {
    ByteWriter w;
    s.write(w);
    ByteReader r(w.bytes());
    EXPECT_TRUE(Signature::read(r) == s);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.left(), 0u);
  }
}

TEST(Signature, ReaderRefusesEveryTruncation) {
  ByteWriter w;
  sample().write(w);
  for (size_t n = 0; n < w.size(); ++n) {
    ByteReader r(w.bytes().first(n));
    Signature::read(r);
    EXPECT_FALSE(r.ok()) << n;
  }
}

TEST(Signature, ReaderBoundsWidths) {
  Signature s;
  s.operands = {{.kind = OperandKind::text, .width = Template::max_fields + 1}};
  ByteWriter w;
  s.write(w);
  ByteReader r(w.bytes());
  Signature::read(r);
  EXPECT_STREQ(r.reason(), "operand too wide");

  Signature wide;
  for (int i = 0; i < 9; ++i) wide.operands.push_back({.kind = OperandKind::list, .width = 64});
  ByteWriter ww;
  wide.write(ww);
  ByteReader rr(ww.bytes());
  Signature::read(rr);
  EXPECT_STREQ(rr.reason(), "too many parameters");
}

TEST(Signature, StandsInTheStreamOfItsLayer) {
  Signature plain{.function = "MPI_Comm_dup", .layer = "mpi"},
      file{.function = "MPI_File_open", .layer = "mpiio"};
  EXPECT_TRUE(plain.in_stream_of("mpi"));
  EXPECT_TRUE(plain.in_stream_of("mpiio"));
  EXPECT_TRUE(file.in_stream_of("mpiio"));
  EXPECT_FALSE(file.in_stream_of("mpi"));
  Signature unknown{.function = "f", .layer = "of a later version"};
  EXPECT_TRUE(unknown.in_stream_of("of a later version"));
  EXPECT_FALSE(unknown.in_stream_of(""));
}

TEST(Signature, ReaderRefusesUnknownKindsAndRoles) {
  for (uint8_t head : {uint8_t{10}, uint8_t{6 << 4 | 1}}) {
    ByteWriter w;
    Signature{}.write(w);
    std::vector<uint8_t> bytes = w.take();
    bytes.back() = head;  // the result operand
    ByteReader r(bytes);
    Signature::read(r);
    EXPECT_FALSE(r.ok());
  }
}

}  // namespace
}  // namespace refrain::trace
