#include "members_on.hpp"

#include <fmt/format.h>

#include "herglotz/error.hpp"

namespace herglotz::ensemble {

simulate::Members members_on(const std::string& device, int lanes, const simulate::Simulator& simulator,
                             const simulate::Common& common, const std::vector<simulate::Varying>& varying,
                             std::string& taken) {
  if (device == "cpu") return {simulator, common, varying, lanes};
  const auto opened_on = [&](const std::string& name) {
    const auto opened = compile::open_device(name);
    simulate::Members members(simulator, common, varying, lanes, opened);
    taken = fmt::format("{}: {}", name, opened->info().description);
    return members;
  };
  if (device != "auto") return opened_on(device);
  try {
    auto members = opened_on("cuda");
    taken += " (auto)";
    return members;
  } catch (const Refused& reason) {
    taken = fmt::format("cpu (auto: {})", reason.problem());
  } catch (const compile::CompileError& reason) {
    taken = fmt::format("cpu (auto: {})", reason.what());
  }
  return {simulator, common, varying, lanes};
}

}  // namespace herglotz::ensemble
