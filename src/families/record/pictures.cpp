#include "herglotz/families/pictures.hpp"

#include <algorithm>
#include <set>

namespace herglotz::families {
namespace {

using analyse::FieldPicture;

/// The fewest sites that are shown as a picture.
constexpr std::size_t fewest = 4;

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
  std::set<std::size_t> rows;
  std::set<std::size_t> columns;
  for (const std::size_t site : field.sites) {
    rows.insert(site / width);
    columns.insert(site % width);
  }
  if (rows.size() * columns.size() != field.sites.size()) return {};
  std::vector<std::vector<std::size_t>> places{{rows.begin(), rows.end()}};
  if (indices.size() > 1) places.emplace_back(columns.begin(), columns.end());
  return places;
}

std::vector<FieldPicture> pictures(const FieldRun& run) {
  const Limits limits = run.indices.size() > 1 ? of_a_grid : of_a_line;
  const auto& times = run.trajectory.columns.front().values;
  const auto moments = spread(times.size(), limits.moments);
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
