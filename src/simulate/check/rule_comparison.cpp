#include "herglotz/simulate/rule_comparison.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/linear/svd.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using mechanics::Equations;
using mechanics::System;
using symbolic::Expr;

constexpr int pieces = 100;  // of the run, in each of which nu is a polynomial
constexpr int inside = 6;    // rows of a piece after its first
constexpr double agrees = 1e-8;
constexpr double tolerance = 1e-12;

/// Values at one row of a run.
struct Row {
  double t = 0;
  VectorXd lambda, momenta;
  MatrixXd Phi_y, G, sizes;
  double L_z = 0;
};

/// Returns the sum of the |terms| of a sum.
Expr size_of(const Expr& f) {
  const Expr sum = symbolic::expand(f);
  if (sum.op() != symbolic::Op::add) return abs(sum);
  Expr total = f.graph().number(std::int64_t{0});
  for (std::size_t i = 0; i < sum.arity(); ++i) total += abs(sum.child(i));
  return total;
}

/// Evaluates the constraints along a run of a system whose saddle-point system is eliminated by formulas.
class Along {
 public:
  Along(const System& system, const Equations& q) : q_(q), m_(q.m()), r_(system.r()) {
    const auto flow = mechanics::flow_program(system, q).outputs;
    for (std::size_t a = 0; a < r_; ++a) {
      rates_.push_back(system.graph().symbol("rate[" + std::to_string(a) + "]"));
      accelerations_.push_back(flow[system.n() + a]);
    }
    accelerations_.insert(accelerations_.end(), flow.end() - static_cast<std::ptrdiff_t>(m_), flow.end());
    outputs_ = q.Phi_y.entries;
    const auto G = constraint_curvature(system, q, rates_);
    outputs_.insert(outputs_.end(), G.entries.begin(), G.entries.end());
    for (const Expr& entry : G.entries) outputs_.push_back(size_of(symbolic::expand_lets(entry)));
    outputs_.push_back(q.L_z);
    outputs_.insert(outputs_.end(), q.p.begin(), q.p.end());
    for (Expr& output : outputs_) output = symbolic::expand_lets(output);
    names_ = q.u;
    for (const auto& parameter : system.parameters) {
      names_.push_back(parameter.symbol);
      parameters_.push_back(parameter.value);
    }
    with_rates_ = names_;
    with_rates_.insert(with_rates_.end(), rates_.begin(), rates_.end());
  }

  [[nodiscard]] Row at(const analyse::Trajectory& run, std::size_t k) const {
    std::vector<double> point;
    for (const Expr& symbol : q_.u) point.push_back(run[symbol.name()][k]);
    Row row;
    row.t = point.back();
    point.insert(point.end(), parameters_.begin(), parameters_.end());
    const auto motion = symbolic::evaluate(accelerations_, names_, point);
    point.insert(point.end(), motion.begin(), motion.begin() + static_cast<std::ptrdiff_t>(r_));
    row.lambda = Eigen::Map<const VectorXd>(motion.data() + r_, static_cast<Eigen::Index>(m_));
    const auto v = symbolic::evaluate(outputs_, with_rates_, point);
    const auto matrix = [&](std::size_t which) {
      return MatrixXd(Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          v.data() + which * m_ * r_, static_cast<Eigen::Index>(m_), static_cast<Eigen::Index>(r_)));
    };
    row.Phi_y = matrix(0);
    row.G = matrix(1);
    row.sizes = matrix(2);
    row.L_z = v[3 * m_ * r_];
    row.momenta = Eigen::Map<const VectorXd>(v.data() + 3 * m_ * r_ + 1, static_cast<Eigen::Index>(r_));
    return row;
  }

 private:
  const Equations& q_;
  std::size_t m_, r_;
  std::vector<Expr> rates_, accelerations_, outputs_, names_, with_rates_;
  std::vector<double> parameters_;
};

