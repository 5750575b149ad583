#include <errno.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/classic_netcdf.h"

namespace {

class ClassicNetcdf : public ::testing::Test {
 protected:
  ClassicNetcdf() { path_ += std::to_string(getpid()); }
  ~ClassicNetcdf() override { unlink(path_.c_str()); }
  std::string make(const std::vector<long long>& numbers, const char* names) {
    const char* wrong =
        make_classic_netcdf(path_.c_str(), numbers.data(), static_cast<long long>(numbers.size()), names);
    return wrong == nullptr ? "" : wrong;
  }
  std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string path_ = ::testing::TempDir() + "classic_netcdf_";
};

// Format 2, 3 records; dimensions time (without limit) and x (5); one global attribute "a" of 2 chars; one
// variable of 2-byte numbers over both, which begins at 200.
const std::vector<long long> small = {2, 3, 2, 0, 5, 1, 1, 2, 2, 3, 2, 0, 1, 200, 0};

TEST_F(ClassicNetcdf, HasTheLayoutThatWasRecorded) {
  EXPECT_EQ(make(small, "time/x/a/v/"), "");
  std::string file = content();
  EXPECT_EQ(file.substr(0, 4), std::string("CDF\2"));
  EXPECT_EQ(file.substr(4, 4), std::string("\0\0\0\3", 4));
  EXPECT_EQ(file.size(), 200u + 3 * 10);  // records of a single variable are not padded
  EXPECT_NE(file.find("time"), std::string::npos);
}

// Dimensions time (without limit) and x (5); variables t (4-byte numbers, grows), a (characters, 5), s
// (2-byte numbers, grows along time, 5) and b (8-byte numbers, 5), whose offsets are unknown; 3 records.
std::vector<long long> of_unknown_offsets(long long format) {
  return {format, 3, 2, 0, 5, 0, 4, 4, 1, 0, -1, 0, 2, 1, 1, -1, 0, 3, 2, 0, 1, -1, 0, 6, 1, 1, -1, 0};
}

long long number_at(const std::string& file, size_t at, size_t bytes) {
  long long number = 0;
  for (size_t i = 0; i < bytes; ++i) number = number * 256 + static_cast<unsigned char>(file.at(at + i));
  return number;
}

TEST_F(ClassicNetcdf, HasTheLayoutOfTheLibraryWhereOffsetsAreUnknown) {
  for (long long format : {1, 2, 5}) {
    EXPECT_EQ(make(of_unknown_offsets(format), "time/x/t/a/s/b/"), "");
    std::string file = content();
    size_t word = format == 5 ? 8 : 4, offset = format == 1 ? 4 : 8;
    // Magic number and records; dimensions; no attributes; variables.
    size_t header = 4 + word + (4 + word) + (word + 4 + word) * 2 + (4 + word) + (4 + word);
    std::vector<long long> begins;
    for (size_t dimensions : {1u, 1u, 2u, 1u}) {
      header += word + 4 + word + dimensions * word + (4 + word) + 4 + word + offset;
      begins.push_back(number_at(file, header - offset, offset));
    }
    auto end = static_cast<long long>(header);
    EXPECT_EQ(begins, (std::vector<long long>{end + 8 + 40, end, end + 8 + 40 + 4, end + 8})) << format;
    EXPECT_EQ(file.size(), header + 8 + 40 + 3 * (4 + 12)) << format;
    unlink(path_.c_str());
  }
}

TEST_F(ClassicNetcdf, DoesNotPadRecordsOfASingleVariable) {
  EXPECT_EQ(make({1, 3, 2, 0, 5, 0, 1, 3, 2, 0, 1, -1, 0}, "time/x/v/"), "");
  std::string file = content();
  EXPECT_EQ(file.size(), 96u + 3 * 10);
  EXPECT_EQ(number_at(file, 88, 4), 12);  // its size, which is padded in any case
  EXPECT_EQ(number_at(file, 92, 4), 96);
}

TEST_F(ClassicNetcdf, MayHaveNoVariables) {
  EXPECT_EQ(make({1, 0, 1, 5, 0, 0}, "x/"), "");
  EXPECT_EQ(content().size(), 44u);
}

TEST_F(ClassicNetcdf, ThatIsThereStays) {
  std::ofstream(path_) << "something";
  EXPECT_EQ(make(small, "time/x/a/v/"), "");
  EXPECT_EQ(content(), "something");
}

TEST_F(ClassicNetcdf, IsNotMadeOfNonsense) {
  for (size_t length = 0; length < small.size(); ++length)
    EXPECT_NE(make({small.begin(), small.begin() + static_cast<std::ptrdiff_t>(length)}, "time/x/a/v/"), "")
        << length;
  for (long long number : {-1LL, 1LL << 40, 1LL << 62})
    for (size_t at : {0u, 2u, 4u, 6u, 7u, 8u, 9u, 10u}) {
      std::vector<long long> numbers = small;
      numbers[at] = number;
      make(numbers, "");
      unlink(path_.c_str());
    }
}

}  // namespace
