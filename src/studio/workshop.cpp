#include "workshop.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "herglotz/control/conditions.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "models/studied.hpp"
#include "own_files.hpp"
#include "process.hpp"
#include "typesetter.hpp"

namespace herglotz::studio {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

Message text_message(const json& content, const std::string& tag = {}) {
  return {content.dump(-1, ' ', true, json::error_handler_t::replace), false, tag};
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

/// Copies numbers, and returns the place behind them.
template <class Number>
char* copied(const std::vector<Number>& numbers, char* to) {
  if (!numbers.empty()) std::memcpy(to, numbers.data(), numbers.size() * sizeof(Number));
  return to + numbers.size() * sizeof(Number);
}

/// The message of a run; `more` are further entries of its head.
Message run_message(const Model& model, const Studied& studied, std::size_t id, Stages& stages, const Limits& limits,
                    json more) {
  const double milliseconds = stages.milliseconds();
  const report::LiveRun live = model.page_of(studied, limits.rows);
  stages.end("pack");
  const auto& columns = studied.shown.columns;
  std::string bytes(4, '\0');
  more.update({{"id", id}, {"drawn", live.rows.size()}, {"milliseconds", milliseconds}, {"stages", stages.taken()}});
  const std::string facts = more.dump();
  bytes += facts.substr(0, facts.size() - 1) + ",\"run\":" + live.head + "}";
  const auto length = static_cast<std::uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &length, 4);
  bytes.resize((bytes.size() + 7) / 8 * 8);
  const std::size_t numbers = bytes.size();
  bytes.resize(numbers + columns.size() * live.rows.size() * sizeof(double) + live.fields.size() * sizeof(float) +
               live.sites.size() * sizeof(std::uint16_t));
  char* at = bytes.data() + numbers;
  for (const auto& column : columns) {
    for (const std::size_t row : live.rows) {
      std::memcpy(at, &column.values[row], sizeof(double));
      at += sizeof(double);
    }
  }
  at = copied(live.fields, at);
  copied(live.sites, at);
  return {std::move(bytes), true, "run"};
}

/// Returns what a request wishes besides its text.
Wishes wishes_of(const json& request) {
  Wishes wishes;
  for (const auto& [name, value] : request.at("changes").items())
    wishes.changes.emplace_back(name, value.get<double>());
  wishes.newest = request.value("newest", Names());
  wishes.method = request.value("method", std::string());
  wishes.columns = request.value("columns", Names());
  return wishes;
}

}  // namespace

/// Watches over a run; says why it was ended.
class Workshop::Watch {
 public:
  Watch(const Limits& limits, const Wanted& wanted)
      : limits_(limits), wanted_(wanted), began_(Clock::now()), bytes_(resident_bytes(::getpid())) {}

