#pragma once
/// Runs of models with contacts and frictions.

#include <gtest/gtest.h>

#include <string>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {

inline constexpr double g = 9.81;

/// Ends of [simulation].
inline constexpr const char* adaptive = "tolerance = 1e-12\n";
inline constexpr const char* fixed = "method = \"contact-gauss-6\"\nstep = 1e-3\n";

inline analyse::Trajectory run(const std::string& text) {
  return simulate::simulate(parse_model(text));
}

/// A run to its end, whose energy law has at most this residual.
inline analyse::Trajectory complete_run(const std::string& text, double residual = 1e-12) {
  auto made = run(text);
  EXPECT_TRUE(made.facts.complete) << made.facts.status;
  EXPECT_LT(made.facts.largest_energy_residual, residual);
  return made;
}

/// Returns what a run ends with.
inline std::string error_of_run(const std::string& text) {
  try {
    run(text);
  } catch (const Error& error) {
    return std::string(error.problem()) + "; " + std::string(error.remedy());
  }
  return "no error";
}

}  // namespace herglotz::io
