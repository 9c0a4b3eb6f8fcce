#include "job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "herglotz/control/conditions.hpp"
#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/setting.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/solve/solve.hpp"
#include "own_files.hpp"

namespace herglotz::studio {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

/// The results of a sweep fill at most so much.
constexpr double most_answer_bytes = 1U << 30U;

Message as_text(const json& content, const std::string& tag = {}) {
  return {content.dump(-1, ' ', true, json::error_handler_t::replace), false, tag};
}

/// Sends how far a job is, ten times a second at most; any thread may call it.
class Teller {
 public:
  Teller(Channel& channel, const json& id) : channel_(channel), id_(id) {}

  void say(std::size_t done, std::size_t of, std::size_t failed) {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    channel_.send(
        as_text({{"kind", "progress"}, {"id", id_}, {"done", done}, {"of", of}, {"failed", failed}}, "progress"));
  }

 private:
  Channel& channel_;
  const json& id_;
  std::mutex mutex_;
  Clock::time_point last_{};
};

void send_result(Channel& channel, const json& head, const std::string& page) {
  channel.send({head.dump(-1, ' ', true, json::error_handler_t::replace) + "\n" + page, true, "result"});
}

std::string assignment(const std::string& name, const json& value) {
  return fmt::format("{}={:.17g}", name, value.get<double>());
}

/// Calls `take` with the assignments of `changes` to what `names_swept` leaves alone.
template <class Take>
void for_each_left_alone(const json& changes, const std::vector<std::string>& names_swept, const Take& take) {
  for (const auto& [name, value] : changes.items())
    if (std::find(names_swept.begin(), names_swept.end(), name) == names_swept.end()) take(assignment(name, value));
}

/// Gives the values of `changes` to what `names_swept` leaves alone. Returns the names that the problem does not have,
/// as after its text was edited; these are left out.
template <class Problem>
std::vector<std::string> apply_changes(Problem& problem, const json& changes,
                                       const std::vector<std::string>& names_swept) {
  std::vector<std::string> unknown;
  for_each_left_alone(changes, names_swept, [&](const std::string& one) {
    const std::string name = one.substr(0, one.find('='));
    if (io::is_setting(problem, name))
      io::apply_setting(problem, one);
    else
      unknown.push_back(name);
  });
  return unknown;
}

/// Says which values were left out.
std::string said_of(const std::vector<std::string>& unknown) {
  return unknown.empty() ? "" : fmt::format("; without {}, which the text does not have", fmt::join(unknown, ", "));
}

std::vector<std::string> swept_in(const ensemble::Plan& plan) {
  std::vector<std::string> names;
  for (const auto& quantity : plan.sweep.quantities) names.push_back(quantity.name);
  return names;
}

/// Runs a sweep and sends its report. `Runs` is an ensemble; `unknown` are names of values that were left out.
template <class Runs>
void sweep(Channel& channel, const json& request, const Runs& ensemble, const std::string& folder,
           const std::vector<std::string>& unknown = {}) {
  const auto& layout = ensemble.layout();
  const double bytes = 8.0 * static_cast<double>(layout.members) * static_cast<double>(layout.times.size()) *
                       static_cast<double>(layout.columns.size());
  if (bytes > most_answer_bytes && ensemble.plan().output.keep != ensemble::Keep::statistics)
    throw Refused(fmt::format("this sweep keeps {:.1f} GiB", bytes / most_answer_bytes),
                  "take fewer members, keep = \"final\" or fewer columns; `herglotz sweep` has no such limit",
                  "[sweep]");
  const std::filesystem::path out = std::filesystem::path(folder) / "sweep.h5";
  const auto began = Clock::now();
  io::SweepSummary summary;
  {
    io::SweepWriter writer(ensemble.plan(), layout, out);
    Teller teller(channel, request.at("id"));
    ensemble.run([](std::size_t) { return true; }, [&](ensemble::Block&& block) { writer.add(block); },
                 [&](const ensemble::MemberCounts& done) {
                   teller.say(done.done, done.members, done.failed);
                   return true;
                 });
    summary = writer.finish();
  }
  const std::string page = report::render(io::SweepReader(out));
  send_result(channel,
              {{"kind", "result"},
               {"id", request.at("id")},
               {"good", summary.failed == 0},
               {"what", fmt::format("{} members, {} failed{}", summary.members, summary.failed, said_of(unknown))},
               {"seconds", std::chrono::duration<double>(Clock::now() - began).count()},
               {"name", ensemble.plan().problem.system.name + "-sweep"}},
              page);
}

void sweep(Channel& channel, const json& request, const std::string& file, const std::string& folder) {
  const auto text = request.at("text").get<std::string>();
  const auto ranges = request.value("sweep", std::vector<std::string>());
  const auto method = request.value("method", std::string());
  if (!io::states_families(text, file)) {
    ensemble::Plan plan = io::parse_plan(text, file, ranges);
    const auto unknown = apply_changes(plan.problem, request.at("changes"), swept_in(plan));
    if (!method.empty()) plan.problem.settings.method = method;
    return sweep(channel, request, ensemble::Ensemble(std::move(plan)), folder, unknown);
  }
  const std::vector<std::string> swept = swept_in(io::parse_family_plan(text, file, {}, ranges));
  std::vector<std::string> set;
  for_each_left_alone(request.at("changes"), swept, [&](const std::string& one) { set.push_back(one); });
  ensemble::Plan plan = io::parse_family_plan(text, file, set, ranges);
  if (!method.empty()) plan.problem.settings.method = method;
  const auto read = [&] { return io::parse_family_model(text, file, set); };
  sweep(channel, request, families::FieldEnsemble(read, std::move(plan)), folder);
}

void solve(Channel& channel, const json& request, const std::string& file) {
  control::Problem problem = io::parse_problem(request.at("text").get<std::string>(), file);
  const auto unknown = apply_changes(problem, request.at("changes"), {});
  if (!problem.guess.file.empty()) io::read_guess(problem, problem.guess.file);
  const auto began = Clock::now();
  Teller teller(channel, request.at("id"));
  std::size_t iterations = 0;
  solve::Solution solution = solve::solve(problem, [&] {
    teller.say(++iterations, 0, 0);
    return true;
  });
  if (!problem.controls.empty())
    solution.trajectory.facts.equations_latex =
        mechanics::render(control::pontryagin_conditions(problem), symbolic::Format::latex);
  const bool solved = solution.status == solve::Status::solved;
  send_result(
      channel,
      {{"kind", "result"},
       {"id", request.at("id")},
       {"good", solved},
       {"what", (solved ? fmt::format("solved, cost {:.8g}", solution.cost) : solution.reason) + said_of(unknown)},
       {"seconds", std::chrono::duration<double>(Clock::now() - began).count()},
       {"name", problem.system.name + "-solution"}},
      report::render(solution.trajectory, solution));
}

}  // namespace

void run_job(Channel& channel, const json& request, const std::string& file, const std::string& folder) {
  const auto fail = [&](const std::string& what, const std::string& remedy, std::size_t line = 0,
                        std::size_t column = 0) {
    channel.send(as_text({{"kind", "failed"},
                          {"id", request.value("id", json(0))},
                          {"what", what},
                          {"remedy", remedy},
                          {"line", line},
                          {"column", column}}));
  };
  try {
    require_own_files(request.at("text").get<std::string>(), file);
    request.at("kind") == "solve" ? solve(channel, request, file) : sweep(channel, request, file, folder);
  } catch (const io::InputError& error) {
    fail(error.problem(), error.remedy(), error.file == file ? error.line : 0, error.column);
  } catch (const json::exception&) {
    fail("a request that is none of the studio's", "reload the page");
  } catch (const Error& error) {
    fail(error.problem(), error.remedy());
  } catch (const std::exception& error) {
    fail(error.what(), "");
  }
}

}  // namespace herglotz::studio
