// Cuts C text into what it declares, so that a kernel gets only those pieces of the fixed part that it uses.
// Not a parser of C: it understands the text in runtime/, which is ours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace refrain::generate {

/// A function, a variable, a type, a macro or an #include, with the comment in front of it.
struct CItem {
  std::string text{};                ///< with the blank line in front of it, if there is one
  std::vector<std::string> names{};  ///< that it declares; `name*` stands for all names that begin so
  bool always = false;               ///< a directive that declares nothing
};

/// `#include <aio.h>  // aiocb aio_*` declares the names behind it, which the text of the item leaves out.
std::vector<CItem> c_items(std::string_view text);

/// The words of a C text, without those in comments and strings.
class CWords {
 public:
  explicit CWords(std::string_view text);
  bool hold(const CItem& item) const;

 private:
  std::vector<std::string> words_;  ///< in order
};

}  // namespace refrain::generate
