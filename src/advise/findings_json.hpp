// Findings as JSON, for `refrain advise --json` and for reports.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "advise/finding.hpp"

namespace refrain::advise {

/// {"io_time_ns": …, "complete": …, "findings": [{"rule", "title", "file", "where", "figures", …}, …]}; the
/// fields are described in docs/advise.md. Names that are not UTF-8 are for who prints it to replace.
nlohmann::json findings_json(const Advice& advice);

}  // namespace refrain::advise
