#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "herglotz/error.hpp"
#include "herglotz/integrate/counts.hpp"
#include "herglotz/linear/qr.hpp"
#include "linear/state_flow.hpp"

namespace herglotz::simulate {

LyapunovExponents lyapunov_exponents(const Simulator& simulator, const MotionRequest& motion,
                                     const ExponentsRequest& request) {
  require_duration("t_end", request.duration);
  require_duration("interval", request.interval);
  if (!(request.settle >= 0) || !std::isfinite(request.settle))
    throw Refused(fmt::format("settle = {}", request.settle), "a time of at least 0 is needed");
  StateFlow flow(simulator, motion);
  const double begin = flow.t0() + request.settle;
  const auto columns = static_cast<std::size_t>(flow.start().size()) + 1;
  integrate::require_rows("interval", begin, begin + request.duration, request.interval, columns);
  flow.require_pace(request.settle + request.duration);
  Eigen::VectorXd y = request.settle > 0 ? flow(flow.t0(), flow.start(), request.settle).y : flow.start();
  const auto size = y.size();
  Eigen::MatrixXd frame = Eigen::MatrixXd::Identity(size, size);
  std::vector<double> sums(static_cast<std::size_t>(size), 0.0);
  const auto count = static_cast<std::size_t>(std::max(1.0, std::round(request.duration / request.interval)));
  const double interval = request.duration / static_cast<double>(count);  // so that the last one ends with the motion
  LyapunovExponents found;
  found.interval = interval;
  for (std::size_t k = 1; k <= count; ++k) {
    const double t = begin + static_cast<double>(k - 1) * interval;
    const auto end = flow(t, y, interval);
    y = end.y;
    const linear::HouseholderQr qr(end.by_start * frame);
    frame = qr.Q();
    const Eigen::VectorXd growth = qr.R().diagonal();
    const double time = static_cast<double>(k) * interval;
    found.t.push_back(begin + time);
    auto& exponents = found.exponents.emplace_back();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto j = static_cast<Eigen::Index>(i);
      sums[i] += std::log(std::abs(growth[j]));
      exponents.push_back(sums[i] / time);
    }
  }
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  for (auto& exponents : found.exponents) {
    const auto unordered = exponents;
    for (std::size_t i = 0; i < order.size(); ++i) exponents[i] = unordered[order[i]];
  }
  return found;
}

}  // namespace herglotz::simulate
