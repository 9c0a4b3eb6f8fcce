#include "motion/motion.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>

#include "herglotz/io/model_file.hpp"
#include "herglotz/io/view.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "motion/carried.hpp"
#include "motion/default_view.hpp"
#include "page/markup.hpp"

namespace herglotz::report {
namespace {

using analyse::Trajectory;
using nlohmann::json;
using symbolic::Expr;
using symbolic::Op;

/// A name of the view that the run has no value for.
struct MissingName {
  std::string name;
};

const char* name_of(Op op) {
  switch (op) {
    case Op::add:
      return "add";
    case Op::mul:
      return "mul";
    case Op::pow:
      return "pow";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::atan2:
      return "atan2";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::floor:
      return "floor";
    case Op::select:
      return "select";
    case Op::rational:
    case Op::real:
    case Op::symbol:
    case Op::let:
    case Op::table:
      break;
  }
  throw std::logic_error("a leaf is not an operation");
}

/// The operations of all expressions of a view, each once, operands first.
class Operations {
 public:
  Operations(const Trajectory& trajectory, bool live) : trajectory_(trajectory), live_(live) {
    for (const auto& parameter : trajectory.facts.parameters) parameters_.emplace(parameter.first, parameter.second);
  }

  /// Returns the index of the operation that computes the expression.
  std::size_t add(const Expr& root) {
    symbolic::Graph& graph = root.graph();
    for (const symbolic::NodeId id : graph.reachable(std::span(&root, 1))) {
      if (places_.contains(id)) continue;
      const Expr f(graph, id);
      places_.emplace(id, f.op() == Op::let ? places_.at(f.child(0).id()) : append(operation(f)));
    }
    return places_.at(root.id());
  }
  std::size_t column(const std::string& name) { return append(json::array({"column", name})); }
  [[nodiscard]] json take() { return std::move(list_); }
  /// Returns the value of a parameter. Throws MissingName if the run has none of that name.
  [[nodiscard]] double parameter(const std::string& name) const {
    const auto it = parameters_.find(name);
    if (it == parameters_.end()) throw MissingName{name};
    return it->second;
  }

 private:
  std::size_t append(json operation) {
    list_.push_back(std::move(operation));
    return list_.size() - 1;
  }

  [[nodiscard]] json operation(const Expr& f) const {
    if (f.is_number()) return json::array({"number", number(f.value())});
    if (f.op() == Op::symbol) {
      const std::string name(f.name());
      if (trajectory_.find(name) != nullptr) return json::array({"column", name});
      const double value = parameter(name);
      return live_ ? json::array({"column", name}) : json::array({"number", number(value)});
    }
    json result = json::array({name_of(f.op())});
    for (std::size_t k = 0; k < f.arity(); ++k) result.push_back(places_.at(f.child(k).id()));
    return result;
  }

  const Trajectory& trajectory_;
  bool live_;  // whether parameters may change
  std::map<std::string, double> parameters_;
  std::map<symbolic::NodeId, std::size_t> places_;
  json list_ = json::array();
};

/// Values of expressions at rows of a run.
class ValuesAtRows {
 public:
  /// Throws MissingName for a name without a value.
  ValuesAtRows(const std::vector<Expr>& list, const Trajectory& trajectory, const Operations& operations)
      : ValuesAtRows(list, symbolic::free_symbols(list), trajectory, operations) {}

  std::vector<double> operator()(std::size_t row) {
    for (std::size_t k = 0; k < columns_.size(); ++k)
      if (columns_[k] != nullptr) values_[k] = columns_[k]->values[row];
    return evaluate_(values_);
  }

 private:
  ValuesAtRows(const std::vector<Expr>& list, const std::vector<Expr>& symbols, const Trajectory& trajectory,
               const Operations& operations)
      : evaluate_(list, symbols) {
    for (const Expr& symbol : symbols) {
      const std::string name(symbol.name());
      columns_.push_back(trajectory.find(name));
      values_.push_back(columns_.back() == nullptr ? operations.parameter(name) : 0);
    }
  }

  symbolic::Evaluation evaluate_;
  std::vector<const analyse::Column*> columns_;  // nullptr for a parameter
  std::vector<double> values_;
};

/// Writes a view as what the page draws.
class Writer {
 public:
  Writer(const Trajectory& trajectory, const std::vector<std::size_t>& rows, bool live)
      : trajectory_(trajectory), rows_(rows), live_(live), operations_(trajectory, live) {}

  json write(const io::View& view) {
    json bodies = json::array();
    for (const io::ViewBody& body : view.bodies) bodies.push_back(written(body));
    json result{{"bodies", std::move(bodies)}, {"operations", operations_.take()}, {"columns", std::move(columns_)}};
    if (view.camera) result["camera"] = {{"from", view.camera->from}, {"at", view.camera->at}, {"up", view.camera->up}};
    return result;
  }

