#pragma once
/// Matrix of Newton's iteration of implicit steps in mass form, for one run or for one in every lane.

#include <array>
#include <cstddef>
#include <vector>

#include "motion/iteration_form.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/sparse_lu.hpp"

namespace herglotz::integrate {

/// Factors of g - f_u for a number g, which is real if it has one part, and complex if it has two. Vectors of complex
/// numbers hold all real parts, then all imaginary ones; matrices of them are factorised in real form. Matrices with
/// few entries are eliminated as sparse ones.
template <class P, std::size_t parts>
class IterationMatrix {
 public:
  using M = MaskOf<P>;
  using Value = std::array<P, parts>;

  explicit IterationMatrix(const IterationForm& form)
      : form_(&form),
        is_sparse_(form.sparse()),
        entries_(form.places.size()),
        row_(form.row.size()),
        column_(form.column.empty() ? 0 : parts * form.size),
        right_(parts * form.size),
        found_(parts * form.size) {
    if (is_sparse_)
      sparse_.resize(parts * form.size);
    else
      dense_.resize(parts * form.size);
  }

  /// Factorises the matrix for the values of the form. Returns the lanes in which it is finite.
  M factorise(const P* values, const Value& g) {
    const IterationForm& form = *form_;
    powers_ = {reciprocal(g), number(P(1.0)), g};
    for (Value& entry : entries_) entry = number(P(0.0));
    for (std::size_t k = 0; k < form.matrix.size(); ++k)
      entries_[form.place_of[k]] = sum(entries_[form.place_of[k]], scaled(form.matrix[k], values));
    const M finite = eliminate();
    corner_ = number(P(0.0));
    for (const Term& term : form.corner) corner_ = sum(corner_, scaled(term, values));
    for (std::size_t k = 0; k < form.row.size(); ++k) row_[k] = scaled(form.row[k], values);
    if (!form.column.empty()) {
      for (P& entry : column_) entry = P(0.0);
      for (const Term& term : form.column) add(scaled(term, values), column_.data(), term.row);
      solve_inner(column_.data(), column_.data());
      corner_ = difference(corner_, times_row(column_.data()));
    }
    over_ = reciprocal(corner_);
    return finite;
  }

  /// Computes x = (g - f_u)^-1 r at the values of the last factorise().
  void solve(const P* values, const P* r, P* x) {
    const IterationForm& form = *form_;
    const std::size_t dimension = form.dimension;
    const std::size_t n = form.size;
    for (P& entry : right_) entry = P(0.0);
    Value last = number(P(0.0));
    for (const Term& term : form.right) {
      const Value product = times(scaled(term, values), at(r, term.col, dimension));
      if (term.row == n)
        last = sum(last, product);
      else
        add(product, right_.data(), term.row);
    }
    solve_inner(right_.data(), found_.data());
    const Value change_of_z = times(difference(last, times_row(found_.data())), over_);
    if (!column_.empty())
      for (std::size_t i = 0; i < n; ++i)
        add(times(difference(number(P(0.0)), change_of_z), at(column_.data(), i, n)), found_.data(), i);
    for (std::size_t p = 0; p < parts; ++p) {
      P* const change = x + p * dimension;
      for (std::size_t k = 0; k < n; ++k)
        if (form.state[k] != IterationForm::none) change[form.state[k]] = found_[p * n + k];
      change[form.z] = change_of_z[p];
    }
    for (std::size_t i = 0; i < form.positions; ++i) {
      const Value moved = times(sum(at(r, i, dimension), at(x, form.positions + i, dimension)), powers_[0]);
      for (std::size_t p = 0; p < parts; ++p) x[p * dimension + i] = moved[p];
    }
  }

  /// Returns the unknowns of the last solve(), in the order of IterationForm::state: algebraic multipliers, which x
  /// does not have, come last.
  [[nodiscard]] const std::vector<P>& unknowns() const { return found_; }

 private:
  using Term = IterationForm::Term;

  static Value number(P real) {
    Value value{};
    value[0] = real;
    return value;
  }
  static Value times(const Value& a, const Value& b) {
    if constexpr (parts == 1)
      return {a[0] * b[0]};
    else
      return {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
  }
  static Value reciprocal(const Value& a) {
    if constexpr (parts == 1) {
      return {P(1.0) / a[0]};
    } else {
      const P over = P(1.0) / (a[0] * a[0] + a[1] * a[1]);
      return {a[0] * over, -(a[1] * over)};
    }
  }
  static Value sum(Value a, const Value& b) {
    for (std::size_t p = 0; p < parts; ++p) a[p] += b[p];
    return a;
  }
  static Value difference(Value a, const Value& b) {
    for (std::size_t p = 0; p < parts; ++p) a[p] -= b[p];
    return a;
  }
  static Value at(const P* vector, std::size_t i, std::size_t size) {
    Value value;
    for (std::size_t p = 0; p < parts; ++p) value[p] = vector[p * size + i];
    return value;
  }
  /// Returns factor * g^power * value.
  Value scaled(const Term& term, const P* values) const {
    Value value = powers_[static_cast<std::size_t>(term.power + 1)];
    const P real = P(term.factor) * values[term.value];
    for (std::size_t p = 0; p < parts; ++p) value[p] *= real;
    return value;
  }
  /// Adds a number to an entry of a vector of the size of the matrix.
  void add(const Value& value, P* vector, std::size_t i) const {
    for (std::size_t p = 0; p < parts; ++p) vector[p * form_->size + i] += value[p];
  }
  Value times_row(const P* vector) const {
    Value found = number(P(0.0));
    for (std::size_t k = 0; k < row_.size(); ++k)
      found = sum(found, times(row_[k], at(vector, form_->row[k].col, form_->size)));
    return found;
  }
  M eliminate() {
    const M nobody = P(0.0) > P(0.0);
    if (is_sparse_) {
      sparse_.clear();
      enter([this](std::size_t i, std::size_t j, const P& entry) { sparse_.add(i, j, entry); });
      return sparse_.compute(nobody);
    }
    dense_.clear();
    enter([this](std::size_t i, std::size_t j, const P& entry) { dense_.at(i, j) = entry; });
    return dense_.compute(nobody);
  }
  /// Calls `put(row, column, entry)` for the entries of the matrix in real form.
  template <class Put>
  void enter(const Put& put) const {
    const std::size_t n = form_->size;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      const auto i = static_cast<std::size_t>(form_->places[k].row);
      const auto j = static_cast<std::size_t>(form_->places[k].col);
      for (std::size_t p = 0; p < parts; ++p) put(p * n + i, p * n + j, entries_[k][0]);
      if constexpr (parts == 2) {
        put(i, n + j, -entries_[k][1]);
        put(n + i, j, entries_[k][1]);
      }
    }
  }
  void solve_inner(const P* b, P* x) const {
    if (is_sparse_)
      sparse_.solve(b, x);
    else
      dense_.solve(b, x);
  }

  const IterationForm* form_;
  bool is_sparse_;
  std::array<Value, 3> powers_{};  // 1/g, 1 and g
  std::vector<Value> entries_;
  std::vector<Value> row_;
  std::vector<P> column_;  // the border's column, multiplied by the inverse
  Value corner_{};
  Value over_{};  // 1 over what is left of the corner
  std::vector<P> right_;
  std::vector<P> found_;
  LaneLU<P, 0> dense_;
  LaneSparseLU<P> sparse_;
};

}  // namespace herglotz::integrate
