#include "loops/links/gather_loop.hpp"

#include <algorithm>
#include <utility>

#include "herglotz/families/equations.hpp"
#include "loops/arrays/arrays.hpp"

namespace herglotz::families {
namespace {

/// The number of rows whose elements are gathered at once; they stay in the first cache.
constexpr std::size_t chunk = 1024;

/// Writes the values at some places.
void gather(const double* from, std::span<const std::uint32_t> places, double* to) {
  for (std::size_t k = 0; k < places.size(); ++k) to[k] = places[k] == nowhere ? 0 : from[places[k]];
}

}  // namespace

GatherLoop::GatherLoop(LinkLoop code, const std::vector<std::size_t>& moving, std::size_t count,
                       const std::function<Places(const Element&)>& places)
    : code_(std::move(code)), count_(count) {
  for (const Element& element : code_.arrays)
    columns_.push_back({element, places(element), place_among(moving, element.family)});
}

std::size_t GatherLoop::length() const {
  return in_blocks(count_) + padding;
}

void GatherLoop::set(const Model& model, const SiteValues& values) {
  parameters_ = parameter_values(model);
  for (Column& column : columns_) {
    if (column.moving) continue;
    column.values = constants(model, values, column.element.family);
    if (!column.places) continue;
    const std::vector<double> of_sites = std::exchange(column.values, std::vector<double>(count_ + padding));
    gather(of_sites.data(), *column.places, column.values.data());
  }
}

std::vector<double> GatherLoop::visit(const double* const* moving, double t, std::span<double* const> written) {
  constexpr std::size_t block = kernel::SiteLoop::block;
  const std::size_t chunks = (count_ + chunk - 1) / chunk;
  const std::size_t sums = code_.loop.sums();
  const std::vector<double> scalars = scalars_of(t, parameters_, 0);
  std::vector<double> parts(chunks * sums * block);
  for_each_part(chunks, count_,
                [&](std::size_t k) { visit_chunk(moving, scalars, k, written, parts.data() + k * sums * block); });
  std::vector<double> found;
  std::vector<double> of_chunks(chunks);
  for (std::size_t s = 0; s < sums; ++s) {
    for (std::size_t k = 0; k < chunks; ++k) of_chunks[k] = pairwise(parts.data() + (k * sums + s) * block, block);
    found.push_back(pairwise(of_chunks.data(), chunks));
  }
  return found;
}

void GatherLoop::visit_chunk(const double* const* moving, const std::vector<double>& scalars, std::size_t k,
                             std::span<double* const> written, double* sums) {
  const std::size_t first = k * chunk;
  const std::size_t own = std::min(chunk, count_ - first);
  std::vector<double*> arrays;
  for (double* const array : written) arrays.push_back(array + first);
  std::vector<Doubles> gathered;
  for (Column& column : columns_) {
    if (!column.moving) {
      arrays.push_back(column.values.data() + first);
      continue;
    }
    double* const to = gathered.emplace_back(own + padding).data();
    gather(moving[*column.moving], std::span(*column.places).subspan(first, own), to);
    arrays.push_back(to);
  }
  code_.loop(arrays.data(), scalars.data(), sums, {0, own, 0, own});
}

}  // namespace herglotz::families