 private:
  json written(const io::ViewBody& body) {
    json result{{"name", body.name}, {"shape", body.shape}};
    if (!body.color.empty()) result["color"] = body.color;
    if (!body.of.empty()) result["of"] = body.of;
    if (!body.on.empty()) result["on"] = body.on;
    const bool turns = body.properties.contains("spin");
    const bool moves = body.properties.contains("drift");
    for (const auto& [key, list] : body.properties) {
      const bool of_carried = key == "spin" || key == "drift" || (turns && key == "attitude") || (moves && key == "at");
      if (of_carried && !live_) continue;
      for (const Expr& one : list) result[key].push_back(operations_.add(one));
    }
    if (live_ && body.space_axes) result["space"] = true;
    if (!live_ && (turns || moves)) carry(body, result);
    return result;
  }

  /// Adds the columns of attitude and place that the rates of a body give.
  void carry(const io::ViewBody& body, json& result) {
    const std::vector<double>& times = trajectory_.columns.front().values;
    const auto [spin, drift] = std::pair{rates(body, "spin"), rates(body, "drift")};
    const auto poses =
        body.space_axes ? carried_in_space(times, spin, drift, start(body)) : carried(times, spin, drift, start(body));
    const auto keep = [&](const std::string& key, std::size_t count, const auto& value) {
      for (std::size_t c = 0; c < count; ++c) {
        const std::string name = body.name + ": " + key + " " + std::to_string(c);
        json values = json::array();
        for (const std::size_t row : rows_) values.push_back(number(value(poses[row], c)));
        columns_.push_back({{"name", name}, {"values", std::move(values)}});
        result[key].push_back(operations_.column(name));
      }
    };
    if (body.properties.contains("spin"))
      keep("attitude", 4, [](const Pose& p, std::size_t c) { return p.attitude[c]; });
    if (body.properties.contains("drift")) keep("at", 3, [](const Pose& p, std::size_t c) { return p.place[c]; });
  }

  /// Returns the stated place and attitude at the start.
  [[nodiscard]] Pose start(const io::ViewBody& body) const {
    Pose pose;
    if (const auto at = body.properties.find("at"); at != body.properties.end()) {
      const auto values = ValuesAtRows(at->second, trajectory_, operations_)(0);
      std::copy(values.begin(), values.end(), pose.place.begin());
    }
    const auto attitude = body.properties.find("attitude");
    if (attitude == body.properties.end()) return pose;
    const auto values = ValuesAtRows(attitude->second, trajectory_, operations_)(0);
    if (values.size() == 4) {
      std::copy(values.begin(), values.end(), pose.attitude.begin());
    } else {
      std::array<double, 9> matrix{};
      std::copy(values.begin(), values.end(), matrix.begin());
      pose.attitude = attitude_of(matrix);
    }
    return pose;
  }

  [[nodiscard]] std::vector<Vector> rates(const io::ViewBody& body, const std::string& key) const {
    std::vector<Vector> result(trajectory_.rows(), Vector{});
    const auto given = body.properties.find(key);
    if (given == body.properties.end()) return result;
    ValuesAtRows values(given->second, trajectory_, operations_);
    for (std::size_t row = 0; row < result.size(); ++row) {
      const auto rate = values(row);
      std::copy(rate.begin(), rate.end(), result[row].begin());
    }
    return result;
  }

  const Trajectory& trajectory_;
  const std::vector<std::size_t>& rows_;
  bool live_;  // whether the page carries bodies itself
  Operations operations_;
  json columns_ = json::array();
};

json drawn(const Trajectory& trajectory, const std::vector<std::size_t>& rows, const StatedView& stated, bool live) {
  std::string note = stated.note;
  const std::optional<io::View> usual = stated.view ? std::nullopt : default_view(trajectory);
  const std::optional<io::View>& view = stated.view ? stated.view : usual;
  if (!view || trajectory.rows() < 2) return nullptr;
  json motion;
  try {
    motion = Writer(trajectory, rows, live).write(*view);
  } catch (const MissingName& missing) {
    note = "The motion cannot be drawn: the run did not keep " + missing.name + ".";
    motion = {{"bodies", json::array()}};
  }
  if (!note.empty()) motion["note"] = note;
  return motion;
}

}  // namespace

StatedView stated_view(const std::string& model_text) {
  StatedView stated;
  if (model_text.empty()) return stated;
  try {
    stated.view = io::parse_view(model_text);
  } catch (const io::InputError& error) {
    stated.note = "The [view] of the model could not be read: " + error.problem() + ".";
  }
  return stated;
}

json motion_of(const Trajectory& trajectory, const std::vector<std::size_t>& rows, const StatedView& stated) {
  return drawn(trajectory, rows, stated, false);
}

json live_motion_of(const Trajectory& trajectory) {
  return drawn(trajectory, {}, stated_view(trajectory.facts.model_text), true);
}

}  // namespace herglotz::report
