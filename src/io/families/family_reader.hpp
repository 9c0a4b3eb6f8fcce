#pragma once
/// Reader of models with an index.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "families/assignments.hpp"
#include "families/site_elements.hpp"
#include "families/site_key.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/ensemble.hpp"
#include "herglotz/families/model.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Builds a model from a document, table by table.
class FamilyReader {
 public:
  FamilyReader(std::string_view text, const std::string& file, const std::vector<std::string>& assignments);

  families::Model read_model();
  /// Returns the view that `read_model` has read.
  FamilyView take_view(families::Model model) &&;
  /// Reads what varies over a sweep: the [sweep] table, and ranges NAME=FROM:TO:COUNT, with which the table may be
  /// missing.
  ensemble::Plan read_plan(const std::vector<std::string>& swept) &&;
  /// Returns whether a name is that of a family of coordinates.
  static bool is_coordinate(const families::Model& model, const std::string& name);

 private:
  using Expr = symbolic::Expr;
  using Model = families::Model;

  [[nodiscard]] const Value* optional(std::string_view name) const;
  [[nodiscard]] const Value& required(const std::string& name, const std::string& remedy) const;
  [[noreturn]] void fail_at(Place place, const Error& error) const;
  void check_tables() const;
  void check_keys(const Value& table, const std::vector<std::string>& known) const;

  // The parts: parameters, indices, families.
  void read_parameters();
  std::vector<families::Index> read_indices();
  families::Index read_index(const Member& member);
  /// Reads edges: lists `from` and `to`, or a CSV file `edges` with these columns.
  void read_edges(Model& model);
  [[nodiscard]] std::vector<std::size_t> read_ends(const Value& value, const Model& model) const;
  [[nodiscard]] std::size_t site_number(double value, Place place, const Model& model) const;
  std::size_t count_of(const Value& value);
  void read_names(Model& model) const;
  void read_families(Model& model);
  void read_parameter_families(Model& model);

  // Expressions of a site.
  symbolic::Scope scope_of(Model& model) const;
  /// Returns the names of expressions of the whole: those of a site, the action and time.
  symbolic::Scope whole_scope_of(Model& model) const;
  Expr expression(const Value& value, SiteElements& elements, const symbolic::Scope& scope, Model& model) const;
  Expr site_expression(const Value& value, std::string_view of, Model& model) const;
  /// Throws InputError if an expression has an index outside sums.
  void require_whole(const Value& value, Expr f, Model& model) const;
  std::vector<double> checked(std::vector<double> values, Place place, std::size_t count) const;
  /// Reads the values of a family at all sites, or along one index of a grid.
  families::Values values_of(const Value& value, std::string_view of, Model& model,
                             std::optional<std::size_t> along = std::nullopt) const;
  /// Reads the values of a family at all edges.
  families::Values edge_values_of(const Value& value, std::string_view of, const Model& model) const;

  // The Lagrangian, and the forces.
  void read_dynamics(Model& model);
  /// Reads forces on velocities at every site, "v[i]", and at single sites, "v[0]" or "v[count-1]".
  void read_forces(const Value& table, Model& model) const;
  /// Reads the equations of each site, of each edge and of the whole, with their rule.
  void read_constraints(Model& model);
  families::Constraint constraint_of(const Value& equation, std::size_t number, Model& model) const;
  void read_symmetries(Model& model) const;
  /// Reads a function of sums over the sites, of single ones, the energy, the action and time.
  families::Observable watched(const std::string& name, const Value& value, Model& model) const;
  void read_observables(Model& model);
  void read_events(Model& model);
  /// Reads the bodies of the sites, of the edges and of the whole.
  void read_view(const Value& table, Model& model);

  // The start.
  /// Puts a start at a family or at one of its sites.
  void put(Model& model, const Key& key, Expr value, const std::string& of) const;
  static std::vector<std::string> initial_names(const Model& model);
  void read_initial(const Value& table, Model& model) const;
  Expr set_expression(const std::string& text, Model& model) const;
  void read_set_initial(Model& model);
  void read_simulation(const Value& table, Model& model) const;
  /// Reads `project` and `fixed` of [initial].
  void read_projection(const Value& table, Model& model) const;
  /// Returns what the [sweep] table says of a complete model.
  [[nodiscard]] ensemble::Plan planned(const Model& model) const;

  Source source_;
  Value document_;
  Vocabulary vocabulary_;
  std::vector<mechanics::Parameter> parameters_;
  std::vector<std::string> counts_;  // parameters that are numbers of sites
  Assignments set_;
  std::optional<View> view_;
  std::vector<FamilyView::Single> view_singles_;
};

}  // namespace herglotz::io
