#include "run/live_json.hpp"

#include "page/markup.hpp"

namespace herglotz::report {

using nlohmann::json;

namespace {

json json_of(const simulate::LiveMotion::Constraints& constraints) {
  json result{{"m", constraints.m},
              {"positions", constraints.positions},
              {"differential", constraints.differential},
              {"position_uses_action", constraints.position_uses_action},
              {"forces_use_velocity", constraints.forces_use_velocity},
              {"laws_use_multipliers", constraints.laws_use_multipliers},
              {"equation", constraints.equation},
              {"stage", constraints.stage},
              {"stage_jacobian", constraints.stage_jacobian},
              {"row", constraints.row},
              {"col", constraints.col},
              {"values", constraints.values}};
  if (constraints.position) result["position"] = *constraints.position;
  return result;
}

}  // namespace

json json_of(const simulate::LiveMotion& live) {
  json followers = json::array();
  json breaks = json::array();
  json events = json::array();
  for (const auto& [name, direction, stop, resets] : live.events) {
    json set = json::array();
    for (const auto& [entry, output] : resets) set.push_back({{"entry", entry}, {"output", output}});
    events.push_back({{"name", name}, {"direction", direction}, {"stop", stop}, {"resets", std::move(set)}});
  }
  json switches = json::array();
  for (const auto& [text, rounds] : live.switches) switches.push_back({{"text", text}, {"rounds", rounds}});
  for (const auto& [t, jump] : live.breaks) breaks.push_back({{"t", t}, {"jump", jump}});
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
              {"breaks", std::move(breaks)},
              {"events", std::move(events)},
              {"watched", live.watched},
              {"functions", live.functions},
              {"switches", std::move(switches)},
              {"piece_balance", live.piece_balance},
              {"losses", live.losses},
              {"rates", live.rates},
              {"eliminated", live.eliminated},
              {"numbers", live.numbers},
              {"tolerance", live.tolerance},
              {"local", live.local},
              {"order", live.order},
              {"every", live.every},
              {"interval", live.interval},
              {"times", live.times}};
  if (live.step) result["step"] = *live.step;
  if (live.constraints) result["constraints"] = json_of(*live.constraints);
  return result;
}

}  // namespace herglotz::report
