// The HTML report: one file that needs nothing else. The page (HTML, styles, scripts) is in page/ and built
// into the program; a report is the page with data in it.
#pragma once

#include <string>
#include <string_view>

namespace refrain::report {

/// Whether it was built: without npm it isn't.
bool has_page();

/// The whole file; nothing without a page. `runs`: JSON, a list of what run_data() gave.
std::string page_of(std::string_view runs);

}  // namespace refrain::report
