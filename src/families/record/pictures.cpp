#include "herglotz/families/pictures.hpp"

#include <algorithm>

namespace herglotz::families {
namespace {

using analyse::FieldPicture;

/// The fewest sites that are shown as a picture.
constexpr std::size_t fewest = 4;

/// Returns the numbers below `count` that occur, in increasing order.
template <class NumberOf>
std::vector<std::size_t> occurring(const std::vector<std::size_t>& sites, std::size_t count,
                                   const NumberOf& number_of) {
  std::vector<bool> occurs(count);
  for (const std::size_t site : sites) occurs[number_of(site)] = true;
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < count; ++k)
    if (occurs[k]) numbers.push_back(k);
  return numbers;
}

/// The most moments and the most sites along an index.
struct Limits {
  std::size_t moments;
  std::size_t sites;
};
constexpr Limits of_a_line{200, 300};
constexpr Limits of_a_grid{30, 64};

}  // namespace

std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  const std::size_t kept = std::min(count, most);
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < kept; ++k) places.push_back(kept < 2 ? 0 : k * (count - 1) / (kept - 1));
  return places;
}

std::vector<std::vector<std::size_t>> places_of(const Field& field, const std::vector<Index>& indices) {
  const std::size_t width = indices.size() > 1 ? indices[1].count : 1;
  std::vector<std::vector<std::size_t>> places{
      occurring(field.sites, indices[0].count, [&](std::size_t site) { return site / width; })};
  const auto columns = occurring(field.sites, width, [&](std::size_t site) { return site % width; });
  if (places[0].size() * columns.size() != field.sites.size()) return {};
  if (indices.size() > 1) places.push_back(columns);
  return places;
}

std::vector<FieldPicture> pictures(const FieldRun& run, double part) {
  const Limits limits = run.indices.size() > 1 ? of_a_grid : of_a_line;
  const auto& times = run.trajectory.columns.front().values;
  const auto moments = spread(
      times.size(), std::max<std::size_t>(2, static_cast<std::size_t>(part * static_cast<double>(limits.moments))));
  std::vector<FieldPicture> list;
  for (const Field& field : run.fields) {
    const auto places = places_of(field, run.indices);
    if (places.empty() || field.sites.size() < fewest) continue;
    FieldPicture picture{field.name, field.role, {}, {}, {}};
    std::vector<std::vector<std::size_t>> kept;
    for (std::size_t k = 0; k < places.size(); ++k) {
      kept.push_back(spread(places[k].size(), limits.sites));
      picture.axes.push_back({run.indices[k].name, {}});
      for (const std::size_t place : kept[k]) picture.axes[k].places.push_back(places[k][place]);
    }
    const std::size_t across = places.size() > 1 ? places[1].size() : 1;
    const std::vector<std::size_t> columns = places.size() > 1 ? kept[1] : std::vector<std::size_t>{0};
    for (const std::size_t moment : moments) {
      picture.times.push_back(times[moment]);
      for (const std::size_t row : kept[0])
        for (const std::size_t column : columns)
          picture.values.push_back(field.values[moment * field.sites.size() + row * across + column]);
    }
    list.push_back(std::move(picture));
  }
  return list;
}

}  // namespace herglotz::families
