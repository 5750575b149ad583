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
  EXPECT_EQ(file.size(), 200u + 3 * 12);  // each record is padded to words
  EXPECT_NE(file.find("time"), std::string::npos);
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
