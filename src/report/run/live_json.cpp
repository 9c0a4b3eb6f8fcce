#include "run/live_json.hpp"

#include "page/markup.hpp"

namespace herglotz::report {

using nlohmann::json;

json json_of(const simulate::LiveMotion& live) {
  json followers = json::array();
  for (const auto& [name, kernel] : live.followers) followers.push_back({{"name", name}, {"kernel", kernel}});
  json result{{"method", live.method},
              {"module", base64(live.module)},
              {"data", live.data},
              {"work", live.work},
              {"n", live.n},
              {"r", live.r},
              {"state", live.state},
              {"factor", live.factor},
              {"laws", live.laws},
              {"budgets", live.budgets},
              {"law_names", live.law_names},
              {"dissipated", live.dissipated},
              {"invariants", live.invariants},
              {"observables", live.observables},
              {"followers", std::move(followers)},
              {"tolerance", live.tolerance},
              {"local", live.local},
              {"order", live.order},
              {"every", live.every},
              {"interval", live.interval},
              {"times", live.times}};
  if (live.step) result["step"] = *live.step;
  return result;
}

}  // namespace herglotz::report
