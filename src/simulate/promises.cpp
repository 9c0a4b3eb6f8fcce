#include "promises.hpp"

#include <fmt/format.h>

#include "herglotz/error.hpp"
#include "herglotz/geometry/axioms.hpp"
#include "herglotz/simulate/check.hpp"

namespace herglotz::simulate {
namespace {

using geometry::Algebroid;
using geometry::Promise;

bool by_construction(const Promise& promise) {
  return promise.kind == "tangent";
}

/// Returns the block as an algebroid of its own.
Algebroid block_of(const Algebroid& whole, const Promise& promise) {
  const auto from = [](const auto& all, std::size_t first, std::size_t count) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<symbolic::Expr>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  const symbolic::Expr zero = whole.graph->number(0);
  Algebroid block{promise.kind,
                  whole.graph,
                  from(whole.x, promise.first_base, promise.n),
                  from(whole.y, promise.first_fibre, promise.r),
                  symbolic::Matrix(promise.n, promise.r, zero),
                  symbolic::Matrix(promise.n, promise.r, zero),
                  geometry::StructureFunctions(promise.r, zero)};
  for (std::size_t i = 0; i < promise.n; ++i)
    for (std::size_t a = 0; a < promise.r; ++a) {
      block.rho(i, a) = whole.rho(promise.first_base + i, promise.first_fibre + a);
      block.sigma(i, a) = whole.sigma(promise.first_base + i, promise.first_fibre + a);
    }
  const auto inside = [&](std::size_t a) { return a >= promise.first_fibre && a < promise.first_fibre + promise.r; };
  for (const auto& [place, value] : whole.c.nonzero()) {
    const auto& [k, i, j] = place;
    if (inside(k) && inside(i) && inside(j))
      block.c.set(k - promise.first_fibre, i - promise.first_fibre, j - promise.first_fibre, value);
  }
  return block;
}

Refused refusal(const Promise& promise, const char* axiom, double defect, const char* suspect) {
  return Refused(fmt::format("[algebroid] the kind {} promises that {}, which fails (largest defect {:.1e})",
                             promise.kind, axiom, defect),
                 fmt::format("correct {}, or set general = true in [algebroid] if that is meant", suspect),
                 "[algebroid]");
}

}  // namespace

std::optional<Refused> broken_promise(const mechanics::System& system, std::span<const double> parameters,
                                      std::span<const double> centre) {
  std::vector<symbolic::Expr> symbols;
  for (const auto& parameter : system.parameters) symbols.push_back(parameter.symbol);
  for (const Promise& promise : system.algebroid.promises) {
    if (by_construction(promise)) continue;
    geometry::AxiomDefects found;
    try {
      found = geometry::check_axioms(block_of(system.algebroid, promise), symbols, parameters,
                                     centre.subspan(promise.first_base, promise.n));
    } catch (const Failed&) {
      continue;
    }
    if (found.skewness > rounding) return refusal(promise, "the bracket is skew", found.skewness, "the brackets");
    if (found.anchor > rounding)
      return refusal(promise, "the anchor is a homomorphism of brackets", found.anchor,
                     promise.kind == "action" ? "the generators (their signs?) or the brackets" : "its entries");
    if (found.jacobi > rounding) return refusal(promise, "Jacobi's identity holds", found.jacobi, "the brackets");
  }
  return std::nullopt;
}

std::vector<std::size_t> parameters_of_promises(const mechanics::System& system) {
  std::vector<symbolic::Expr> entries;
  for (const Promise& promise : system.algebroid.promises) {
    if (by_construction(promise)) continue;
    const Algebroid block = block_of(system.algebroid, promise);
    entries.insert(entries.end(), block.rho.entries.begin(), block.rho.entries.end());
    for (const auto& [place, value] : block.c.nonzero()) entries.push_back(value);
  }
  std::vector<std::size_t> used;
  const auto symbols = symbolic::free_symbols(entries);
  for (std::size_t k = 0; k < system.parameters.size(); ++k)
    for (const auto& symbol : symbols)
      if (symbol == system.parameters[k].symbol) used.push_back(k);
  return used;
}

}  // namespace herglotz::simulate
