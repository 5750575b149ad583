// The functions behind the table of formats (formats.cpp), each in the file of its name.
#pragma once

#include "exchange/formats.hpp"

namespace refrain::exchange {

using Exporter = Result<Exported>(const trace::Trace& trace, const ExportOptions& options,
                                  const std::filesystem::path& to);
Exporter export_codes;
Exporter export_csv;
Exporter export_darshan;
Exporter export_h5bench;
Exporter export_ior;
Exporter export_perfetto;
Exporter export_sqlite;

}  // namespace refrain::exchange
