// The printed equations of every gallery model, as they were last read and approved. Rewritten by
// scripts/update_golden.

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include "gallery.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/mechanics/singular_presentation.hpp"
#include "herglotz/simulate/singular.hpp"
#include "project_folders.hpp"

namespace herglotz::test {
namespace {

using symbolic::Format;

std::string golden_path(const std::string& file) {
  return source_folder() + "/tests/golden/" + file;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The first line in which the texts differ, as both have it; empty for equal texts.
std::string first_difference(const std::string& expected, const std::string& printed) {
  const auto a = lines_of(expected);
  const auto b = lines_of(printed);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string x = i < a.size() ? a[i] : "(end)";
    const std::string y = i < b.size() ? b[i] : "(end)";
    if (x != y) return "line " + std::to_string(i + 1) + "\n  approved: " + x + "\n  printed:  " + y;
  }
  return expected == printed ? "" : "the end of the last line";
}

void compare_with_golden(const std::string& file, const std::string& printed) {
  const std::string path = golden_path(file);
  if (std::getenv("HERGLOTZ_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << printed;
    return;
  }
  std::ifstream stream(path);
  ASSERT_TRUE(stream.good()) << "no " << path << "; scripts/update_golden writes it";
  std::ostringstream approved;
  approved << stream.rdbuf();
  const std::string difference = first_difference(approved.str(), printed);
  EXPECT_TRUE(difference.empty()) << file << ", " << difference
                                  << "\nIf the new equations read better: scripts/update_golden, and look at the diff.";
}

void compare_with_golden(const std::string& name, const mechanics::System& system,
                         const std::optional<mechanics::SingularAnalysis>& singular = {}) {
  auto shown = mechanics::equations_of_motion(system, mechanics::derive(system));
  if (singular) mechanics::add_constraint_levels(shown, system, *singular);
  compare_with_golden(name + ".txt", mechanics::render(shown, Format::text));
  compare_with_golden(name + ".tex", mechanics::render(shown, Format::latex));
}

}  // namespace

using Golden = Gallery;

TEST_P(Golden, EquationsReadAsApproved) {
  const auto given = problem();
  compare_with_golden(GetParam().name, given.system, simulate::singular_analysis(given));
}

TEST(GoldenLinks, EquationsOfFiveLinksReadAsApproved) {
  compare_with_golden("n-link-pendulum-5", io::parse_model(io::n_link_pendulum(5), "five-links.toml").system);
}

INSTANTIATE_TEST_SUITE_P(Models, Golden, testing::ValuesIn(printed_gallery_names()), test_name);

}  // namespace herglotz::test
