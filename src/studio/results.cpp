#include "results.hpp"

#include <algorithm>

#include "access.hpp"

namespace herglotz::studio {

std::string Results::keep(std::string page) {
  constexpr std::size_t most = 6;
  if (results_.size() == most) results_.pop_front();
  results_.push_back({std::string(result_path) + random_word(), std::move(page)});
  return results_.back().path;
}

const std::string* Results::find(std::string_view path) const {
  const auto found =
      std::find_if(results_.begin(), results_.end(), [&](const Result& one) { return one.path == path; });
  return found == results_.end() ? nullptr : &found->page;
}

}  // namespace herglotz::studio
