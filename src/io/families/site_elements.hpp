#pragma once
/// Meaning of subscripts and sums in the expressions of a model with an index.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "herglotz/families/model.hpp"
#include "herglotz/io/family_view.hpp"
#include "herglotz/symbolic/indexed.hpp"

namespace herglotz::io {

class SiteElements final : public symbolic::Elements {
 public:
  /// Place of an expression: where single sites and sums may stand.
  enum class Where {
    dynamics,  ///< sums over the index; sites by number outside sums
    site,      ///< at the present site: q[i], m[i+1]
    view,      ///< at the present site, at the ends of the present edge, or at sites by number
    equation   ///< as in a view; and sums over the index
  };

  /// `stem` begins the names of the symbols that stand for sums.
  SiteElements(families::Model& model, Where where, std::string stem = {})
      : model_(model), where_(where), stem_(std::move(stem)) {}

  symbolic::Expr element(std::string_view name, std::span<const symbolic::Subscript> subscripts) override;
  void open_sum(std::span<const symbolic::SumIndex> indices) override;
  symbolic::Expr close_sum(symbolic::Expr density) override;

  [[nodiscard]] bool has_sums() const { return !sums_.empty(); }

  /// Turns an expression with sums, affine in them, into sums of the model and what is left. Throws
  /// Refused, with a remedy.
  void take(symbolic::Expr lagrangian);
  /// Returns the sums and the single sites that an expression has, as sums with their symbols. Throws as `take` does.
  std::vector<std::pair<symbolic::Expr, families::Sum>> sums();
  /// Returns the sums over edges and pairs that an expression has, with their symbols.
  [[nodiscard]] std::vector<std::pair<symbolic::Expr, families::GraphSum>> graph_sums() const;
  /// Returns the sites at which all in an expression lies inside, with it. Throws as `take` does.
  [[nodiscard]] families::Sum sum_of(symbolic::Expr density) const;
  /// Returns the sites by number that were read: their symbols, families and numbers.
  [[nodiscard]] std::vector<FamilyView::Single> single_sites() const;
  /// Returns an expression in sites by number with elements at offsets from `site` instead. Throws as `take` does.
  symbolic::Expr around(symbolic::Expr term, std::size_t site);

 private:
  [[nodiscard]] bool uses_single_sites(symbolic::Expr f) const;
  /// Adds a term in sites by number as a sum over one site.
  void add_single(symbolic::Expr term);

  families::Model& model_;
  Where where_;
  std::string stem_;
  /// The elements over which the sum that is being read runs.
  enum class Over { nothing, sites, edges, pairs };
  struct ReadSum {
    symbolic::Expr symbol;
    symbolic::Expr density;
    Over over = Over::sites;
  };

  /// Returns the number of sites along an index, count[i].
  symbolic::Expr count_along(std::span<const symbolic::Subscript> subscripts);
  /// Returns an element of a family of a grid that depends on one index.
  symbolic::Expr along_one(std::size_t family, std::span<const symbolic::Subscript> subscripts);
  /// Throws if an element at the site of the indices stands outside a sum.
  void require_sum(const std::string& element) const;
  /// Throws if a site is too far away.
  void require_near(std::int64_t offset, std::size_t index) const;
  /// Returns an element in a sum over edges or pairs, or std::nullopt if it is one at the site of the indices.
  std::optional<symbolic::Expr> on_a_link(std::size_t family, std::span<const symbolic::Subscript> subscripts);
  /// Throws if the density of a sum over edges or pairs has what cannot stand there.
  void require_link(symbolic::Expr density, Over over) const;

  Over over_ = Over::nothing;
  std::vector<ReadSum> sums_;
  std::map<symbolic::NodeId, std::pair<std::size_t, std::size_t>> single_;  // family and site
};

/// Returns the place that an absolute subscript has along an index. Throws Refused if there is none.
std::size_t place_along(const families::Model& model, std::size_t index, const symbolic::Subscript& subscript);

/// Returns the index along which subscripts such as 0,j have a place, while the other index runs; or std::nullopt.
std::optional<std::size_t> index_of_line(const families::Model& model, std::span<const symbolic::Subscript> subscripts);

/// Returns the number of the site of absolute subscripts, one for each index. Throws Refused if there is no such site.
std::size_t site_of(const families::Model& model, std::span<const symbolic::Subscript> subscripts);

}  // namespace herglotz::io
