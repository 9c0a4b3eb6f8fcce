#include "herglotz/simulate/linearise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "commands/linear/linearise.hpp"
#include "exit_status.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

using nlohmann::ordered_json;
using simulate::Linearisation;
using simulate::Stability;

const char* word_for(Stability stability) {
  switch (stability) {
    case Stability::asymptotic:
      return "asymptotically stable";
    case Stability::marginal:
      return "marginal: the linear motion does not decide";
    case Stability::unstable:
      return "unstable";
    case Stability::none:
      break;
  }
  return "no equilibrium";
}

void line(const std::string& what, const std::string& text) {
  fmt::print("{:<14}{}\n", what, one_line(text));
}

void print_matrix(const char* name, const std::vector<double>& entries, const std::vector<std::string>& rows,
                  std::size_t columns) {
  for (std::size_t i = 0; i < rows.size() && columns > 0; ++i) {
    std::string text;
    for (std::size_t j = 0; j < columns; ++j) text += fmt::format("{:>15.8g}", entries[i * columns + j] + 0.0);
    fmt::print("{:<14}{:<12}{}\n", i == 0 ? name : "", one_line(rows[i]), text);
  }
}

/// Returns "-0.1 +- 3.13i, frequency 0.498, damping ratio 0.0319".
std::string text_of(std::complex<double> pole) {
  const double size = std::abs(pole);
  if (pole.imag() == 0) return fmt::format("{:.10g}", pole.real() + 0.0);
  return fmt::format("{:.10g} +- {:.10g}i, frequency {:.6g}, damping ratio {:.4g}", pole.real() + 0.0, pole.imag(),
                     pole.imag() / (2 * std::numbers::pi), -pole.real() / size);
}

void print_text(const simulate::Problem& problem, const Linearisation& linear) {
  line("model", problem.system.title.empty() ? problem.system.name : problem.system.name + ": " + problem.system.title);
  std::vector<std::string> at;
  for (std::size_t i = 0; i < linear.states.size(); ++i)
    at.push_back(fmt::format("{} = {:.9g}", linear.states[i], linear.at[i] + 0.0));
  line("at", fmt::format("{}", fmt::join(at, ", ")));
  const bool moves = std::any_of(linear.drifting.begin(), linear.drifting.end(), [&](const std::string& name) {
    const auto k = std::find(linear.states.begin(), linear.states.end(), name) - linear.states.begin();
    return std::abs(linear.rates[static_cast<std::size_t>(k)]) > 1e-9;
  });
  const bool relative = linear.stability != Stability::none && moves;
  line("stability", fmt::format("{}{}", relative ? "relative equilibrium, " : "", word_for(linear.stability)));
  if (!linear.drifting.empty()) line("drifting", fmt::format("{}", fmt::join(linear.drifting, ", ")));
  for (const auto& pole : linear.poles)
    if (pole.imag() >= 0) line("pole", text_of(pole));
  print_matrix("A", linear.A, linear.states, linear.states.size());
  print_matrix("B", linear.B, linear.states, linear.inputs.size());
  print_matrix("C", linear.C, linear.outputs, linear.states.size());
  print_matrix("D", linear.D, linear.outputs, linear.inputs.size());
}

ordered_json matrix(const std::vector<double>& entries, std::size_t rows, std::size_t columns) {
  auto list = ordered_json::array();
  for (std::size_t i = 0; i < rows; ++i)
    list.push_back(std::vector<double>(entries.begin() + static_cast<std::ptrdiff_t>(i * columns),
                                       entries.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns)));
  return list;
}

ordered_json pairs(const std::vector<std::complex<double>>& values) {
  auto list = ordered_json::array();
  for (const auto& value : values) list.push_back({value.real(), value.imag()});
  return list;
}

void print_json(const simulate::Problem& problem, const Linearisation& linear) {
  ordered_json object;
  object["creator"] = "herglotz";
  object["model_name"] = problem.system.name;
  for (std::size_t i = 0; i < linear.states.size(); ++i) {
    object["at"][linear.states[i]] = linear.at[i];
    object["rates"][linear.states[i]] = linear.rates[i];
  }
  object["states"] = linear.states;
  object["inputs"] = linear.inputs;
  object["outputs"] = linear.outputs;
  object["A"] = matrix(linear.A, linear.states.size(), linear.states.size());
  object["B"] = matrix(linear.B, linear.states.size(), linear.inputs.size());
  object["C"] = matrix(linear.C, linear.outputs.size(), linear.states.size());
  object["D"] = matrix(linear.D, linear.outputs.size(), linear.inputs.size());
  object["eigenvalues"] = pairs(linear.eigenvalues);
  object["poles"] = pairs(linear.poles);
  object["drifting"] = linear.drifting;
  object["stability"] = word_for(linear.stability);
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

std::vector<std::string> plain(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const auto& name : names) list.push_back(symbolic::with_plain_greek(name));
  return list;
}

}  // namespace

int linearise(const LineariseArguments& arguments) {
  Model model = open_model_or_sites(arguments.model, arguments.set);
  simulate::Problem& problem = model.problem;
  for (const auto& assignment : arguments.at) io::apply_setting(problem, assignment);
  try {
    const simulate::Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
    const Linearisation linear = simulate::linearise(
        simulator, {problem.initial, {}, plain(arguments.inputs), plain(arguments.outputs), arguments.equilibrium});
    arguments.format == "json" ? print_json(problem, linear) : print_text(problem, linear);
  } catch (const simulate::RunFailed& e) {
    complain(fmt::format("{}: {}", model.file, e.what()));
    return run_failed;
  } catch (const Refused& e) {
    refuse(model.file, {}, {}, e);
  }
  return success;
}

}  // namespace herglotz::app
