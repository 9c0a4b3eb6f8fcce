// Herglotz, many members at once: ensemble::Ensemble in all lanes and threads, final states kept.

#include <map>
#include <mutex>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz_methods.hpp"
#include "problems.hpp"
#include "protocol.hpp"

namespace {

using namespace herglotz;

/// The names that the model has for the entries of the peers' state. A model given by H has momenta, which are the
/// velocities here.
template <class Problem>
std::vector<std::string> names_in(const mechanics::System& system) {
  std::vector<std::string> known;
  for (const auto& x : system.algebroid.x) known.emplace_back(x.name());
  for (const auto& w : system.w()) known.emplace_back(w.name());
  std::vector<std::string> names;
  for (const std::string name : Problem::state) {
    const bool same = std::find(known.begin(), known.end(), name) != known.end();
    names.push_back(same ? name : "p_" + name);
  }
  return names;
}

/// Where member k differs from member 0, as lists in step.
template <class Problem>
ensemble::Sweep sweep_of(const protocol::Members& members, const std::vector<std::string>& names, std::size_t count) {
  ensemble::Sweep sweep;
  sweep.zipped.emplace_back();
  for (std::size_t i = 0; i < Problem::size; ++i) {
    if (members.starts[i] == members.starts[Problem::size + i]) continue;
    std::vector<double> values(count);
    for (std::size_t k = 0; k < count; ++k) values[k] = members.starts[k * Problem::size + i];
    sweep.quantities.push_back({ensemble::Target::initial, names[i], std::move(values)});
    sweep.zipped.back().push_back(names[i]);
  }
  return sweep;
}

/// Seconds of one run of `count` members, and where they end.
template <class Problem>
double run(ensemble::Plan plan, const protocol::Members& members, const std::vector<std::string>& names,
           std::size_t count, unsigned threads, std::vector<double>& reached) {
  plan.sweep = sweep_of<Problem>(members, names, count);
  plan.output.keep = ensemble::Keep::final;
  plan.output.columns = names;
  ensemble::Parallelism options;
  options.threads = static_cast<int>(threads);
  const ensemble::Ensemble many(std::move(plan), options);
  std::map<std::string, std::size_t> entry;
  for (std::size_t i = 0; i < names.size(); ++i) entry[names[i]] = i;
  const auto sink = [&](ensemble::Block&& block) {
    for (std::size_t c = 0; c < block.columns.size(); ++c) {
      const std::size_t i = entry.at(std::string(many.layout().columns[c].first));
      for (std::size_t k = 0; k < block.members; ++k)
        reached[(block.first + k) * Problem::size + i] = block.columns[c][k];
    }
  };
  const auto start = protocol::now();
  many.run([](std::size_t) { return true; }, sink);
  return protocol::since(start);
}

/// As many members as the budget allows; false where finer settings need not be tried.
template <class Problem>
bool measure_at(const protocol::Request& request, const protocol::Point& point, const protocol::Members& members,
                const std::vector<std::string>& names, const ensemble::Plan& plan) {
  const std::size_t available = std::min(request.members, members.starts.size() / Problem::size);
  std::vector<double> reached(available * Problem::size);
  std::size_t count = std::min<std::size_t>(available, 64);
  double shortest = run<Problem>(plan, members, names, count, request.threads, reached);
  const double error = protocol::error_of(members, reached);
  if (!(error < protocol::hopeless_error)) return true;
  const double each = shortest / static_cast<double>(count);
  const auto wanted = static_cast<std::size_t>(request.budget / each);
  if (wanted > count) {
    count = std::min(wanted, available);
    shortest = run<Problem>(plan, members, names, count, request.threads, reached);
    for (double spent = shortest; spent < 2 * request.budget;) {
      const double again = run<Problem>(plan, members, names, count, request.threads, reached);
      shortest = std::min(shortest, again);
      spent += again;
    }
  }
  protocol::print(point, "many", count, request.threads, shortest, protocol::error_of(members, reached));
  return each * protocol::sample < request.patience() && error > protocol::finest_error;
}

template <class Problem>
void measure(const protocol::Request& request, const std::string& models) {
  if (!request.wants(Problem::name)) return;
  const auto members = protocol::read_members<Problem>(request.folder);
  ensemble::Plan plan{io::read_model(models + "/" + Problem::model), {}, {}};
  plan.problem.system.symmetries.clear();  // as in herglotz_single.cpp
  plan.problem.system.observables.clear();
  const auto names = names_in<Problem>(plan.problem.system);
  plan.problem.initial.clear();
  for (std::size_t i = 0; i < Problem::size; ++i) plan.problem.initial[names[i]] = members.starts[i];
  for (auto& parameter : plan.problem.system.parameters)
    for (const auto& [name, value] : Problem::parameters)
      if (parameter.symbol.name() == name) parameter.value = value;

  for (const auto& info : measured_methods()) {
    for (const double setting : protocol::thin(settings_of(info), request.thinning)) {
      const double shown = info.adaptive ? setting : Problem::t_end / setting;
      plan.problem.settings = {};
      plan.problem.settings.method = info.name;
      plan.problem.settings.t_end = Problem::t_end;
      (info.adaptive ? plan.problem.settings.tolerance : plan.problem.settings.step) = shown;
      try {
        if (!measure_at<Problem>(request, {Problem::name, "Herglotz", info.name, shown}, members, names, plan)) break;
      } catch (const std::invalid_argument& refused) {
        std::fprintf(stderr, "no point: %s, Herglotz, %s\n", Problem::name, refused.what());
        break;
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  const auto request = protocol::read_request(count, words);
#define MEASURE(problem) measure<problems::problem<double>>(request, HERGLOTZ_SOURCE_DIR);
  FOR_EACH_PROBLEM(MEASURE)
}
