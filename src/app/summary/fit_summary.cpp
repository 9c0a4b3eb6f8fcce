#include "summary/fit_summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

using nlohmann::ordered_json;

void fit_line(const std::string& what, const std::string& text) {
  fmt::print("{:<12}{}\n", what, one_line(text));
}

std::string text_of(const fit::Estimate& estimate) {
  return std::isfinite(estimate.deviation)
             ? fmt::format("{} = {:.10g} +- {:.2g}", estimate.name, estimate.value, estimate.deviation)
             : fmt::format("{} = {:.10g}, not determined by the data", estimate.name, estimate.value);
}

/// Returns "0.71 m - 0.70 k": a combination of the unknowns, each relative to its size.
std::string text_of(const fit::Combination& combination, const std::vector<fit::Estimate>& estimates) {
  std::string text;
  for (std::size_t k = 0; k < estimates.size(); ++k) {
    const double share = combination.direction[k];
    if (std::abs(share) < 0.01) continue;
    const char* const sign = share < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    text += fmt::format("{}{:.2f} {}", sign, std::abs(share), estimates[k].name);
  }
  return text;
}

/// Returns the name of a series, with the number of its run if there are several.
std::string name_of(const fit::SeriesFit& series, const fit::Fit& found) {
  return fit::label_of(series.column, series.run, found.runs.size());
}

std::string text_of(const fit::SeriesFit& series, const fit::Fit& found) {
  std::string text = fmt::format("{}: {} values", name_of(series, found), series.samples);
  if (std::isfinite(series.noise)) text += fmt::format(", noise {:.3g}", series.noise);
  if (std::isfinite(series.durbin_watson)) text += fmt::format(", Durbin-Watson {:.2f}", series.durbin_watson);
  if (std::isfinite(series.runs)) text += fmt::format(", runs of signs {:+.1f} sigma", series.runs);
  return text;
}

/// Returns "k: 0.31 to 0.37 (95 %)", with the reason for what is not so.
std::string text_of(const fit::Profile& profile) {
  std::string text;
  if (std::isfinite(profile.lower) && std::isfinite(profile.upper))
    text = fmt::format("{}: {:.6g} to {:.6g} (95 %)", profile.name, profile.lower, profile.upper);
  else if (std::isfinite(profile.lower))
    text = fmt::format("{}: above {:.6g} (95 %)", profile.name, profile.lower);
  else if (std::isfinite(profile.upper))
    text = fmt::format("{}: below {:.6g} (95 %)", profile.name, profile.upper);
  else
    text = profile.name + ": no end";
  return profile.status == "complete" ? text : text + "; " + profile.status;
}

}  // namespace

std::vector<std::string> notes_of(const fit::Fit& found) {
  std::vector<std::string> notes;
  for (const auto& estimate : found.estimates) notes.push_back("fitted " + text_of(estimate));
  for (const auto& combination : found.combinations)
    if (!combination.determined)
      notes.push_back("the data do not determine the combination " + text_of(combination, found.estimates));
  for (const auto& warning : found.warnings) notes.push_back(warning);
  return notes;
}

void print_fit(const fit::Fit& found, const std::vector<std::string>& written) {
  const auto& facts = found.runs.front().facts;
  fit_line("model", facts.title.empty() ? facts.model_name : facts.model_name + ": " + facts.title);
  fit_line("status",
           fmt::format("{}, {} runs with {}", found.status, found.iterations * found.runs.size(), facts.method));
  for (const auto& estimate : found.estimates) fit_line("estimate", text_of(estimate));
  fit_line("fit",
           fmt::format("{} values, chi squared {:.6g} for {} degrees of freedom, log likelihood {:.8g}", found.samples,
                       found.chi_squared, found.samples - found.estimates.size(), found.log_likelihood));
  for (const auto& series : found.series) fit_line("residuals", text_of(series, found));
  for (const auto& combination : found.combinations)
    fit_line(
        combination.determined ? "determined" : "not fixed",
        fmt::format("{} (singular value {:.3g})", text_of(combination, found.estimates), combination.singular_value));
  for (const auto& profile : found.profiles) fit_line("profile", text_of(profile));
  for (const auto& warning : found.warnings) fit_line("warning", warning);
  for (const auto& file : written) fit_line("written", file);
}

void print_fit_json(const fit::Fit& found, const std::vector<std::string>& written) {
  ordered_json object;
  object["creator"] = "herglotz";
  object["model_name"] = found.runs.front().facts.model_name;
  object["status"] = found.status;
  object["converged"] = found.converged;
  auto& parameters = object["parameters"] = ordered_json::object();
  for (const auto& estimate : found.estimates)
    parameters[estimate.name] = {
        {"start", estimate.start}, {"value", estimate.value}, {"deviation", estimate.deviation}};
  object["covariance"] = ordered_json::array();
  const std::size_t n = found.estimates.size();
  for (std::size_t k = 0; k < n; ++k)
    object["covariance"].push_back(
        std::vector<double>(found.covariance.begin() + static_cast<std::ptrdiff_t>(k * n),
                            found.covariance.begin() + static_cast<std::ptrdiff_t>((k + 1) * n)));
  object["identifiable"] = found.identifiable();
  for (const auto& combination : found.combinations)
    object["combinations"].push_back({{"singular_value", combination.singular_value},
                                      {"direction", combination.direction},
                                      {"determined", combination.determined}});
  object["warnings"] = found.warnings;
  object["samples"] = found.samples;
  object["chi_squared"] = found.chi_squared;
  object["log_likelihood"] = found.log_likelihood;
  object["iterations"] = found.iterations;
  for (const auto& series : found.series)
    object["series"][name_of(series, found)] = {{"samples", series.samples},
                                                {"noise", series.noise},
                                                {"durbin_watson", series.durbin_watson},
                                                {"runs", series.runs},
                                                {"residuals", series.residuals}};
  for (const auto& profile : found.profiles)
    object["profiles"][profile.name] = {{"lower", profile.lower},
                                        {"upper", profile.upper},
                                        {"values", profile.values},
                                        {"rise", profile.rise},
                                        {"status", profile.status}};
  object["written"] = written;
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace herglotz::app
