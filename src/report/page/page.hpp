#pragma once
/// Fixed text of the page, cut at the four places that a run fills. It is generated from web/ at build time.

#include <string_view>

namespace herglotz::report {

struct Page {
  std::string_view before_policy;  ///< up to what scripts may do beyond the page's own one
  std::string_view before_title;
  std::string_view before_summary;
  std::string_view before_run;
  std::string_view end;
};

const Page& page();

}  // namespace herglotz::report
