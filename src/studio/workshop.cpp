#include "workshop.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/report/live.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "own_files.hpp"
#include "process.hpp"

namespace herglotz::studio {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

Message text_message(const json& content, const std::string& tag = {}) {
  return {content.dump(-1, ' ', true, json::error_handler_t::replace), false, tag};
}

using Names = std::vector<std::string>;

/// Returns whether a start can be moved with this coordinate held.
bool is_coordinate(const mechanics::System& system, const std::string& name) {
  const auto has = [&](const std::vector<symbolic::Expr>& list) {
    return std::any_of(list.begin(), list.end(), [&](const symbolic::Expr& one) { return one.name() == name; });
  };
  return has(system.algebroid.x) || has(system.w());
}

/// The milliseconds that the parts of a request took, in their order.
class Stages {
 public:
  /// Ends a part that began where the one before ended.
  void end(const char* part) {
    const auto now = Clock::now();
    taken_[part] = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }
  [[nodiscard]] double milliseconds() const {
    return std::chrono::duration<double, std::milli>(last_ - began_).count();
  }
  [[nodiscard]] const json& taken() const { return taken_; }

 private:
  Clock::time_point began_ = Clock::now();
  Clock::time_point last_ = began_;
  json taken_ = json::object();
};

Message run_message(const report::RunPages& pages, const analyse::Trajectory& trajectory, std::size_t id,
                    Stages& stages, const Limits& limits) {
  const double milliseconds = stages.milliseconds();
  const report::LiveRun live = pages.page_of(trajectory, limits.rows);
  std::string numbers(trajectory.columns.size() * live.rows.size() * sizeof(double), '\0');
  char* at = numbers.data();
  for (const auto& column : trajectory.columns) {
    for (const std::size_t row : live.rows) {
      std::memcpy(at, &column.values[row], sizeof(double));
      at += sizeof(double);
    }
  }
  stages.end("pack");
  std::string bytes(4, '\0');
  bytes += fmt::format(R"({{"id":{},"drawn":{},"milliseconds":{:.3f},"stages":{},"run":{}}})", id, live.rows.size(),
                       milliseconds, stages.taken().dump(), live.head);
  const auto length = static_cast<std::uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &length, 4);
  bytes.resize((bytes.size() + 7) / 8 * 8);
  bytes += numbers;
  return {std::move(bytes), true, "run"};
}

}  // namespace

/// Watches over a run; says why it was ended.
class Workshop::Watch {
 public:
  Watch(const Limits& limits, const Wanted& wanted)
      : limits_(limits), wanted_(wanted), began_(Clock::now()), bytes_(resident_bytes(::getpid())) {}

  bool go_on() {
    const auto seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (!wanted_()) {
      unwanted_ = true;
    } else if (seconds > limits_.seconds) {
      reason_ = fmt::format("the studio ends runs after {} s; shorten t_end or take larger steps", limits_.seconds);
    } else if (seconds > checked_ + 0.05) {
      checked_ = seconds;
      if (resident_bytes(::getpid()) > bytes_ + limits_.bytes)
        reason_ = "the run needs more memory than the studio gives; store fewer rows by output_step";
    }
    return !unwanted_ && reason_.empty();
  }
  [[nodiscard]] bool unwanted() const { return unwanted_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  const Limits& limits_;
  const Wanted& wanted_;
  Clock::time_point began_;
  std::size_t bytes_;
  double checked_ = 0;
  bool unwanted_ = false;
  std::string reason_;
};

/// A model that was read and compiled, and its latest run.
struct Workshop::Model {
  std::string text;
  simulate::Problem problem;
  simulate::Simulator simulator;
  report::RunPages pages;
  std::string latex{};
  analyse::Trajectory latest{};

  /// Returns the run that `asked` asks for. A start that changed values lead off the constraints is moved onto them,
  /// with as many changed coordinates held as can be.
  analyse::Trajectory run_near(const simulate::Problem& asked, const Names& changed, const Names& newest,
                               Watch& watch) {
    auto trajectory = run_if_consistent(asked, watch);
    simulate::Problem moved = asked;
    moved.settings.project = true;
    for (const Names& held : {changed, newest, Names()}) {
      if (trajectory || changed.empty()) break;
      moved.settings.fixed = asked.settings.fixed;
      for (const std::string& name : held)
        if (is_coordinate(asked.system, name)) moved.settings.fixed.push_back(name);
      trajectory = run_if_consistent(moved, watch);
    }
    return trajectory ? std::move(*trajectory) : run(asked, watch);
  }

  /// Returns nothing if the run does not accept its start.
  std::optional<analyse::Trajectory> run_if_consistent(const simulate::Problem& asked, Watch& watch) {
    try {
      analyse::Trajectory trajectory = run(asked, watch);
      if (trajectory.rows() > 0 || watch.unwanted()) return trajectory;
    } catch (const Refused& refused) {
      if (refused.where() != "[initial]") throw;
    }
    return std::nullopt;
  }

