#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "switches/switched_motion.hpp"

namespace herglotz::simulate {

void add(std::vector<Passage>& whole, const std::vector<Passage>& part) {
  for (const Passage& more : part) {
    const auto same = [&](const Passage& one) { return one.text == more.text && one.friction == more.friction; };
    const auto known = std::find_if(whole.begin(), whole.end(), same);
    if (known == whole.end()) {
      whole.push_back(more);
      continue;
    }
    if (known->held == 0) known->first = more.first;
    if (!known->chosen) known->chosen = more.chosen;
    known->passed += more.passed;
    known->held += more.held;
  }
}

std::vector<std::string> notes_of(const std::vector<Passage>& passages) {
  const auto times = [](std::size_t n) { return fmt::format("{} {}", n, n == 1 ? "time" : "times"); };
  std::vector<std::string> result;
  std::vector<std::string> passed;
  for (const Passage& one : passages)
    if (one.passed > 0) passed.push_back(fmt::format("'{}' {}", one.text, times(one.passed)));
  if (!passed.empty())
    result.push_back(fmt::format("steps end at the switches that the motion passes: {}", fmt::join(passed, ", ")));
  for (const Passage& one : passages) {
    const std::string held = one.friction ? fmt::format("the friction on '{}' sticks", one.text)
                                          : fmt::format("the motion stays on '{}' = 0", one.text);
    if (one.held > 0) result.push_back(fmt::format("{} {}, first from t = {:.9g}", held, times(one.held), one.first));
  }
  std::vector<std::string> chosen;
  double since = std::numeric_limits<double>::infinity();
  for (const Passage& one : passages)
    if (one.chosen) {
      chosen.push_back("'" + one.text + "'");
      since = std::min(since, *one.chosen);
    }
  if (!chosen.empty())
    result.push_back(
        fmt::format("friction at rest on {} shares a load with others, first from t = {:.9g}: only sums of "
                    "their forces are determined, and those shown are one of many choices",
                    fmt::join(chosen, ", "), since));
  return result;
}

}  // namespace herglotz::simulate
