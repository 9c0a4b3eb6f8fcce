#pragma once
/// Equations of constraints that differ by their sites alone, with all that their reactions need.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/families/equations.hpp"
#include "herglotz/families/site_values.hpp"
#include "loops/links/gather_loop.hpp"

namespace herglotz::families {

/// The equations c = 0 of one constraint, one for each row: at some sites, at the edges, or a single one. Each is given
/// on coordinates and time, or on velocities too; G is the slope of dc/dt, or of c, by the velocities, and the reaction
/// is the force lambda G.
class ConstraintRows {
 public:
  /// A velocity that the equations depend on: that of the base family f at some site for each row.
  struct Slope {
    std::size_t f = 0;
    Places places;
  };
  /// Arrays over the rows.
  struct Values {
    double* equation = nullptr;      ///< c
    double* velocity = nullptr;      ///< dc/dt, or c of velocities
    double* acceleration = nullptr;  ///< its derivative by time, along the accelerations that are given
    std::vector<double*> slopes{};   ///< G
    std::vector<double*> works{};    ///< of a reaction of 1 on each law
  };

  /// Derives and compiles the equations of the constraint with this place in the model; see `require_reactions`.
  ConstraintRows(Model& model, std::size_t constraint);

  void set(const Model& model, const SiteValues& values) { loop_->set(model, values); }
  /// Writes all values from the coordinates of each base family at every site, then the velocities, then the
  /// accelerations.
  void find(const double* const* motion, double t, const Values& values);

  [[nodiscard]] std::size_t rows() const { return sites_.size(); }
  [[nodiscard]] std::size_t length() const { return loop_->length(); }
  [[nodiscard]] const std::vector<Slope>& slopes() const { return slopes_; }
  /// Returns the laws on which reactions work, the energy first.
  [[nodiscard]] const std::vector<std::size_t>& laws() const { return laws_; }
  /// Returns whether c is a function of coordinates and time.
  [[nodiscard]] bool of_coordinates() const { return of_coordinates_; }
  /// Returns whether c is not linear in the velocities.
  [[nodiscard]] bool is_curved() const { return curved_; }
  /// Returns the constraint and the row as a reader finds them.
  [[nodiscard]] std::string name(std::size_t row) const;

 private:
  std::string name_;
  std::string of_row_;                ///< what rows are: the name of an index, or empty for a single one
  std::vector<std::uint32_t> sites_;  ///< of the rows, or the numbers of the edges
  bool of_coordinates_ = false;
  bool curved_ = false;
  std::vector<Slope> slopes_;
  std::vector<std::size_t> laws_;
  std::optional<GatherLoop> loop_;
};

/// Throws Refused that names what the reactions of loops cannot follow.
void require_reactions(const Model& model);
/// The same with the equations of a site.
void require_reactions(const Model& model, const Equations& equations);

/// Returns the number of the first constraint that depends on velocities, if there is one.
std::optional<std::size_t> constraint_on_velocities(Model& model);

/// Returns the laws on which some reaction works, as a flag for each.
std::vector<bool> worked_laws(Model& model);

}  // namespace herglotz::families
