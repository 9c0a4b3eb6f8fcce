#pragma once
/// A model with an index: families of coordinates, and sums over their sites.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "herglotz/families/sites.hpp"
#include "herglotz/mechanics/system.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {

/// Meaning of the sites beyond both ends.
enum class Ends : std::uint8_t {
  periodic,  ///< the sites form a ring
  fixed,     ///< coordinates are 0 there
  free       ///< a sum runs over the sites at which every element in it exists
};

struct Index {
  std::string name = "i";
  std::size_t count = 0;
  Ends ends = Ends::periodic;
};

/// The sites first, .., last - 1 along an index.
struct SiteRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Sum of a density over a range of sites along each index.
struct Sum {
  Expr density;
  std::vector<SiteRange> ranges;
};

/// Edges of a graph: each from one site to another.
struct Edges {
  std::string name;
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
};

/// Sum of a density over the edges, or over the pairs of sites i and j < i, in their order.
struct GraphSum {
  Expr density;
  bool pairs = false;
};

/// Values at the sites of a grid whose place along one index is given, such as q[0,j].
struct LineValues {
  std::size_t index = 0;
  std::size_t place = 0;
  Expr value;
};

/// Values of a family: an expression in the number of the site, parameters and parameter families, or a list. Lines of
/// a grid may have other values, and single sites yet others.
struct Values {
  std::variant<Expr, std::vector<double>> all;
  std::vector<LineValues> lines{};
  std::map<std::size_t, Expr> single{};
};

/// Section whose component X_f[i] is the same function of the base coordinates of the site i at every site.
struct Symmetry {
  std::string name;
  std::vector<Expr> section;  ///< one for each base family
};

/// Force along the velocity of a base family at one site, with elements at offsets from that site.
struct SiteForce {
  std::size_t base = 0;  ///< place in Model::base
  std::size_t site = 0;
  Expr value;
};

/// Number of the whole at a row: a function of sums over the sites, the action, time and parameters.
struct Observable {
  std::string name;
  Expr value;  ///< in the symbols of the sums
  std::vector<std::pair<Expr, Sum>> sums{};
  std::vector<std::pair<Expr, GraphSum>> graph_sums{};
};

/// Equation c = 0: at each site of the ranges of a sum, at each edge, or one of the whole.
using Constraint = std::variant<Sum, GraphSum, Observable>;

/// Function of the whole whose zeros are located along a run.
struct Event {
  Observable function;
  mechanics::Direction direction = mechanics::Direction::any;
  bool stop = false;  ///< the run ends at the first zero
};

/// L = sum_s sum_i density_s + rest(z, t) on the tangent bundle of the base families, with the start and the settings
/// of a run.
struct Model {
  std::string name;
  std::string title;
  std::string reference;
  std::string text;  ///< the model file
  std::shared_ptr<symbolic::Graph> graph;
  std::vector<Index> indices;  ///< one, or the two of a grid
  Sites sites;
  std::vector<std::size_t> base;       ///< numbers of families
  std::vector<std::size_t> fibre;      ///< the velocities of `base`, in the same order
  std::vector<std::size_t> numbers{};  ///< for each index, the family of the numbers of the sites along it
  std::map<std::size_t, Values> parameter_families{};
  std::vector<mechanics::Parameter> parameters{};
  std::vector<std::string> counts{};  ///< the parameters that are numbers of sites
  Expr z{};
  Expr t{};
  Expr energy{};  ///< the symbol `energy` in observables and events
  std::vector<Sum> sums{};
  std::optional<Edges> edges{};
  std::vector<GraphSum> graph_sums{};
  Expr rest{};
  std::vector<Expr> forces{};  ///< one for each base family, the same at every site; or none
  std::vector<SiteForce> site_forces{};
  mechanics::Rule rule = mechanics::Rule::none;  ///< of the constraints
  std::vector<Constraint> constraints{};
  std::vector<Symmetry> symmetries{};
  std::vector<Observable> observables{};
  std::vector<Event> events{};
  std::map<std::size_t, Values> initial{};  ///< by base or fibre family; others start from 0
  double z0 = 0;
  double t0 = 0;
  simulate::Settings settings{};

  /// Returns the number of sites.
  [[nodiscard]] std::size_t count() const;
  /// Returns the number of sites along the second index, or 1. The site (i, j) of a grid has the number i width + j.
  [[nodiscard]] std::size_t width() const;
  /// Returns all sites in the order of their numbers as those of one index, as they lie in memory.
  [[nodiscard]] Index line() const;
  /// Returns the names of the indices.
  [[nodiscard]] std::vector<std::string> index_names() const;
  /// Returns the names of the indices as a subscript, such as i or i,j.
  [[nodiscard]] std::string subscript() const;
  /// Returns a sum over all sites as users write it.
  [[nodiscard]] std::string sum_example() const;
  /// Returns the observables, then the functions of the events.
  [[nodiscard]] std::vector<Observable> watched() const;
  /// Returns the number of a site along an index.
  [[nodiscard]] std::size_t along(std::size_t index, std::size_t site) const;
};

/// Returns a site as a subscript, such as 5 or 0,3.
std::string site_label(const std::vector<Index>& indices, std::size_t site);

/// Returns the ranges of the one site.
std::vector<SiteRange> only_site(const Model& model, std::size_t site);

/// Returns whether a sum runs over all sites.
bool is_everywhere(const Model& model, const Sum& sum);

/// Returns whether a model has sums over edges or pairs.
bool has_graph_sums(const Model& model);

/// Returns the edges or pairs over which a sum runs, as sites (from, to) or (i, j), in order.
std::vector<std::pair<std::size_t, std::size_t>> links_of(const Model& model, const GraphSum& sum);

/// Returns the number of equations of the constraints, written out.
std::size_t equation_count(const Model& model);

/// Returns the sites over which a sum runs, in increasing order.
std::vector<std::size_t> sites_of(const Model& model, const Sum& sum);

}  // namespace herglotz::families
