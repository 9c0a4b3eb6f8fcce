#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "device/amdgpu.hpp"
#include "device/cuda_device.hpp"
#include "device/host_device.hpp"
#include "herglotz/compile/device.hpp"
#include "herglotz/error.hpp"
#include "llvm/cpu.hpp"

namespace herglotz::compile {

namespace {

constexpr const char* cpu = "cpu";
constexpr const char* host = "host";
constexpr const char* cuda = "cuda";
constexpr const char* hip = "hip";

DeviceInfo cpu_info() {
  return {cpu,
          fmt::format("this machine's processor: {} threads, {} members in an instruction",
                      std::max(1U, std::thread::hardware_concurrency()), cpu_lanes()),
          0,
          {}};
}

DeviceInfo hip_info() {
  return {hip, "a card of AMD", 0,
          writes_amdgpu() ? "this version writes code for cards of AMD, and has no driver that runs it"
                          : "this build's LLVM does not write code for cards of AMD"};
}

/// Throws Refused if the device is not there.
void require(const DeviceInfo& info) {
  if (!info.missing.empty())
    throw Refused(fmt::format("device {} is not there: {}", info.name, info.missing),
                  "`herglotz devices` lists what is", "device");
}

}  // namespace

std::vector<std::string> device_names() {
  return {cpu, host, cuda, hip};
}

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all{cpu_info(), host_info()};
  for (auto& info : cuda_infos()) all.push_back(std::move(info));
  all.push_back(hip_info());
  return all;
}

std::shared_ptr<const Device> open_device(const std::string& name) {
  if (name == host) {
    require(host_info());
    return open_host();
  }
  if (name == cuda) {
    require(cuda_infos().front());
    return open_cuda();
  }
  if (name == hip) require(hip_info());
  throw Refused(fmt::format("there is no device '{}'", name), "choose cpu, host, cuda, hip or auto", "device");
}

}  // namespace herglotz::compile
