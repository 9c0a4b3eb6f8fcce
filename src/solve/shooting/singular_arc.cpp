#include "shooting/singular_arc.hpp"

#include "herglotz/control/singular_control.hpp"

namespace herglotz::solve {
namespace {

/// Returns the functions of (v, w, t, P) in the units of the setup.
Batch in_units(const Setup& setup, std::size_t control, const Batch& functions) {
  const Units& units = setup.units;
  Values inputs = units.v;
  inputs.insert(inputs.end(), units.w.begin(), units.w.end());
  inputs.push_back(units.time);
  for (const double v : units.v) inputs.push_back(units.cost() / v);
  const double first = units.cost() / (units.w[control] * units.time * units.time);
  return functions.in_units(inputs, {first, first / units.time});
}

}  // namespace

SingularArc::SingularArc(const Setup& setup, std::size_t control)
    : setup_(setup),
      control_(control),
      functions_(in_units(setup, control,
                          {control::singular_programs(setup.problem, setup.form, control), setup.parameters()})) {}

SingularArc::Rates SingularArc::at(const Stage& stage) const {
  Values point = stage.v;
  point.insert(point.end(), stage.w.begin(), stage.w.end());
  point.push_back(stage.t);
  point.insert(point.end(), stage.P.begin(), stage.P.end());
  Values values(2);
  Values entries(functions_.jacobian().row.size());
  functions_.values(point, values);
  functions_.jacobian(point, entries);
  const std::size_t d = setup_.d();
  const std::size_t m = setup_.m();
  const auto n = static_cast<Eigen::Index>(2 * d);
  Rates rates{values[0], values[1], Eigen::RowVectorXd::Zero(n), Eigen::RowVectorXd::Zero(n), 0, 0};
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const bool first = functions_.jacobian().row[e] == 0;
    const std::size_t col = functions_.jacobian().col[e];
    if (col < d || col > d + m) {
      const auto place = static_cast<Eigen::Index>(col < d ? col : col - m - 1);
      (first ? rates.first_by_x : rates.second_by_x)[place] += entries[e];
    } else if (first && col == d + m) {
      rates.first_by_t += entries[e];
    } else if (!first && col == d + control_) {
      rates.second_by_u += entries[e];
    }
  }
  return rates;
}

}  // namespace herglotz::solve
