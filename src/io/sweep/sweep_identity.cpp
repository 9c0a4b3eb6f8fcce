#include "sweep/sweep_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "herglotz/io/sweep_file.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::io {
namespace {

using ensemble::ProbabilityDistribution;
using ensemble::Range;
using ensemble::Swept;

std::string in_toml(double value) {
  return fmt::format("{}", value);
}

std::string in_toml(const Range& range) {
  return fmt::format("{{ from = {}, to = {}, count = {}{} }}", range.from, range.to, range.count,
                     range.logarithmic ? ", spacing = \"log\"" : "");
}

std::string in_toml(const std::vector<double>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string in_toml(const ProbabilityDistribution& distribution) {
  using Kind = ProbabilityDistribution::Kind;
  const auto text = [&](const char* kind, const char* a, const char* b) {
    const std::string second = *b == '\0' ? "" : fmt::format(", {} = {}", b, distribution.b);
    return fmt::format("{{ distribution = \"{}\", {} = {}{} }}", kind, a, distribution.a, second);
  };
  switch (distribution.kind) {
    case Kind::uniform:
      return text("uniform", "from", "to");
    case Kind::log_uniform:
      return text("log-uniform", "from", "to");
    case Kind::normal:
      return text("normal", "mean", "deviation");
    case Kind::log_normal:
      return text("log-normal", "mean", "deviation");
    case Kind::exponential:
      return text("exponential", "mean", "");
  }
  return {};
}

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "unset";
}

void add_values(SweepIdentity& identity, const char* kind, const simulate::InitialState& values) {
  for (const auto& [name, value] : values) identity.emplace_back(kind + name, in_toml(value));
}

}  // namespace

std::string dataset_of(const Swept& quantity) {
  return (quantity.target == ensemble::Target::parameter ? "parameters." : "initial.") + quantity.name;
}

const char* name_of(ensemble::Keep keep) {
  switch (keep) {
    case ensemble::Keep::trajectory:
      return "trajectory";
    case ensemble::Keep::times:
      return "times";
    case ensemble::Keep::final:
      return "final";
    case ensemble::Keep::statistics:
      return "statistics";
  }
  return "";
}

std::string sweep_text(const ensemble::Sweep& sweep) {
  std::string text;
  if (sweep.samples != 0) text += fmt::format("samples = {}\n", sweep.samples);
  if (sweep.sampling == ensemble::Sampling::sobol) text += "sampling = \"sobol\"\n";
  if (sweep.seed != 0) text += fmt::format("seed = {}\n", sweep.seed);
  std::vector<std::string> groups;
  for (const auto& names : sweep.zipped) groups.push_back(fmt::format("[\"{}\"]", fmt::join(names, "\", \"")));
  if (!groups.empty()) text += fmt::format("zip = [{}]\n", fmt::join(groups, ", "));
  for (const Swept& swept : sweep.quantities) {
    text += fmt::format("{} = {}\n", dataset_of(swept),
                        std::visit([](const auto& values) { return in_toml(values); }, swept.values));
  }
  return text;
}

SweepIdentity identity_of(const ensemble::Plan& plan, const ensemble::Layout& layout) {
  const simulate::Problem& problem = plan.problem;
  const simulate::Settings& settings = problem.settings;
  SweepIdentity identity{{"the version", HERGLOTZ_VERSION}};
  for (const auto& parameter : problem.system.parameters)
    identity.emplace_back("parameter " + std::string(parameter.symbol.name()), in_toml(parameter.value));
  add_values(identity, "initial ", problem.initial);
  for (const auto& [name, value] : problem.expressions.list())
    identity.emplace_back("the expression of initial " + name, symbolic::print(value));
  add_values(identity, "second position ", problem.next);
  identity.emplace_back("method", layout.method);
  identity.emplace_back("step", text_of(settings.step));
  identity.emplace_back("tolerance", text_of(settings.tolerance));
  identity.emplace_back("t_end", in_toml(settings.t_end));
  identity.emplace_back("output_every", text_of(settings.output_every));
  identity.emplace_back("output_step", text_of(settings.output_step));
  identity.emplace_back("project", settings.project ? "true" : "false");
  identity.emplace_back("the number of members", fmt::format("{}", layout.members));
  identity.emplace_back("[sweep]", sweep_text(plan.sweep));
  identity.emplace_back("what is kept", name_of(plan.output.keep));
  std::vector<std::string> columns;
  for (const auto& column : layout.columns) columns.push_back(column.first);
  identity.emplace_back("the list of columns", fmt::format("{}", fmt::join(columns, ", ")));
  identity.emplace_back("the list of times", fmt::format("{}", fmt::join(layout.times, ", ")));
  identity.emplace_back("the number of members in a block", fmt::format("{}", layout.block_members));
  identity.emplace_back("the text of the model, or a file that it reads,", problem.text);
  return identity;
}

std::string fingerprint(const SweepIdentity& identity) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a, 64 bits.
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    hash = (hash ^ 0xFFU) * 1099511628211U;
  };
  for (const auto& [name, text] : identity) {
    add(name);
    add(text);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace herglotz::io
