#include "loops/links/edge_slopes.hpp"

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::families {

EdgeSlopes::EdgeSlopes(Model& model)
    : loop_(model, code(model), model.base), values_(arrays_, std::vector<double>(loop_.length())) {
  for (std::vector<double>& values : values_) written_.push_back(values.data());
}

LinkLoop EdgeSlopes::code(Model& model) {
  LinkBuilder build(model, "edge slopes");
  const Expr density = link_density(model, model.graph_sums, false);
  const std::size_t ends = 2 * model.base.size();
  const auto end = [&](std::size_t k) {
    return model.sites.of(model.base[k / 2], k % 2 == 0 ? Owner::from : Owner::to);
  };
  for (std::size_t a = 0; a < ends; ++a) {
    const Expr force = symbolic::derivative(density, end(a));
    for (std::size_t b = 0; b <= a; ++b) {
      const Expr slope = symbolic::simplify(symbolic::derivative(force, end(b)));
      if (slope.is_zero()) continue;
      build.store(slope, arrays_);
      entries_.push_back({a / 2, b / 2, a % 2 == 1, b % 2 == 1});
      array_.push_back(arrays_);
      if (a != b) {
        entries_.push_back({b / 2, a / 2, b % 2 == 1, a % 2 == 1});
        array_.push_back(arrays_);
      }
      ++arrays_;
    }
  }
  return build.compile(arrays_, std::nullopt);
}

}  // namespace herglotz::families
