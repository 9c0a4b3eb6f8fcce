#include "motion/default_view.hpp"

#include <algorithm>
#include <array>

namespace herglotz::report {
namespace {

using analyse::Role;
using symbolic::Expr;
using Names = std::vector<std::string>;

const std::array<std::string, 9> angles{"heading", "yaw", "theta", "th", "phi", "ph", "varphi", "psi", "angle"};
/// More beads than these are no clearer.
constexpr std::size_t most_beads = 200;

class Guess {
 public:
  explicit Guess(const analyse::Trajectory& trajectory) : view_{std::make_shared<symbolic::Graph>(), std::nullopt, {}} {
    for (const auto& column : trajectory.columns) {
      if (column.role == Role::base) base_.push_back(column.name);
      if (column.role == Role::fibre) fibre_.push_back(column.name);
    }
  }

  std::optional<io::View> view() && {
    if (base_.empty())
      rates();
    else
      places();
    if (view_.bodies.empty()) beads();
    if (view_.bodies.empty()) return std::nullopt;
    return std::move(view_);
  }

 private:
  [[nodiscard]] bool has(const std::string& name) const {
    return std::find(base_.begin(), base_.end(), name) != base_.end();
  }
  [[nodiscard]] bool has(const Names& names) const {
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return has(name); });
  }
  [[nodiscard]] Expr symbol(const std::string& name) const { return view_.graph->symbol(name); }
  [[nodiscard]] Expr number(double value) const { return view_.graph->number(value); }
  [[nodiscard]] std::vector<Expr> symbols(const Names& names) const {
    std::vector<Expr> list;
    for (const auto& name : names) list.push_back(symbol(name));
    return list;
  }

  io::ViewBody& add(const std::string& name, const std::string& shape) {
    view_.bodies.push_back({name, shape});
    return view_.bodies.back();
  }
  void size(io::ViewBody& body, double x, double y, double z) const {
    body.properties["size"] = {number(x), number(y), number(z)};
  }
  void path_of(const std::string& name) { add("path of " + name, "path").of = name; }

  /// A group without a base: so(3), se(3) or se(2), by the number of rates.
  void rates() {
    if (fibre_.size() != 3 && fibre_.size() != 6) return;
    const bool planar = fibre_.size() == 3 && fibre_[1].front() == 'v' && fibre_[2].front() == 'v';
    io::ViewBody& body = add("body", "box");
    size(body, 1.4, 0.9, 0.5);
    if (planar) {
      body.properties["spin"] = {number(0), number(0), symbol(fibre_[0])};
      body.properties["drift"] = {symbol(fibre_[1]), symbol(fibre_[2]), number(0)};
      path_of("body");
      add("ground", "ground");
      return;
    }
    body.properties["spin"] = symbols({fibre_[0], fibre_[1], fibre_[2]});
    if (fibre_.size() == 6) {
      body.properties["drift"] = symbols({fibre_[3], fibre_[4], fibre_[5]});
      path_of("body");
    }
  }

  void places() {
    const Names quaternion{"q0", "q1", "q2", "q3"};
    const Names matrix{"r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33"};
    const bool turns = (has(quaternion) && !has("q4")) || has(matrix);
    bool ground = false;
    for (const std::string& name : base_) {
      if (name.front() != 'x' && name.front() != 'X') continue;
      const bool small = name.front() == 'x';
      const std::string ending = name.substr(1);
      const std::string across = (small ? "y" : "Y") + ending;
      if (!has(across)) continue;
      std::vector<Expr> at = symbols({name, across});
      at.push_back(height(small, ending));
      const bool oriented = turns && view_.bodies.empty();
      const std::string heading = heading_of(ending);
      const std::string body_name = ending.empty() ? "body" : "body " + ending;
      io::ViewBody& body = add(body_name, oriented || !heading.empty() ? "box" : "sphere");
      body.properties["at"] = at;
      if (oriented)
        body.properties["attitude"] = symbols(has(matrix) ? matrix : quaternion);
      else if (!heading.empty())
        body.properties["attitude"] = about_vertical(symbol(heading));
      if (body.shape == "box") size(body, 0.5, 0.3, 0.2);
      path_of(body_name);
      ground = ground || at[2].is_number();
    }
    if (ground) add("ground", "ground");
    if (!view_.bodies.empty() || !turns) return;
    io::ViewBody& body = add("body", "box");
    size(body, 1.4, 0.9, 0.5);
    body.properties["attitude"] = symbols(has(matrix) ? matrix : quaternion);
  }

  [[nodiscard]] Expr height(bool small, const std::string& ending) const {
    for (const std::string& name : {(small ? "z" : "Z") + ending, "h" + ending})
      if (has(name)) return symbol(name);
    return number(0);
  }

  [[nodiscard]] std::string heading_of(const std::string& ending) const {
    for (const std::string& angle : angles)
      if (has(angle + ending)) return angle + ending;
    return {};
  }

  [[nodiscard]] std::vector<Expr> about_vertical(const Expr& angle) const {
    return {cos(angle), -sin(angle), number(0), sin(angle), cos(angle), number(0), number(0), number(0), number(1)};
  }

  /// One coordinate is a bead on a line; several are beads side by side that move up and down.
  void beads() {
    const Names& names = base_.empty() ? fibre_ : base_;
    if (names.size() == 1) {
      io::ViewBody& bead = add(names[0], "sphere");
      bead.properties["at"] = {symbol(names[0]), number(0), number(0)};
      return;
    }
    for (std::size_t k = 0; k < std::min(names.size(), most_beads); ++k) {
      io::ViewBody& bead = add(names[k], "sphere");
      bead.properties["at"] = {number(static_cast<double>(k)), number(0), symbol(names[k])};
    }
  }

  io::View view_;
  Names base_;
  Names fibre_;
};

}  // namespace

std::optional<io::View> default_view(const analyse::Trajectory& trajectory) {
  return Guess(trajectory).view();
}

}  // namespace herglotz::report
