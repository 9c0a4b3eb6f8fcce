#include "model/swept_setting.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model/initial_table.hpp"
#include "model/option_value.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

constexpr const char* kSweep = "--sweep";

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw InputError(kSweep, 0, 0, what, remedy);
}

ensemble::Target target_of(const mechanics::System& system, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& parameter : system.parameters) known.emplace_back(parameter.symbol.name());
  if (std::find(known.begin(), known.end(), name) != known.end()) return ensemble::Target::parameter;
  const auto initial = initial_names(system);
  if (std::find(initial.begin(), initial.end(), name) != initial.end()) return ensemble::Target::initial;
  known.insert(known.end(), initial.begin(), initial.end());
  const auto nearest = symbolic::nearest_names(name, known);
  refuse("unknown name " + in_quotes(name),
         nearest.empty() ? "known are " + listing(known) : "did you mean " + listing(nearest, " or ") + "?");
}

}  // namespace

void apply_swept(ensemble::Plan& plan, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    refuse(in_quotes(assignment) + " is not a range", "write NAME=FROM:TO:COUNT, as in gamma=0:1:11");
  const std::string name = symbolic::with_plain_greek(trimmed(assignment.substr(0, equals)));
  const auto& system = plan.problem.system;
  const OptionRange range = range_of_option(kSweep, system, name, assignment.substr(equals + 1));
  ensemble::Swept swept{target_of(system, name), name, ensemble::Range{range.from, range.to, range.count}};
  auto& quantities = plan.sweep.quantities;
  const auto known = std::find_if(quantities.begin(), quantities.end(), [&](const ensemble::Swept& other) {
    return other.target == swept.target && other.name == name;
  });
  if (known == quantities.end()) {
    quantities.push_back(std::move(swept));
  } else {
    *known = std::move(swept);
  }
  try {
    plan.sweep.validate();
  } catch (const Refused& reason) {
    refuse(reason.problem(), reason.remedy().empty() ? "give another range" : reason.remedy());
  }
}

}  // namespace herglotz::io
