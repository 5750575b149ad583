// The page of a job's node as a file in memory, and who serves it. Every `refrain run` of the job on the node
// joins the page and has a process that would serve it; a lock on the file says who does. When that one ends
// or is killed, the kernel gives the lock to the next, which goes on where it stopped.
#pragma once

#include <string>

#include "base/result.hpp"
#include "gate/page.hpp"

namespace refrain::coordinate {

struct PageSettings {
  std::string key{};  ///< the same for all that share the page, and for nobody else; fit for a file's name
  uint64_t idle_ns = 0;
  uint64_t patience_ns = 0;
  uint64_t gate_bytes = 0;
  std::string rules{};  ///< "+PATTERN\n-PATTERN\n"
};

class PageFile {
 public:
  /// Makes the page, or joins it. What was set first holds.
  static Result<PageFile> join(const PageSettings& settings);
  PageFile(PageFile&& other) noexcept;
  PageFile& operator=(PageFile&&) = delete;
  ~PageFile();

  const std::string& path() const { return path_; }
  gate::Page& page() const { return *page_; }
  /// Waits until nobody else serves the page.
  void lock() const;
  /// This `refrain run` has ended. The last one removes the file.
  void leave() const;

 private:
  PageFile() = default;
  std::string path_;
  int fd_ = -1;
  gate::Page* page_ = nullptr;
};

}  // namespace refrain::coordinate
