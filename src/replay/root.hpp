// The folder that a replay stays in. A trace is not to be trusted: whatever paths it names, what is done
// happens below this folder. Paths are mapped into it (trace/path_image.hpp) and looked up before they are
// used, symbolic links included (wall/).
#pragma once

#include <fcntl.h>

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace refrain::replay {

class Root {
 public:
  /// Makes the folder if it isn't there, and makes it the working directory of the process.
  static Result<Root> enter(const std::string& folder);

  /// How a path is used.
  struct Use {
    int at = AT_FDCWD;        ///< the folder that it is relative to
    bool follow = true;       ///< the call follows a link at its end
    bool make_above = false;  ///< folders above it are made if they are missing
  };
  /// A path as a call may be given it: as it is, or its image below the folder. Throws ReplayError if a link
  /// leads out of it.
  std::string place(std::string_view path, const Use& use) const;
  /// A path that a library will use later, from a folder of its own choice: the image, which has no `..`. The
  /// folder above it is made, and so is the last one if the path is a folder.
  std::string place_for_later(std::string_view path, bool is_folder) const;
  /// What a link may lead to that is made as `path`, a place.
  std::string target(std::string_view target, int at, const std::string& path) const;
  /// Throws ReplayError if what is at `from`, a place, holds a link that would lead out if it were at `to`.
  void check_move(int from_at, const std::string& from, int to_at, const std::string& to) const;
  /// The process has gone to another folder; throws ReplayError if that isn't below the root.
  void moved();
  /// Waits until a file is there, which somebody else makes; not for ever.
  void await(const std::string& image) const;
  /// Waits until it is no more.
  void await_absence(const std::string& image) const;
  /// Waits for a file that others make and remove, which may be over already: not long, and not often.
  void await_moment(const std::string& image) const;
  /// Waits until nobody has the file open to write, some seconds at most.
  void await_end_of_writing(const std::string& image) const;
  /// Waits for anything else that somebody else does; no longer.
  void wait_until(const std::function<bool()>& done, int most_ms = patience_ms) const;
  const std::string& folder() const { return folder_; }

 private:
  static constexpr int patience_ms = 60'000;
  std::string folder_;
  bool moves_ = false;  ///< from folder to folder
};

}  // namespace refrain::replay
