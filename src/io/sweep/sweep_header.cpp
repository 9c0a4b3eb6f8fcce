#include "sweep/sweep_header.hpp"

#include <algorithm>

#include "herglotz/io/model_file.hpp"
#include "sweep/sweep_block.hpp"
#include "sweep/sweep_identity.hpp"

namespace herglotz::io {
namespace {

using ensemble::Layout;
using ensemble::Plan;

/// Throws InputError if a column has the name of another object in the group, or a name that cannot be stored.
void require_free_names(const Plan& plan, const Layout& layout, const std::filesystem::path& file) {
  std::vector<std::string> taken{"member", "failed", "failed_reason"};
  if (plan.output.keep != ensemble::Keep::final) taken.emplace_back("time");
  for (const auto& quantity : plan.sweep.quantities) taken.push_back(dataset_of(quantity));
  for (const auto& name : layout.residuals()) taken.push_back(largest_of(name));
  for (const auto& [name, role] : layout.columns) {
    if (std::find(taken.begin(), taken.end(), name) != taken.end() || name.empty() || name == "." ||
        name.find('/') != std::string::npos) {
      throw InputError(file.string(), 0, 0, "the column '" + name + "' cannot be stored beside what describes members",
                       "rename it in the model, or leave it out of what is kept");
    }
  }
}

}  // namespace

SweepOutline outline_of(const Plan& plan, const Layout& layout) {
  const auto& problem = plan.problem;
  SweepOutline outline;
  outline.name = problem.system.name;
  outline.title = problem.system.title;
  outline.reference = problem.system.reference;
  outline.text = problem.text;
  outline.sweep = plan.sweep;
  outline.keep = plan.output.keep;
  outline.layout = layout;
  outline.step = problem.settings.step;
  outline.tolerance = problem.settings.tolerance;
  outline.t_end = problem.settings.t_end;
  for (const auto& parameter : problem.system.parameters)
    outline.parameters.emplace_back(parameter.symbol.name(), parameter.value);
  simulate::InitialState shared = problem.initial;
  for (const auto& name : initial_values_that_follow(plan)) shared.erase(name);
  outline.initial.assign(shared.begin(), shared.end());
  outline.fingerprint = fingerprint(identity_of(plan, layout));
  return outline;
}

JournalHeader header_of(const Plan& plan, const Layout& layout, const std::filesystem::path& file) {
  require_free_names(plan, layout, file);
  return {identity_of(plan, layout), outline_of(plan, layout)};
}

}  // namespace herglotz::io
