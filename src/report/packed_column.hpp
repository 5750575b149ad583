// A column of a table in fewer bytes, if it has a rule: thousands of files differ in a number of their names,
// and in little else.
#pragma once

#include "report/info_json.hpp"

namespace refrain::report {

/// One of these, whichever comes first; or the column as it is. Short columns stay.
///   {"=:": value}                                all values are this one
///   {"=~": [text, …], "=#": [[width, n, …], …]}  strings: texts with a number between each two; numbers of a
///   width
///                                                other than 0 have zeros before them
///   {"=@": [value, …], "=i": [place, …]}         few different values, by place
/// page/columns.js unpacks it.
Json packed_column(Json column);

}  // namespace refrain::report
