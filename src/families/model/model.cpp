#include "herglotz/families/model.hpp"

#include <algorithm>

namespace herglotz::families {

std::size_t Model::count() const {
  std::size_t all = 1;
  for (const Index& index : indices) all *= index.count;
  return all;
}

std::size_t Model::width() const {
  return indices.size() > 1 ? indices[1].count : 1;
}

Index Model::line() const {
  return {subscript(), count(), indices.front().ends};
}

std::vector<std::string> Model::index_names() const {
  std::vector<std::string> names;
  for (const Index& index : indices) names.push_back(index.name);
  return names;
}

std::string Model::subscript() const {
  return subscript_of(index_names(), {});
}

std::string Model::sum_example() const {
  std::string example = "sum(";
  for (const Index& index : indices) example += index.name + ", ";
  return example + "...)";
}

std::vector<Observable> Model::watched() const {
  std::vector<Observable> all = observables;
  for (const Event& event : events) all.push_back(event.function);
  return all;
}

std::size_t Model::along(std::size_t index, std::size_t site) const {
  return index == 0 ? site / width() : site % width();
}

std::string site_label(const std::vector<Index>& indices, std::size_t site) {
  if (indices.size() < 2) return std::to_string(site);
  return std::to_string(site / indices[1].count) + "," + std::to_string(site % indices[1].count);
}

std::vector<SiteRange> only_site(const Model& model, std::size_t site) {
  std::vector<SiteRange> ranges;
  for (std::size_t k = 0; k < model.indices.size(); ++k) {
    const std::size_t place = model.along(k, site);
    ranges.push_back({place, place + 1});
  }
  return ranges;
}

bool is_everywhere(const Model& model, const Sum& sum) {
  for (std::size_t k = 0; k < model.indices.size(); ++k)
    if (sum.ranges[k].first != 0 || sum.ranges[k].last != model.indices[k].count) return false;
  return true;
}

bool has_graph_sums(const Model& model) {
  const std::vector<Observable> watched = model.watched();
  return !model.graph_sums.empty() || std::any_of(watched.begin(), watched.end(), [](const Observable& observable) {
    return !observable.graph_sums.empty();
  });
}

std::vector<std::pair<std::size_t, std::size_t>> links_of(const Model& model, const GraphSum& sum) {
  std::vector<std::pair<std::size_t, std::size_t>> links;
  if (sum.pairs) {
    for (std::size_t i = 0; i < model.count(); ++i)
      for (std::size_t j = 0; j < i; ++j) links.emplace_back(i, j);
  } else {
    for (std::size_t e = 0; e < model.edges->from.size(); ++e)
      links.emplace_back(model.edges->from[e], model.edges->to[e]);
  }
  return links;
}

std::size_t equation_count(const Model& model) {
  std::size_t count = 0;
  for (const Constraint& constraint : model.constraints) {
    if (const auto* of_sites = std::get_if<Sum>(&constraint))
      count += sites_of(model, *of_sites).size();
    else
      count += std::holds_alternative<GraphSum>(constraint) ? model.edges->from.size() : 1;
  }
  return count;
}

std::vector<std::size_t> sites_of(const Model& model, const Sum& sum) {
  const SiteRange across = model.indices.size() > 1 ? sum.ranges[1] : SiteRange{0, 1};
  std::vector<std::size_t> sites;
  for (std::size_t i = sum.ranges[0].first; i < sum.ranges[0].last; ++i)
    for (std::size_t j = across.first; j < across.last; ++j) sites.push_back(i * model.width() + j);
  return sites;
}

}  // namespace herglotz::families
