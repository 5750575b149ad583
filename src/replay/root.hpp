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

  /// Takes the folder, in which others are at work, for the root, and stays in the working directory.
  static Result<Root> join(const std::string& folder);

  /// How a call uses a path.
  struct Use {
    int at = AT_FDCWD;        ///< the folder that the path is relative to
    bool follow = true;       ///< the call follows a link at the end of the path
    bool make_above = false;  ///< makes missing parent folders
  };
  /// The path to pass to a call: unchanged, or its image below the root. Throws ReplayError if a link leads
  /// out of the root.
  std::string place(std::string_view path, const Use& use) const;
  /// The path for a library that will open it later, from any folder: the image, which has no `..`. Makes the
  /// parent folder, and the last component if the path is a folder.
  std::string place_for_later(std::string_view path, bool is_folder) const;
  /// The target to use for a link that is made at the resolved path `path`.
  std::string target(std::string_view target, int at, const std::string& path) const;
  /// Throws ReplayError if the file or folder at the resolved path `from` holds a link that would lead out of
  /// the root after a move to `to`.
  void check_move(int from_at, const std::string& from, int to_at, const std::string& to) const;
  /// To be called after a change of the working directory; throws ReplayError if that isn't below the root.
  void moved();
  /// Waits, for a limited time, until another rank or thread has made a file.
  void await(const std::string& image) const;
  /// Waits until the file is gone.
  void await_absence(const std::string& image) const;
  /// Waits for a file that others make and remove. It may be gone already, so this waits briefly, and not
  /// often.
  void await_moment(const std::string& image) const;
  /// Waits until nobody has the file open for writing, at most some seconds.
  void await_end_of_writing(const std::string& image) const;
  /// Waits until `done` returns true, at most `most_ms`.
  void wait_until(const std::function<bool()>& done, int most_ms = patience_ms) const;
  const std::string& folder() const { return folder_; }

 private:
  static constexpr int patience_ms = 60'000;
  std::string folder_;
  bool moves_ = false;  ///< the working directory has changed
};

}  // namespace refrain::replay
