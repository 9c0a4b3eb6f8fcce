#include "sweep/sweep_page.hpp"

#include <cmath>

#include "herglotz/analyse/roles.hpp"
#include "page/markup.hpp"
#include "sweep/packed.hpp"
#include "sweep/sweep_motion.hpp"

namespace herglotz::report {

namespace {

using ensemble::Keep;
using ensemble::Moments;
using io::SweepFacts;
using nlohmann::json;

json packed_all(const std::vector<std::vector<double>>& lists) {
  json all = json::array();
  for (const auto& list : lists) all.push_back(packed(list));
  return all;
}

const char* keep_name(Keep keep) {
  switch (keep) {
    case Keep::trajectory:
      return "trajectory";
    case Keep::times:
      return "times";
    case Keep::final:
      return "final";
    case Keep::statistics:
      return "statistics";
  }
  throw std::logic_error("what is kept has no name");
}

json summary_of(const Moments& moments) {
  return {{"count", moments.count},
          {"mean", number(moments.mean)},
          {"deviation", number(deviation(moments))},
          {"least", number(moments.least)},
          {"largest", number(moments.largest)}};
}

json fan_of(const Fan& fan) {
  if (fan.moments.empty()) return nullptr;
  std::vector<std::vector<double>> moments(4);
  for (const Moments& row : fan.moments) {
    const bool any = row.count > 0;
    moments[0].push_back(any ? row.mean : std::nan(""));
    moments[1].push_back(deviation(row));
    moments[2].push_back(any ? row.least : std::nan(""));
    moments[3].push_back(any ? row.largest : std::nan(""));
  }
  return {{"mean", packed(moments[0])},
          {"deviation", packed(moments[1])},
          {"least", packed(moments[2])},
          {"largest", packed(moments[3])},
          {"quantiles", packed_all(fan.quantiles)}};
}

json fans_of(const std::vector<Fan>& fans) {
  json all = json::array();
  for (const Fan& fan : fans) all.push_back(fan_of(fan));
  return all;
}

json facts_of(const SweepFacts& facts, const SweepDigest& digest) {
  json failures = json::array();
  for (const FailureGroup& group : digest.failures)
    failures.push_back({{"reason", group.reason}, {"members", group.members}, {"first", group.first}});
  json residuals = json::array();
  for (const auto& [column, largest] : facts.largest_residuals)
    residuals.push_back({{"column", column}, {"largest", number(largest)}});
  return {{"model_name", facts.model_name},
          {"model_text", facts.model_text},
          {"sweep", facts.sweep},
          {"method", facts.method},
          {"order", facts.order},
          {"version", facts.version},
          {"complete", facts.complete},
          {"members", facts.members},
          {"failed", facts.failures.size()},
          {"failures", std::move(failures)},
          {"steps", facts.steps},
          {"shape", facts.shape},
          {"keep", keep_name(facts.keep)},
          {"rows", facts.times.size()},
          {"time", time_in(facts.model_text)},
          {"t_last", number(facts.times.empty() ? std::nan("") : facts.times.back())},
          {"largest_residuals", std::move(residuals)}};
}

json columns_of(const SweepFacts& facts, const SweepDigest& digest) {
  json columns = json::array();
  for (std::size_t k = 0; k < digest.columns.size(); ++k) {
    const ColumnDigest& column = digest.columns[k];
    const Histogram& histogram = column.histogram;
    columns.push_back({{"name", facts.columns[k].first},
                       {"role", name_of(facts.columns[k].second)},
                       {"last", summary_of(column.last)},
                       {"fan", fan_of(column.fan)},
                       {"fans", fans_of(column.fans)},
                       {"histogram", histogram.counts.empty() ? json(nullptr)
                                                              : json{{"from", number(histogram.from)},
                                                                     {"to", number(histogram.to)},
                                                                     {"counts", histogram.counts}}},
                       {"cells", packed(column.cells)},
                       {"deviation", packed(column.deviation)},
                       {"points", packed(column.points)}});
  }
  return columns;
}

json payload(const SweepFacts& facts, const SweepDigest& digest, json motion) {
  json quantities = json::array();
  for (std::size_t k = 0; k < digest.quantities.size(); ++k) {
    const SweptQuantity& quantity = digest.quantities[k];
    quantities.push_back({{"name", quantity.name},
                          {"random", quantity.random},
                          {"points", packed(digest.points.empty() ? std::vector<double>{} : digest.points[k])}});
  }
  json axes = json::array();
  for (std::size_t k = 0; k < digest.axis_values.size(); ++k) {
    const CellAxis& axis = digest.cells.axes()[k];
    axes.push_back({{"quantities", digest.axis_quantities[k]},
                    {"values", packed_all(digest.axis_values[k])},
                    {"points", axis.points},
                    {"width", axis.width},
                    {"cells", axis.cells()}});
  }
  std::vector<double> members(digest.members.begin(), digest.members.end());
  return {{"kind", "sweep"},
          {"format", 1},
          {"facts", facts_of(facts, digest)},
          {"quantities", std::move(quantities)},
          {"axes", std::move(axes)},
          {"members_per_cell", digest.cells.members_per_cell()},
          {"members", packed(members)},
          {"times", packed(digest.times)},
          {"fan_cells", digest.fan_cells},
          {"quantile_members", digest.quantile_members},
          {"columns", columns_of(facts, digest)},
          {"motion", std::move(motion)}};
}

std::string heading(const SweepFacts& facts) {
  return facts.model_name.empty() ? "Untitled ensemble" : facts.model_name;
}

/// Returns the summary of an ensemble for readers without JavaScript.
std::string summary(const SweepFacts& facts, const SweepDigest& digest) {
  std::string text = "<h1>" + html(heading(facts)) + "</h1>\n<ul>\n";
  text +=
      "<li>Members: " + std::to_string(facts.members) + (facts.complete ? "" : ", not all of them reached") + "</li>\n";
  text += "<li>Failed: " + std::to_string(facts.failures.size()) + "</li>\n";
  for (const FailureGroup& group : digest.failures)
    text += "<li>" + std::to_string(group.members) + " failed: " + html(group.reason) + "</li>\n";
  text += "<li>Method: " + html(facts.method) + "</li>\n";
  for (const auto& [column, largest] : facts.largest_residuals)
    text += "<li>Largest " + html(column) + ": " + html(number(largest).dump()) + "</li>\n";
  return text + "</ul>\n<p>Plots need JavaScript.</p>\n<pre>" + html(facts.model_text) + "</pre>";
}

}  // namespace

std::string render_sweep(const io::SweepReader& sweep, const SweepLimits& limits) {
  const SweepFacts& facts = sweep.facts();
  const SweepDigest content = digest(sweep, limits);
  return filled_page(heading(facts), summary(facts, content), payload(facts, content, sweep_motion_of(sweep)));
}

}  // namespace herglotz::report
