// See kernel_library.hpp.
#include "cli/kernel_library.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/installation.hpp"
#include "cli/readable.hpp"

namespace refrain::cli {

namespace fs = std::filesystem;

namespace {

Result<LibraryKernel> read_kernel(const fs::path& trace) {
  LibraryKernel kernel{.name = trace.stem().string(), .trace = trace};
  fs::path path = trace;
  path.replace_extension(".txt");
  std::ifstream in(path);
  if (!in) return fail(ErrorKind::io, "can't be read", path.string());
  std::string line;
  for (int number = 1; std::getline(in, line) && !line.empty(); ++number) {
    size_t colon = line.find(": ");
    if (colon == std::string::npos)
      return fail(ErrorKind::bad_input, "no 'field: text' in line " + std::to_string(number), path.string());
    kernel.fields[line.substr(0, colon)] = line.substr(colon + 2);
  }
  std::ostringstream rest;
  rest << in.rdbuf();
  kernel.description = rest.str();
  return kernel;
}

}  // namespace

std::string LibraryKernel::field(const std::string& which) const {
  auto found = fields.find(which);
  return found == fields.end() ? "" : found->second;
}

Result<std::vector<LibraryKernel>> library_kernels() {
  Result<fs::path> folder = shared_path("kernels");
  if (!folder) return tl::unexpected(folder.error());
  std::vector<LibraryKernel> kernels;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(*folder, error)) {
    if (entry.path().extension() != ".rfn") continue;
    Result<LibraryKernel> kernel = read_kernel(entry.path());
    if (!kernel) return tl::unexpected(kernel.error());
    kernels.push_back(std::move(*kernel));
  }
  if (error) return fail(ErrorKind::io, error.message(), folder->string());
  std::sort(kernels.begin(), kernels.end(),
            [](const LibraryKernel& a, const LibraryKernel& b) { return a.name < b.name; });
  return kernels;
}

Result<LibraryKernel> library_kernel(const std::string& name) {
  Result<std::vector<LibraryKernel>> all = library_kernels();
  if (!all) return tl::unexpected(all.error());
  std::vector<std::string> names;
  for (LibraryKernel& kernel : *all) {
    if (kernel.name == name) return std::move(kernel);
    names.push_back(kernel.name);
  }
  std::string meant = closest(name, names);
  return fail(ErrorKind::usage, "no kernel is named '" + printable(name) + "'. " +
                                    (meant.empty() ? "'refrain kernels list' names them all"
                                                   : "Did you mean '" + meant + "'?"));
}

}  // namespace refrain::cli
