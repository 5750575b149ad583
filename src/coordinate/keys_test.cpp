// Key files: read as they were written, and refused with the line that is wrong.
#include "coordinate/keys.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace refrain::coordinate {
namespace {

const std::string key_a(40, 'a');
const std::string key_b = "#" + std::string(39, 'b');  // a key, no comment

TEST(Keys, ComeBack) {
  Keys server{key_a, key_b};
  Keys client{key_a, key_b, key_a};
  EXPECT_EQ(parse_keys(keys_text(server), false).value(), server);
  EXPECT_EQ(parse_keys("# the client\n\n" + keys_text(client), true).value(), client);
  EXPECT_EQ(parse_known_clients("# all\n" + key_a + " one\n" + key_b + "\n").value(),
            (std::vector<KnownClient>{{key_a, "one"}, {key_b, ""}}));
}

TEST(Keys, BadOnesAreRefusedWithTheirLine) {
  auto error = [](const std::string& text, bool is_client) {
    Result<Keys> keys = parse_keys(text, is_client);
    return keys ? "" : keys.error().text();
  };
  EXPECT_NE(error("public " + key_a + "\nsecret x\n", false).find("line 2"), std::string::npos);
  EXPECT_NE(error("privat " + key_a + "\n", false).find("line 1"), std::string::npos);
  EXPECT_NE(error("public " + key_a + "\n", false).find("secret"), std::string::npos);
  EXPECT_NE(error("public " + key_a + "\nsecret " + key_a + "\n", true).find("server"), std::string::npos);
  EXPECT_FALSE(parse_known_clients("short\n"));
  EXPECT_FALSE(parse_known_clients(std::string(39, 'a') + "\"\n"));
}

TEST(Keys, SecretsThatOthersReadAreRefused) {
  std::string path = testing::TempDir() + "keys_test.key";
  std::ofstream(path) << keys_text({key_a, key_b});
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  Result<Keys> keys = read_keys(path, false);
  ASSERT_FALSE(keys);
  EXPECT_NE(keys.error().text().find("chmod 600"), std::string::npos);
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  EXPECT_TRUE(read_keys(path, false));
  EXPECT_NE(read_keys(path + ".none", false).error().text().find("keygen"), std::string::npos);
}

}  // namespace
}  // namespace refrain::coordinate
