// The functions behind the table of formats (formats.cpp), each in the file of its name. They accept any
// bytes: the answer is a trace, or an error that names file and line.
#pragma once

#include "exchange/formats.hpp"

namespace refrain::exchange {

using Importer = Result<trace::Trace>(const std::vector<std::filesystem::path>& files,
                                      const ImportOptions& options);
Importer import_csv;
Importer import_dxt;
Importer import_recorder;
Importer import_strace;

}  // namespace refrain::exchange
