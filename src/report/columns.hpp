// Lists of alike objects, column by column: a page with thousands of files names each figure once.
#pragma once

#include "report/info_json.hpp"

namespace refrain::report {

/// Every list of two objects or more, at any depth, as {"=": how many, key: [values], …}, in which columns of
/// objects are treated alike and long ones are packed (packed_column.hpp); null stands for what an object
/// doesn't have, "=?" lists the places that hold null instead of an object. Keys that begin with = get
/// another. page/columns.js reads it.
Json in_columns(Json json);

}  // namespace refrain::report