  /// A run with the values of `changed`, as far as it came.
  analyse::Trajectory run(const simulate::Problem& changed, Watch& watch) {
    simulate::InitialState parameters;
    for (const auto& parameter : changed.system.parameters)
      parameters[std::string(parameter.symbol.name())] = parameter.value;
    try {
      return simulator.run(
          changed.initial, changed.settings, parameters, [&](double) { return watch.go_on(); }, changed.next);
    } catch (simulate::RunFailed& failed) {
      return std::move(failed.partial);
    }
  }
};

Workshop::Workshop(std::string file, Send send, const Limits& limits)
    : file_(std::move(file)), send_(std::move(send)), limits_(limits) {}
Workshop::~Workshop() = default;

void Workshop::send_error(std::size_t id, const std::string& what, const std::string& remedy, std::size_t line,
                          std::size_t column) const {
  send_(text_message(
      {{"kind", "error"}, {"id", id}, {"what", what}, {"remedy", remedy}, {"line", line}, {"column", column}}));
}

void Workshop::prepare(const std::string& text) {
  if (model_ && model_->text == text) return;
  require_own_files(text, file_);
  if (io::states_control(text, file_))
    throw Refused("the model states a problem of control, which has no motion yet", "solve it by Sweep or solve");
  simulate::Problem problem = io::parse_model(text, file_);
  simulate::Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
  model_ = std::make_unique<Model>(Model{text, std::move(problem), std::move(simulator), report::RunPages(text)});
}

void Workshop::begin(const std::string& text, const Wanted& wanted) {
  try {
    prepare(text);
    Watch watch(limits_, wanted);
    model_->run(model_->problem, watch);
  } catch (const std::exception&) {
    // The page asks for this run at once, and is told then.
  }
}

void Workshop::run(const json& request, const Wanted& wanted) {
  const auto id = request.at("id").get<std::size_t>();
  Stages stages;
  try {
    prepare(request.at("text").get<std::string>());
    stages.end("read");
    simulate::Problem problem = model_->problem;
    Names changed;
    for (const auto& [name, value] : request.at("changes").items()) {
      io::apply_setting(problem, fmt::format("{}={:.17g}", name, value.get<double>()));
      changed.push_back(name);
    }
    if (const auto method = request.value("method", std::string()); !method.empty()) problem.settings.method = method;
    stages.end("values");
    Watch watch(limits_, wanted);
    analyse::Trajectory trajectory = model_->run_near(problem, changed, request.value("newest", Names()), watch);
    if (watch.unwanted()) return;
    if (!watch.reason().empty()) trajectory.facts.status = watch.reason();
    if (trajectory.rows() == 0)
      return send_error(id, "the run has no first state: " + trajectory.facts.status, "", 0, 0);
    trajectory.facts.model_text = model_->text;
    stages.end("run");
    send_(run_message(model_->pages, trajectory, id, stages, limits_));
    if (model_->latex.empty()) {
      model_->latex =
          mechanics::render(mechanics::equations_of_motion(model_->simulator.system(), model_->simulator.equations()),
                            symbolic::Format::latex);
      send_(text_message({{"kind", "equations"}, {"latex", model_->latex}}, "equations"));
    }
    trajectory.facts.equations_latex = model_->latex;
    model_->latest = std::move(trajectory);
  } catch (const io::InputError& error) {
    send_error(id, error.problem(), error.remedy(), error.file == file_ ? error.line : 0, error.column);
  } catch (const json::exception& error) {
    send_error(id, "a request that is none of the studio's", "reload the page", 0, 0);
  } catch (const Error& error) {
    send_error(id, error.problem(), error.remedy(), 0, 0);
  } catch (const std::exception& error) {
    send_error(id, error.what(), "", 0, 0);
  }
}

void Workshop::report() const {
  if (!model_ || model_->latest.rows() == 0) return send_error(0, "there is no run to report", "mend the model", 0, 0);
  send_(text_message(
      {{"kind", "report"}, {"name", model_->latest.facts.model_name}, {"html", report::render(model_->latest)}},
      "report"));
}

Message greeting(const std::string& text, const std::string& file, bool saves) {
  json gallery = json::array();
  for (const auto* models : {&io::gallery(), &io::problem_gallery()})
    for (const auto& model : *models) gallery.push_back({{"name", model.name}, {"title", model.title}});
  json methods = json::array();
  for (const auto& method : integrate::methods()) methods.push_back(method.name);
  return text_message({{"kind", "hello"},
                       {"version", HERGLOTZ_VERSION},
                       {"gallery", std::move(gallery)},
                       {"methods", std::move(methods)},
                       {"file", file},
                       {"saves", saves},
                       {"text", text}});
}

Message gallery_model(const std::string& name) {
  for (const auto* models : {&io::gallery(), &io::problem_gallery()})
    for (const auto& model : *models)
      if (model.name == name)
        return text_message({{"kind", "model"}, {"name", name}, {"text", io::gallery_text(name)}}, "model");
  return text_message(
      {{"kind", "error"}, {"id", 0}, {"what", "there is no such model in the gallery"}, {"remedy", ""}});
}

}  // namespace herglotz::studio