/// Returns the integrals from 0 to each of the nodes k/inside of the Lagrange polynomials of these nodes.
MatrixXd integrals() {
  const int nodes = inside + 1;
  MatrixXd powers(nodes, nodes);
  MatrixXd primitives(nodes, nodes);
  for (int i = 0; i < nodes; ++i)
    for (int k = 0; k < nodes; ++k) {
      const double x = static_cast<double>(i) / inside;
      powers(i, k) = std::pow(x, k);
      primitives(i, k) = std::pow(x, k + 1) / (k + 1);
    }
  return primitives * linear::PartialLu(powers).inverse();
}

/// Returns, for each row, [Psi, psi] with nu(t) = Psi(t) nu(0) + psi(t) of d nu/dt = A nu + lambda, by collocation at
/// the rows of each piece.
std::vector<MatrixXd> linear_flow(const std::vector<Row>& rows) {
  const Eigen::Index m = rows.front().lambda.size();
  const MatrixXd weights = integrals();
  std::vector<MatrixXd> rate;
  for (const Row& row : rows)
    rate.push_back(row.L_z * MatrixXd::Identity(m, m) + (row.G * linear::pseudo_inverse(row.Phi_y)).transpose());
  std::vector<MatrixXd> flow(rows.size(), MatrixXd::Zero(m, m + 1));
  flow.front().leftCols(m).setIdentity();
  for (std::size_t first = 0; first + inside < rows.size(); first += inside) {
    const double h = rows[first + inside].t - rows[first].t;
    MatrixXd system = MatrixXd::Identity((inside + 1) * m, (inside + 1) * m);
    MatrixXd right((inside + 1) * m, m + 1);
    for (int i = 0; i <= inside; ++i) {
      right.middleRows(i * m, m) = flow[first];
      for (int j = 0; j <= inside; ++j) {
        const auto at = first + static_cast<std::size_t>(j);
        system.block(i * m, j * m, m, m) -= h * weights(i, j) * rate[at];
        right.block(i * m, m, m, 1) += h * weights(i, j) * rows[at].lambda;
      }
    }
    const MatrixXd solved = linear::PartialLu(system).solve(right);
    for (int i = 1; i <= inside; ++i) flow[first + static_cast<std::size_t>(i)] = solved.middleRows(i * m, m);
  }
  return flow;
}

/// Returns the model with its constraints by the nonholonomic rule, and without what may speak of vakonomic
/// multipliers.
Problem by_nonholonomic_rule(Problem problem) {
  if (problem.system.constraints.rule != mechanics::Rule::vakonomic) return problem;
  for (const Expr& nu : mechanics::derive(problem.system).l) problem.initial.erase(std::string(nu.name()));
  problem.system.constraints.rule = mechanics::Rule::nonholonomic;
  problem.system.observables.clear();
  problem.system.events.clear();
  return problem;
}

void require_comparable(const System& system, const Equations& q) {
  if (system.formulation == mechanics::Formulation::hamiltonian)
    throw Refused("the comparison of the rules needs a Lagrangian, and this system has a Hamiltonian",
                  "give a Lagrangian");
  if (system.constraints.equations.empty())
    throw Refused("the system has no constraints, and so both rules have the same motions", "add [constraints]");
  for (std::size_t A = 0; A < q.m(); ++A)
    if (symbolic::depends_on(symbolic::expand_lets(q.Phi[A]), system.z))
      throw Refused(
          fmt::format("constraint {} has the action in it, and nu then obeys no linear equation", q.equation[A] + 1),
          "compare runs by both rules");
  if (!mechanics::eliminates_inside(system, q))
    throw Refused("the comparison of the rules takes systems whose accelerations are formulas", "reduce the system");
}

}  // namespace

