#include "maximum/hamiltonian.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::solve {
namespace {

using symbolic::Expr;

std::vector<Expr> joined(std::vector<Expr> a, const std::vector<Expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Expr> chosen_from(const std::vector<Expr>& all, const std::vector<std::size_t>& places) {
  std::vector<Expr> result;
  for (const std::size_t place : places) result.push_back(all[place]);
  return result;
}

std::vector<double> values_of(std::span<const Jet> jets) {
  std::vector<double> values;
  for (const Jet& jet : jets) values.push_back(jet.value.low);
  return values;
}

}  // namespace

std::vector<Range> box_at(const std::vector<double>& point) {
  std::vector<Range> box;
  for (const double x : point) box.push_back(Range::at(x));
  return box;
}

Hamiltonian::Hamiltonian(const control::FirstOrder& form, std::span<const Expr> symbols,
                         const std::vector<std::size_t>& controls, const std::vector<double>& sizes)
    : rates_(joined(form.rates, form.equations), chosen_from(form.w, controls), Terms::of_controls),
      inequalities_(form.inequalities, chosen_from(form.w, controls), Terms::all),
      coefficients_(joined(rates_.coefficients(), inequalities_.coefficients()), symbols),
      equations_(form.equations.size()) {
  for (const std::size_t u : controls) places_.push_back(form.v.size() + u);
  for (const std::size_t k : rates_.which()) sizes_.push_back(sizes[k]);
}

void Hamiltonian::go_to(const StageValues& stage) {
  const auto values = coefficients_(stage.symbols);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(rates_.coefficients().size());
  of_rates_.assign(values.begin(), middle);
  of_inequalities_.assign(middle, values.end());
  here_.clear();
  for (const std::size_t place : places_) here_.push_back(stage.symbols[place]);
  const std::size_t d = stage.P.size();
  mu_.clear();
  for (const std::size_t k : rates_.which()) mu_.push_back(k < d ? stage.P[k] : stage.kappa[k - d]);
  delta_.clear();
  for (const std::size_t k : inequalities_.which()) delta_.push_back(std::max(stage.kappa[equations_ + k], 0.0));
  const auto box = box_at(here_);
  rates_here_ = values_of(rates_.enclose(of_rates_, box));
  inequalities_here_ = values_of(inequalities_.enclose(of_inequalities_, box));
}

Hamiltonian::OnBox Hamiltonian::on(std::span<const Range> box) {
  OnBox result;
  const std::size_t n = places_.size();
  result.K = constant(n, 0);
  const auto rates = rates_.enclose(of_rates_, box);
  for (std::size_t k = 0; k < rates.size(); ++k) {
    result.K = result.K + mu_[k] * rates[k];
    for (std::size_t i = 0; i < n; ++i) result.slope_terms[i] += sizes_[k] * rates[k].slope[i].size();
  }
  result.lagrange = result.K;
  const auto inequalities = inequalities_.enclose(of_inequalities_, box);
  for (std::size_t k = 0; k < inequalities.size(); ++k) {
    result.lagrange = result.lagrange + delta_[k] * inequalities[k];
    // A stage may break an inequality by what its tolerance leaves open.
    const bool holds = inequalities[k].defined && inequalities[k].value.low <= std::max(inequalities_here_[k], 0.0);
    result.admissible = result.admissible && holds;
  }
  return result;
}

double Hamiltonian::terms_of_change(const std::vector<double>& to) {
  const auto there = rates_.enclose(of_rates_, box_at(to));
  double sum = 0;
  for (std::size_t k = 0; k < there.size(); ++k) sum += sizes_[k] * std::abs(there[k].value.low - rates_here_[k]);
  return sum;
}

double Hamiltonian::terms_here() const {
  double sum = 0;
  for (std::size_t k = 0; k < mu_.size(); ++k) sum += std::abs(mu_[k] * rates_here_[k]);
  return sum;
}

}  // namespace herglotz::solve
