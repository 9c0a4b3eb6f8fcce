#pragma once
/// A run for a page that is open and asks for runs: facts as JSON, and columns as numbers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::report {

/// Parts of a run that a page shows.
struct LiveRun {
  std::string head;                    ///< JSON as in a report, its columns and components without values
  std::vector<std::size_t> rows;       ///< the stored rows that are drawn
  std::vector<float> fields{};         ///< the values of the pictures of families, which the head names, in its order
  std::vector<std::uint16_t> sites{};  ///< the values of the components of the motion, in the codes of a report
};

/// Parts of the runs of one model that a page shows; its view is read once.
class RunPages {
 public:
  explicit RunPages(const std::string& model_text);
  ~RunPages();
  RunPages(RunPages&&) noexcept;
  RunPages& operator=(RunPages&&) noexcept;

  /// Returns a run with about `limit` rows at most, chosen as for a report.
  [[nodiscard]] LiveRun page_of(const analyse::Trajectory& trajectory, std::size_t limit) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the studio's page, in which `@@herglotz-nonce@@` stands for the nonce of its content policy.
std::string_view studio_page();

}  // namespace herglotz::report
