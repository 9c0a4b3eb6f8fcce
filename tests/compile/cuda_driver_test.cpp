// What goes wrong where a driver gives back, with the driver of tests in the place of NVIDIA's.

#include "device/cuda_driver.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "herglotz/error.hpp"

namespace herglotz::compile::test {
namespace {

using ::testing::HasSubstr;

/// The driver of tests. A library that is loaded already is taken by its name, so it comes before all tests of this
/// process.
void* const driver_of_tests = dlopen(HERGLOTZ_PAPER_CARD "/libcuda.so.1", RTLD_NOW);

class CudaDriverOfTests : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(driver_of_tests, nullptr);
    ASSERT_EQ(CudaDriver::instance().missing(), "");
    ASSERT_EQ(CudaDriver::instance().cards().front().name, "Paper Card 7");
  }
};

/// Returns what the driver has noted, if anything.
std::string noted_by_driver(Cuda::Context context) {
  try {
    CudaDriver::instance().use(context);
  } catch (const Failed& failed) {
    return failed.what();
  }
  return {};
}

TEST_F(CudaDriverOfTests, TellsOfAnErrorAlthoughAnotherContextIsRetained) {
  const CudaDriver& driver = CudaDriver::instance();
  const Cuda::Context first = driver.retain(0);
  driver.use(first);
  driver.free(first, 12345);  // no such memory
  const Cuda::Context second = driver.retain(0);
  EXPECT_THAT(noted_by_driver(first), HasSubstr("cuMemFree: "));
  EXPECT_EQ(noted_by_driver(second), "");
  driver.free(first, 12345);
  driver.release(0);
  driver.release(0);
  EXPECT_EQ(noted_by_driver(driver.retain(0)), "");  // nobody used what it was about
  driver.release(0);
}

TEST_F(CudaDriverOfTests, GivesNothingBackIntoAnotherContext) {
  const CudaDriver& driver = CudaDriver::instance();
  const Cuda::Context context = driver.retain(0);
  driver.use(context);
  const Cuda::Address address = driver.allocate(64);
  const double number = 1;
  driver.free(nullptr, address);  // no context of the driver
  EXPECT_THAT(noted_by_driver(context), HasSubstr("cuCtxSetCurrent: invalid device context"));
  driver.use(context);
  driver.to_card(address, &number, sizeof(number));  // it is still there
  driver.free(context, address);
  EXPECT_EQ(noted_by_driver(context), "");
  driver.release(0);
}

}  // namespace
}  // namespace herglotz::compile::test
