#include "cli/preloadable.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace refrain::cli {
namespace {

namespace fs = std::filesystem;

class Preloadable : public ::testing::Test {
 protected:
  Preloadable() : folder_(fs::temp_directory_path() / ("preloadable." + std::to_string(getpid()))) {
    fs::create_directory(folder_);
  }
  ~Preloadable() override { fs::remove_all(folder_); }

  /// This test program with its ELF header changed.
  std::string changed(void (*change)(Elf64_Ehdr&)) {
    std::string path = folder_ / "program";
    fs::copy_file("/proc/self/exe", path, fs::copy_options::overwrite_existing);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    Elf64_Ehdr header{};
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    change(header);
    file.seekp(0);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    return path;
  }

  fs::path folder_;
};

TEST_F(Preloadable, OrdinaryProgramsAre) {
  EXPECT_EQ(why_not_preloadable("/proc/self/exe"), "");
  EXPECT_EQ(why_not_preloadable("sh"), "");
  EXPECT_EQ(why_not_preloadable("no-such-program"), "");
}

TEST_F(Preloadable, ScriptsAndShortFilesAreNoObstacle) {
  std::string path = folder_ / "script";
  std::ofstream(path) << "#!/bin/sh\n";
  EXPECT_EQ(why_not_preloadable(path), "");
}

TEST_F(Preloadable, StaticProgramsAreNot) {
  std::string program = changed([](Elf64_Ehdr& header) { header.e_phnum = 0; });
  EXPECT_NE(why_not_preloadable(program).find("statically linked"), std::string::npos);
}

TEST_F(Preloadable, OtherMachinesAreNot) {
  std::string program = changed([](Elf64_Ehdr& header) { header.e_machine = EM_S390; });
  EXPECT_NE(why_not_preloadable(program).find("another machine"), std::string::npos);
}

TEST_F(Preloadable, ProgramHeadersBeyondTheFileAreNoObstacle) {
  EXPECT_EQ(why_not_preloadable(changed([](Elf64_Ehdr& header) { header.e_phoff = UINT64_MAX / 2; })), "");
}

TEST_F(Preloadable, PrivilegedProgramsAreNot) {
  std::string program = changed([](Elf64_Ehdr&) {});
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  EXPECT_NE(why_not_preloadable(program).find("privileged"), std::string::npos);
}

}  // namespace
}  // namespace refrain::cli
