// Where a path leads when the calls of a trace are made again below a folder of their own: an absolute path
// loses its leading slash, `..` is resolved and can't leave. A path and its image count as the same.
#pragma once

#include <string>
#include <string_view>

namespace refrain::trace {

/// The image of `path`. Relative paths without `..` are their own image, letter by letter. `root`, if not
/// empty, is an absolute path: what is below it is taken relative to it.
std::string path_image(std::string_view path, std::string_view root = {});

/// The same for a name that a library may take apart: MPI lets it begin with the kind of its file system, and
/// that stays, as in "ufs:/folder/file".
std::string library_image(std::string_view path, std::string_view root = {});

/// The image in the one spelling that all paths to it share: "a//b/./c/" is "a/b/c". Empty stays empty.
std::string plain_image(std::string_view path);

}  // namespace refrain::trace
