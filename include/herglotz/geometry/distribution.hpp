#pragma once
/// Distributions, by the fields that span them or the 1-forms that annihilate them. [LJL21, Sec. 2].

#include <span>
#include <string_view>
#include <vector>

#include "herglotz/geometry/contact.hpp"
#include "herglotz/geometry/subspace.hpp"

namespace herglotz::geometry {

/// Relative to TM = ker eta + ker d eta. [LJL21, Def. 2].
enum class DistributionKind {
  horizontal,  ///< inside ker eta
  vertical,    ///< contains the Reeb field
  oblique      ///< neither
};
std::string_view name(DistributionKind kind);

class Distribution {
 public:
  /// At least one field, all in one chart.
  static Distribution spanned_by(std::vector<VectorField> fields);
  /// At least one form, all in one chart.
  static Distribution annihilated_by(std::vector<OneForm> forms);

  [[nodiscard]] const Chart& u() const { return u_; }
  [[nodiscard]] const std::vector<VectorField>& fields() const { return fields_; }  ///< empty where given by forms
  [[nodiscard]] const std::vector<OneForm>& forms() const { return forms_; }        ///< empty where given by fields

  /// The tangent vectors at a point: `values` for `symbols`, which are the coordinates and the parameters.
  [[nodiscard]] Subspace at(std::span<const Expr> symbols, std::span<const double> values) const;
  /// The covectors at a point that vanish on it.
  [[nodiscard]] Subspace annihilator_at(std::span<const Expr> symbols, std::span<const double> values) const;

  /// The largest part of a bracket of two of its fields that sticks out, relative to the bracket (or, where it is
  /// given by forms, the largest |d alpha(X, Y)| over unit X, Y in it): zero exactly where it is involutive.
  [[nodiscard]] double involutivity_defect(std::span<const Expr> symbols, std::span<const double> values) const;

 private:
  Chart u_;
  std::vector<VectorField> fields_;
  std::vector<OneForm> forms_;
};

/// At a point. A horizontal one that also contained the Reeb field cannot be.
DistributionKind kind_at(const Distribution& distribution, const ContactStructure& contact,
                         std::span<const Expr> symbols, std::span<const double> values);

/// {v : omega(w, v) = 0 for every w in it}: by forms where it is given by fields, and conversely. [LJL21, Eq. 15].
Distribution right_complement(const Distribution& distribution, const ContactStructure& contact);
/// {v : omega(v, w) = 0 for every w in it}. [LJL21, Eq. 15].
Distribution left_complement(const Distribution& distribution, const ContactStructure& contact);

}  // namespace herglotz::geometry
