// Interpreter and machine code agree to the last bit on every gallery model, at every width and chunk size.

#include "compile/bitwise.hpp"

#include "gallery.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::test {

using Bitwise = Gallery;

TEST_P(Bitwise, InterpreterAndMachineCodeAgree) {
  const auto given = problem();
  const auto& system = given.system;
  const auto equations = mechanics::derive(system);
  const auto laws = mechanics::balance_laws(system, equations);
  std::vector<symbolic::Program> programs{
      mechanics::stage_program(system, equations),         mechanics::stage_jacobian_program(system, equations).program,
      mechanics::balance_program(system, equations, laws), mechanics::observables_program(system, equations),
      mechanics::hessian_program(system, equations),       mechanics::constraints_program(system, equations),
      mechanics::position_program(system, equations)};
  if (mechanics::eliminates_inside(system, equations)) {
    programs.push_back(mechanics::flow_program(system, equations));
    programs.push_back(mechanics::projection_program(system, equations));
    programs.push_back(mechanics::flow_jacobian_program(system, equations).program);
  } else {
    programs.push_back(mechanics::mass_program(system, equations));
    programs.push_back(mechanics::mass_jacobian_program(system, equations).program);
  }
  for (const auto& program : programs) {
    SCOPED_TRACE(program.name);
    compile::test::expect_bitwise_equal(program);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Bitwise, testing::ValuesIn(gallery_names()), test_name);

}  // namespace herglotz::test
