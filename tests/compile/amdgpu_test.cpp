// The code for cards of AMD, as LLVM assembles it. No machine of the tests runs
// it.

#include "device/amdgpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "methods_of_devices.hpp"
#include "motions.hpp"

namespace herglotz::compile::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Returns a number that the assembler notes of the function.
int noted_by_assembler(const AmdCode& code, const std::string& name) {
  const std::regex line("\\." + name + ": +([0-9]+)");
  std::smatch found;
  return std::regex_search(code.assembly, found, line) ? std::stoi(found[1]) : -1;
}

void expect_assembled_for_amd(const AmdCode& code) {
  EXPECT_THAT(code.object, StartsWith("\x7f"
                                      "ELF"));
  EXPECT_THAT(code.assembly, HasSubstr(".amdhsa_kernel loop"));
  EXPECT_THAT(code.assembly, HasSubstr("v_fma_f64"));
  EXPECT_EQ(noted_by_assembler(code, "max_flat_workgroup_size"), 128);
  EXPECT_EQ(code.assembly.find("s_swappc_b64"), std::string::npos) << "a function is called that a card does not have";
}

/// Expects that the numbers of a run are in registers.
void expect_in_registers(const AmdCode& code) {
  expect_assembled_for_amd(code);
  EXPECT_EQ(noted_by_assembler(code, "vgpr_spill_count"), 0);
  EXPECT_EQ(noted_by_assembler(code, "private_segment_fixed_size"), 0);
  EXPECT_EQ(code.assembly.find("flat_load"), std::string::npos);
  EXPECT_EQ(code.assembly.find("flat_store"), std::string::npos);
}

class Amd : public testing::TestWithParam<Motion> {
 protected:
  void SetUp() override {
    if (!writes_amdgpu()) GTEST_SKIP() << "LLVM has no target for cards of AMD";
  }
};

TEST_P(Amd, CodeIsAssembledForEveryKindOfSteps) {
  const auto& motion = GetParam();
  const auto program = program_of(motion);
  const auto entries = state_of(motion.size);
  const auto stepped = stepped_tapes(program, entries, {});
  const auto tableau = classical();
  expect_in_registers(amdgpu_of(stepped_loop(stepped, tableau), RunNumber::thread));
  const auto stages = adaptive_tapes(program, entries);
  const auto pair = euler();
  expect_assembled_for_amd(amdgpu_of(adaptive_loop(stages, entries, pair), RunNumber::listed));
  const auto analytic = taylor_tape(program, entries);
  expect_assembled_for_amd(amdgpu_of(taylor_loop(analytic, entries), RunNumber::listed));
}

INSTANTIATE_TEST_SUITE_P(Motions, Amd, testing::ValuesIn(motions()),
                         [](const auto& given) { return given.param.name; });

TEST(AmdOfCompositions, IsAssembled) {
  if (!writes_amdgpu()) GTEST_SKIP() << "LLVM has no target for cards of AMD";
  const Tape tape = lower(composed_step());
  expect_assembled_for_amd(amdgpu_of(composed_loop(tape, 1, substeps), RunNumber::thread));
}

}  // namespace
}  // namespace herglotz::compile::test