  bool go_on(double fraction) {
    const double seconds = this->seconds();
    fraction_ = fraction;
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
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  /// The fraction that the run had done when it was last asked.
  [[nodiscard]] double fraction() const { return fraction_; }

 private:
  const Limits& limits_;
  const Wanted& wanted_;
  Clock::time_point began_;
  std::size_t bytes_;
  double checked_ = 0;
  double fraction_ = 0;
  bool unwanted_ = false;
  std::string reason_;
};

Workshop::Workshop(std::string file, Send send, const Limits& limits, Typesetter* typesetter)
    : file_(std::move(file)), send_(std::move(send)), limits_(limits), typesetter_(typesetter) {}
Workshop::~Workshop() = default;

void Workshop::send_error(std::size_t id, const std::string& what, const std::string& remedy, std::size_t line,
                          std::size_t column) const {
  send_(text_message(
      {{"kind", "error"}, {"id", id}, {"what", what}, {"remedy", remedy}, {"line", line}, {"column", column}}));
}

bool Workshop::states_problem(const std::string& text) const {
  if (model_ && text_ == text) return false;
  require_own_files(text, file_);
  return io::states_control(text, file_);
}

void Workshop::send_problem(std::size_t id, const std::string& text) {
  const auto problem = std::make_shared<control::Problem>(io::parse_problem(text, file_));
  send_(text_message(
      {{"kind", "problem"}, {"id", id}, {"name", problem->system.name}, {"title", problem->system.title}}, "problem"));
  latest_.reset();
  // The equations of the model before are typeset anew if its text comes back.
  typeset_ = 0;
  const auto conditions = [problem] {
    return mechanics::render(control::pontryagin_conditions(*problem), symbolic::Format::latex);
  };
  if (typesetter_ != nullptr) return typesetter_->typeset(conditions);
  try {
    send_(equations_message(conditions()));
  } catch (const Refused& refused) {
    send_(equations_message({}, refused.what()));
  }
}

void Workshop::prepare(const std::string& text) {
  if (model_ && text_ == text) return;
  holds_free_memory_ = true;
  model_ = read_model(text, file_);
  text_ = text;
  latex_.clear();
  typeset_ = 0;
  whole_ = 0;
  ended_ = 1;
  latest_.reset();
}

/// Runs, and notes how long a whole run takes, and where it ends.
Studied Workshop::run_whole(Watch& watch) {
  const double before = watch.seconds();
  Studied studied = model_->run([&](double fraction) { return watch.go_on(fraction); });
  const double seconds = watch.seconds() - before;
  constexpr double least_known = 0.01;
  const double done = watch.fraction();
  if (!watch.unwanted() && done > 0) {
    ended_ = done;
    whole_ = seconds;
  } else if (done > least_known * ended_) {
    if (done > ended_) ended_ = 1;
    whole_ = seconds * ended_ / done;
  }
  return studied;
}

/// Returns the first `share` of a run, which ends where the one before ended, or nothing if the whole run is to say
/// what it is like.
std::optional<Studied> Workshop::beginning(double share, Watch& watch) const {
  try {
    auto begun = model_->beginning(share * ended_, [&](double fraction) { return watch.go_on(fraction); });
    if (begun && begun->shown.rows() > 1 && begun->part <= ended_ / 2) return begun;
  } catch (const Refused&) {
    // Either the whole run is refused too, or only a run of this shorter time is.
  }
  return std::nullopt;
}

std::string Workshop::equations() {
  if (typesetter_ != nullptr) return typesetter_->equations();
  if (latex_.empty()) latex_ = model_->equations()();
  return latex_;
}

void Workshop::begin(const std::string& text, const Wanted& wanted) {
  try {
    if (states_problem(text)) return;
    prepare(text);
    Watch watch(limits_, wanted);
    run_whole(watch);
  } catch (const std::exception&) {
    // The page asks for this run at once, and the answer to that request says so.
  }
}

void Workshop::run(const json& request, const Wanted& wanted) {
  const auto id = request.at("id").get<std::size_t>();
  Stages stages;
  try {
    const auto text = request.at("text").get<std::string>();
    if (states_problem(text)) return send_problem(id, text);
    prepare(text);
    stages.end("read");
    const Wishes wishes = wishes_of(request);
    if (std::exchange(method_, wishes.method) != wishes.method) holds_free_memory_ = true;
    const json more{{"unknown", model_->set(wishes)}, {"typesetting", typeset_ != model_->readings()}};
    stages.end("values");
    Watch watch(limits_, wanted);
    // A beginning is worth its time where much more than it is left.
    if (const double share = limits_.first / std::max(whole_, limits_.first); limits_.first > 0 && share < 0.5) {
      const auto begun = beginning(share, watch);
      if (watch.unwanted()) return;
      stages.end("run");
      if (begun) {
        json of_beginning = more;
        of_beginning["part"] = begun->part;
        send_(run_message(*model_, *begun, id, stages, limits_, std::move(of_beginning)));
      }
    }
    Studied studied = run_whole(watch);
    if (watch.unwanted()) return;
    analyse::RunFacts& facts = studied.shown.facts;
    if (!watch.reason().empty()) facts.status = watch.reason();
    if (studied.shown.rows() == 0) return send_error(id, "the run has no first state: " + facts.status, "", 0, 0);
    facts.model_text = text_;
    stages.end("run");
    send_(run_message(*model_, studied, id, stages, limits_, more));
    latest_ = std::move(studied);
    if (std::exchange(typeset_, model_->readings()) == model_->readings()) return;
    latex_.clear();
    if (typesetter_ != nullptr)
      typesetter_->typeset(model_->equations());
    else
      send_(equations_message(equations()));
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

void Workshop::report() {
  if (!latest_)
    return send_error(0, "there is no run to report", "mend the model; a problem has the report of its solution", 0, 0);
  latest_->shown.facts.equations_latex = equations();
  send_(text_message(
      {{"kind", "report"}, {"name", latest_->shown.facts.model_name}, {"html", model_->report_of(*latest_)}},
      "report"));
}

void Workshop::give_back_memory() {
  if (std::exchange(holds_free_memory_, false)) give_back_free_memory();
}

Message equations_message(const std::string& latex, const std::string& why) {
  return text_message({{"kind", "equations"}, {"latex", latex}, {"why", why}}, "equations");
}

Message greeting(const std::string& text, const std::string& file, bool saves) {
  json gallery = json::array();
  for (const auto* models : {&io::gallery(), &io::indexed_gallery(), &io::problem_gallery()})
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
  for (const auto* models : {&io::gallery(), &io::indexed_gallery(), &io::problem_gallery()})
    for (const auto& model : *models)
      if (model.name == name)
        return text_message({{"kind", "model"}, {"name", name}, {"text", io::gallery_text(name)}}, "model");
  return text_message(
      {{"kind", "error"}, {"id", 0}, {"what", "there is no such model in the gallery"}, {"remedy", ""}});
}

}  // namespace herglotz::studio
