#pragma once
/// Distributions, by the fields that span them or the 1-forms that annihilate them. [LJL21, Sec. 2].

#include <span>
#include <string_view>
#include <vector>

#include "herglotz/geometry/contact.hpp"
#include "herglotz/geometry/subspace.hpp"

namespace herglotz::geometry {

/// Kind of a distribution relative to TM = ker eta + ker d eta. [LJL21, Def. 2].
enum class DistributionKind {
  horizontal,  ///< inside ker eta
  vertical,    ///< contains the Reeb field
  oblique      ///< neither
};
std::string_view name(DistributionKind kind);

class Distribution {
 public:
  /// Takes at least one field; all must be in one chart.
  static Distribution spanned_by(std::vector<VectorField> fields);
  /// Takes at least one form; all must be in one chart.
  static Distribution annihilated_by(std::vector<OneForm> forms);

  [[nodiscard]] const Chart& u() const { return u_; }
  [[nodiscard]] const std::vector<VectorField>& fields() const { return fields_; }  ///< empty if given by forms
  [[nodiscard]] const std::vector<OneForm>& forms() const { return forms_; }        ///< empty if given by fields

  /// Returns the tangent vectors at a point; `values` are the values of `symbols`, the coordinates and the parameters.
  [[nodiscard]] Subspace at(std::span<const Expr> symbols, std::span<const double> values) const;
  /// Returns the covectors at a point that vanish on the distribution.
  [[nodiscard]] Subspace annihilator_at(std::span<const Expr> symbols, std::span<const double> values) const;

  /// Returns the largest part of a bracket of two fields that lies outside the distribution, relative to the bracket;
  /// if the distribution is given by forms, the largest |d alpha(X, Y)| over unit X, Y in it. The result is zero
  /// exactly where the distribution is involutive.
  [[nodiscard]] double involutivity_defect(std::span<const Expr> symbols, std::span<const double> values) const;

 private:
  Chart u_;
  std::vector<VectorField> fields_;
  std::vector<OneForm> forms_;
};

/// Returns the kind at a point. A horizontal distribution cannot contain the Reeb field.
DistributionKind kind_at(const Distribution& distribution, const ContactStructure& contact,
                         std::span<const Expr> symbols, std::span<const double> values);

/// Returns {v : omega(w, v) = 0 for every w in the distribution}, by forms if the distribution is given by fields, and
/// conversely. [LJL21, Eq. 15].
Distribution right_complement(const Distribution& distribution, const ContactStructure& contact);
/// Returns {v : omega(v, w) = 0 for every w in the distribution}. [LJL21, Eq. 15].
Distribution left_complement(const Distribution& distribution, const ContactStructure& contact);

}  // namespace herglotz::geometry
