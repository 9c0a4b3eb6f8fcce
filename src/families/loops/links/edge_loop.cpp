#include "loops/links/edge_loop.hpp"

#include <algorithm>
#include <utility>

#include "herglotz/families/equations.hpp"
#include "loops/arrays/arrays.hpp"

namespace herglotz::families {
namespace {

/// The number of edges whose ends are gathered at once; they stay in the first cache.
constexpr std::size_t chunk = 1024;

}  // namespace

EdgeLoop::EdgeLoop(const Model& model, LinkLoop code, std::vector<std::size_t> moving)
    : code_(std::move(code)),
      moving_(std::move(moving)),
      from_(model.edges->from.begin(), model.edges->from.end()),
      to_(model.edges->to.begin(), model.edges->to.end()) {}

std::size_t EdgeLoop::length() const {
  return in_blocks(count()) + padding;
}

void EdgeLoop::set(const Model& model, const SiteValues& values) {
  parameters_ = parameter_values(model);
  columns_.clear();
  for (const Element& element : code_.arrays) {
    Column column;
    const auto* const ends = element.owner == Owner::from ? &from_ : &to_;
    column.moving = place_among(moving_, element.family);
    if (column.moving) {
      column.ends = ends;
    } else if (element.owner == Owner::edge) {
      column.values = constants(model, values, element.family);
    } else {
      const std::vector<double> of_sites = constants(model, values, element.family);
      for (const std::uint32_t site : *ends) column.values.push_back(of_sites[site]);
      column.values.resize(count() + padding);
    }
    columns_.push_back(std::move(column));
  }
}

std::vector<double> EdgeLoop::visit(const double* const* moving, double t, std::span<double* const> written) {
  constexpr std::size_t block = kernel::SiteLoop::block;
  const std::size_t chunks = (count() + chunk - 1) / chunk;
  const std::size_t sums = code_.loop.sums();
  const std::vector<double> scalars = scalars_of(t, parameters_, 0);
  std::vector<double> parts(chunks * sums * block);
  for_each_part(chunks, count(),
                [&](std::size_t k) { visit_chunk(moving, scalars, k, written, parts.data() + k * sums * block); });
  std::vector<double> found;
  std::vector<double> of_chunks(chunks);
  for (std::size_t s = 0; s < sums; ++s) {
    for (std::size_t k = 0; k < chunks; ++k) of_chunks[k] = pairwise(parts.data() + (k * sums + s) * block, block);
    found.push_back(pairwise(of_chunks.data(), chunks));
  }
  return found;
}

void EdgeLoop::visit_chunk(const double* const* moving, const std::vector<double>& scalars, std::size_t k,
                           std::span<double* const> written, double* sums) {
  const std::size_t first = k * chunk;
  const std::size_t own = std::min(chunk, count() - first);
  std::vector<double*> arrays;
  for (double* const array : written) arrays.push_back(array + first);
  std::vector<Doubles> gathered;
  for (Column& column : columns_) {
    if (!column.moving) {
      arrays.push_back(column.values.data() + first);
      continue;
    }
    double* const to = gathered.emplace_back(own + padding).data();
    const double* const q = moving[*column.moving];
    const std::uint32_t* const ends = column.ends->data() + first;
    for (std::size_t e = 0; e < own; ++e) to[e] = q[ends[e]];
    arrays.push_back(to);
  }
  code_.loop(arrays.data(), scalars.data(), sums, {0, own, 0, own});
}

}  // namespace herglotz::families
