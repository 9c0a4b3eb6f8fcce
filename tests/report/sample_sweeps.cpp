#include "sample_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "herglotz/io/model_file.hpp"
#include "herglotz/io/sweep_file.hpp"

namespace herglotz::report::samples {

namespace {

using ensemble::Block;
using ensemble::Keep;
using ensemble::Layout;
using ensemble::Plan;
using ensemble::Target;

const char* const model = R"([model]
name = "swept-oscillator"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
gamma = 0.1
[dynamics]
lagrangian = "v^2/2 - q^2/2 - gamma*z"
[initial]
q = 1
[simulation]
step = 0.1
t_end = 4
)";

Plan plan_of(Keep keep) {
  Plan plan{io::parse_model(model), {}, {}};
  plan.output.keep = keep;
  return plan;
}

Layout layout_of(const Plan& plan) {
  Layout layout;
  layout.columns = {{"q", analyse::Role::base}, {"energy_residual", analyse::Role::residual}};
  layout.times = {4};
  if (plan.output.keep != Keep::final) {
    layout.times.clear();
    for (int k = 0; k <= 40; ++k) layout.times.push_back(0.1 * k);
  }
  layout.members = plan.sweep.members();
  layout.block_members = 1000;
  layout.method = "contact-gauss-4";
  layout.order = 4;
  return layout;
}

/// The values of gamma and of q at the start.
std::pair<double, double> start_of(const Plan& plan, const ensemble::SweepValues& values, std::size_t member) {
  std::vector<double> swept(plan.sweep.quantities.size());
  values(member, swept);
  std::pair<double, double> start{0.1, 1};
  for (std::size_t k = 0; k < swept.size(); ++k) {
    if (plan.sweep.quantities[k].name == "gamma") start.first = swept[k];
    if (plan.sweep.quantities[k].name == "q") start.second = swept[k];
  }
  return start;
}

/// Whether the member with this gamma and q fails.
using Failing = std::function<bool(double gamma, double q)>;

bool nowhere(double /*gamma*/, double /*q*/) {
  return false;
}

void write(const std::filesystem::path& file, const Plan& plan, const Failing& failing) {
  const Layout layout = layout_of(plan);
  const ensemble::SweepValues values(plan.sweep);
  const std::size_t rows = layout.times.size();
  std::filesystem::remove(file);
  io::SweepWriter writer(plan, layout, file);
  for (std::size_t index = 0; index < layout.blocks(); ++index) {
    Block block;
    block.index = index;
    block.first = index * layout.block_members;
    block.members = std::min(layout.block_members, layout.members - block.first);
    block.steps = 40 * block.members;
    block.columns.resize(2);
    block.begin_residuals(1);
    std::vector<ensemble::Moments> moments(2 * rows);
    for (std::size_t member = block.first; member < block.first + block.members; ++member) {
      const auto [gamma, q] = start_of(plan, values, member);
      const bool fails = failing(gamma, q);
      if (fails) block.failures.push_back({member, "no convergence at t = 3." + std::to_string(member)});
      if (!fails) block.keep_largest(0, member, 1e-12 * static_cast<double>(member));
      for (std::size_t row = 0; row < rows; ++row) {
        const bool reached = !fails || layout.times[row] < 3;
        block.columns[0].push_back(reached ? swept_q(gamma, q, layout.times[row])
                                           : std::numeric_limits<double>::quiet_NaN());
        block.columns[1].push_back(reached ? 1e-12 * static_cast<double>(member)
                                           : std::numeric_limits<double>::quiet_NaN());
        if (fails) continue;
        for (std::size_t c = 0; c < 2; ++c) moments[2 * row + c].add(block.columns[c].back());
      }
    }
    if (plan.output.keep == Keep::statistics) {
      block.columns.clear();
      block.statistics = moments;
    }
    writer.add(block);
  }
  writer.finish();
}

}  // namespace

double swept_q(double a, double q, double t) {
  return q * std::cos(a * t);
}

void write_grid(const std::filesystem::path& file, Keep keep, std::size_t samples) {
  Plan plan = plan_of(keep);
  plan.sweep.quantities.push_back({Target::parameter, "gamma", ensemble::Range{0, 1, 11, false}});
  plan.sweep.quantities.push_back({Target::initial, "q", ensemble::Range{-3, 3, 7, false}});
  if (samples > 0) {
    plan.sweep.quantities.push_back({Target::initial, "z", ensemble::ProbabilityDistribution{}});
    plan.sweep.samples = samples;
  }
  write(file, plan, [](double gamma, double q) { return std::abs(gamma - 0.5) < 1e-9 && q < 0; });
}

void write_line(const std::filesystem::path& file, std::size_t members, Keep keep, const std::string& text) {
  Plan plan = plan_of(keep);
  if (!text.empty()) plan.problem = io::parse_model(text);
  plan.sweep.quantities.push_back({Target::parameter, "gamma", ensemble::Range{0, 1, members, false}});
  write(file, plan, nowhere);
}

void write_constant(const std::filesystem::path& file) {
  Plan plan = plan_of(Keep::final);
  plan.sweep.quantities.push_back({Target::parameter, "gamma", std::vector<double>{0.2, 0.2}});
  plan.sweep.quantities.push_back({Target::initial, "q", std::vector<double>{1, 1, 1}});
  write(file, plan, nowhere);
}

void write_failed(const std::filesystem::path& file) {
  Plan plan = plan_of(Keep::final);
  plan.sweep.quantities.push_back({Target::parameter, "gamma", ensemble::Range{0, 1, 4, false}});
  plan.sweep.quantities.push_back({Target::initial, "q", ensemble::Range{-1, 1, 3, false}});
  write(file, plan, [](double /*gamma*/, double /*q*/) { return true; });
}

void write_samples(const std::filesystem::path& file, Keep keep, std::size_t members) {
  Plan plan = plan_of(keep);
  plan.sweep.quantities.push_back(
      {Target::parameter, "gamma",
       ensemble::ProbabilityDistribution{ensemble::ProbabilityDistribution::Kind::uniform, 0, 1}});
  plan.sweep.quantities.push_back(
      {Target::initial, "q",
       ensemble::ProbabilityDistribution{ensemble::ProbabilityDistribution::Kind::normal, 1, 0.2}});
  plan.sweep.samples = members;
  write(file, plan, nowhere);
}

}  // namespace herglotz::report::samples
