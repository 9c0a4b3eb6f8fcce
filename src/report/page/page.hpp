#pragma once
/// Fixed text of the page, cut at the three places that a run fills. It is generated from web/ at build time.

#include <string_view>

namespace herglotz::report {

struct Page {
  std::string_view before_title;
  std::string_view before_summary;
  std::string_view before_run;
  std::string_view end;
};

const Page& page();

}  // namespace herglotz::report