symbolic::Matrix constraint_curvature(const System& system, const Equations& q, const std::vector<Expr>& rates) {
  const auto& e = system.algebroid;
  symbolic::Matrix G(q.m(), system.r(), system.graph().number(std::int64_t{0}));
  for (std::size_t A = 0; A < q.m(); ++A) {
    const Expr Phi = symbolic::expand_lets(q.Phi[A]);
    const auto by_x = symbolic::gradient(Phi, e.x);
    const auto by_y = symbolic::gradient(Phi, e.y);
    for (std::size_t j = 0; j < system.r(); ++j) {
      Expr& entry = G(A, j);
      for (std::size_t a = 0; a < e.n(); ++a) entry += e.sigma(a, j) * by_x[a];
      for (std::size_t k = 0; k < e.r(); ++k)
        for (std::size_t i = 0; i < e.r(); ++i)
          if (!e.c(k, i, j).is_zero()) entry += by_y[k] * e.c(k, i, j) * e.y[i];
      entry -= symbolic::derivative(by_y[j], system.t);
      for (std::size_t a = 0; a < e.n(); ++a) entry -= symbolic::derivative(by_y[j], e.x[a]) * q.x_dot[a];
      for (std::size_t b = 0; b < e.r(); ++b) entry -= symbolic::derivative(by_y[j], e.y[b]) * rates[b];
    }
  }
  return G;
}

RuleComparison compare_rules(const Problem& given_problem, std::optional<double> t_end) {
  const Problem problem = by_nonholonomic_rule(given_problem);
  require_comparable(problem.system, mechanics::derive(problem.system));
  const Simulator simulator(problem.system, {}, problem.initial);
  const System& system = simulator.system();
  Settings settings;
  settings.method = "reference";
  settings.tolerance = tolerance;
  settings.project = problem.settings.project;
  settings.fixed = problem.settings.fixed;
  settings.t_end = t_end.value_or(problem.settings.t_end);
  const auto given = problem.initial.find(system.t.name());
  const double t0 = given == problem.initial.end() ? 0 : given->second;
  if (!(std::abs(settings.t_end - t0) > 0))
    throw Refused("the comparison of the rules needs a motion, and t_end is the start", "choose another t_end",
                  "t_end");
  settings.output_step = std::abs(settings.t_end - t0) / (pieces * inside);
  const auto run = simulator.run(problem.initial, settings);
  const Along along(system, simulator.equations());
  std::vector<Row> rows;
  for (std::size_t k = 0; k < run.rows(); ++k) rows.push_back(along.at(run, k));
  const auto flow = linear_flow(rows);

  const Eigen::Index m = rows.front().lambda.size();
  const Eigen::Index r = rows.front().momenta.size();
  MatrixXd conditions(static_cast<Eigen::Index>(rows.size()) * r, m);
  VectorXd values(conditions.rows());
  double largest_G = 0;
  double momentum = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const MatrixXd along_kernel =
        rows[k].G * (MatrixXd::Identity(r, r) - linear::pseudo_inverse(rows[k].Phi_y) * rows[k].Phi_y);
    const auto first = static_cast<Eigen::Index>(k) * r;
    conditions.middleRows(first, r) = along_kernel.transpose() * flow[k].leftCols(m);
    values.segment(first, r) = along_kernel.transpose() * flow[k].col(m);
    largest_G = std::max(largest_G, rows[k].G.cwiseAbs().maxCoeff());
    momentum = std::max(momentum, rows[k].momenta.cwiseAbs().maxCoeff());
  }
  VectorXd nu = VectorXd::Zero(m);
  Eigen::Index rank = 0;
  if (conditions.cwiseAbs().maxCoeff() > agrees * (1 + largest_G)) {
    const linear::Svd least(conditions, linear::SingularVectors::thin, 1e-9);
    nu = least.solve(-values);
    rank = least.rank();
  }
  double size = momentum / std::abs(rows.back().t - rows.front().t);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const VectorXd now = flow[k].leftCols(m) * nu + flow[k].col(m);
    size = std::max(size, (now.cwiseAbs().transpose() * rows[k].sizes).maxCoeff());
  }
  RuleComparison found;
  found.residual = size > 0 ? (conditions * nu + values).cwiseAbs().maxCoeff() / size : 0;
  found.agree = found.residual <= agrees;
  found.freedom = static_cast<std::size_t>(m - rank);
  found.t_end = rows.back().t;
  for (Eigen::Index A = 0; A < m; ++A)
    found.multipliers.emplace_back(
        "nu" + std::to_string(simulator.equations().equation[static_cast<std::size_t>(A)] + 1), nu[A]);
  return found;
}

}  // namespace herglotz::simulate
