#pragma once
/// Second derivatives of the sums over edges.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loops/links/edge_loop.hpp"

namespace herglotz::families {

/// The derivatives d2 l/dq_f dq_g of the Lagrangian's densities l over the edges by coordinates at the ends of each.
class EdgeSlopes {
 public:
  /// The families f and g, each at the beginning or at the end of an edge.
  struct Entry {
    std::size_t f = 0;
    std::size_t g = 0;
    bool f_at_to = false;
    bool g_at_to = false;
  };

  explicit EdgeSlopes(Model& model);

  /// Takes the values of the parameters, and of the families that do not change. Comes before `find`.
  void set(const Model& model, const SiteValues& values) { loop_.set(model, values); }
  /// Finds the values at the coordinates base[f] of every site.
  void find(const double* const* base, double t) { loop_.visit(base, t, written_); }

  /// Returns the derivatives that do not vanish everywhere.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Returns the value of a derivative, a place among the entries, at an edge.
  [[nodiscard]] double value(std::size_t entry, std::size_t edge) const { return values_[array_[entry]][edge]; }
  [[nodiscard]] const std::vector<std::uint32_t>& from() const { return loop_.from(); }
  [[nodiscard]] const std::vector<std::uint32_t>& to() const { return loop_.to(); }

 private:
  LinkLoop code(Model& model);

  std::vector<Entry> entries_;
  std::vector<std::size_t> array_;  // of each entry; the two entries of a symmetric pair share one
  std::size_t arrays_ = 0;
  EdgeLoop loop_;
  std::vector<std::vector<double>> values_;
  std::vector<double*> written_;
};

}  // namespace herglotz::families
