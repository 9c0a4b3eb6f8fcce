// What is derived from a system does not depend on what was derived in its graph before.

#include "compile/bitwise.hpp"
#include "gallery.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/mechanics/readable_equations.hpp"

namespace herglotz::test {
namespace {

using Derivation = Gallery;

std::vector<symbolic::Program> derived(const mechanics::System& system) {
  const auto equations = mechanics::derive(system);
  const auto laws = mechanics::balance_laws(system, equations);
  std::vector<symbolic::Program> programs{mechanics::stage_jacobian_program(system, equations).program,
                                          mechanics::balance_program(system, equations, laws),
                                          mechanics::observables_program(system, equations)};
  const bool inside = mechanics::eliminates_inside(system, equations);
  programs.push_back(inside ? mechanics::flow_program(system, equations, laws)
                            : mechanics::mass_program(system, equations));
  return programs;
}

/// The outputs of the programs at a random point of their inputs.
std::vector<std::vector<double>> values_of(const std::vector<symbolic::Program>& programs) {
  std::mt19937_64 random(7);
  std::vector<std::vector<double>> values;
  for (const auto& kernel : compile::compile(programs, {.backend = compile::Backend::interpreter})) {
    const auto u = compile::test::random_inputs(kernel.variables(), 0, random);
    const auto p = compile::test::random_inputs(kernel.parameters(), 0, random);
    values.push_back(compile::test::run(kernel, {u}, {p}).front());
  }
  return values;
}

}  // namespace

TEST_P(Derivation, HasEqualBitsHoweverMuchWasDerivedBefore) {
  const auto fresh = values_of(derived(problem().system));
  const auto given = problem();
  static_cast<void>(mechanics::readable_equations(given.system));
  static_cast<void>(derived(given.system));
  const auto again = values_of(derived(given.system));
  ASSERT_EQ(fresh.size(), again.size());
  for (std::size_t k = 0; k < fresh.size(); ++k)
    for (std::size_t i = 0; i < fresh[k].size(); ++i)
      EXPECT_TRUE(compile::test::same(fresh[k][i], again[k][i]))
          << "program " << k << ", output " << i << ": " << fresh[k][i] << " and " << again[k][i];
}

INSTANTIATE_TEST_SUITE_P(Models, Derivation, testing::ValuesIn(gallery_names()), test_name);

}  // namespace herglotz::test
