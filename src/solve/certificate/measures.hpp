#pragma once
/// Numbers that describe a path: its cost, and the share of the cost in its costates.

#include <string_view>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns (v(0), v(T), T), the variables of the functions of the ends.
Values end_point(const Path& path);
/// Returns zeta(T) + m.
double cost_of(const Setup& setup, const Path& path);
/// Returns the same cost in the units of the model, with the cost that all paths have in common.
double cost_in_model(const Setup& setup, const Path& path);
/// Returns an estimated error of a cost, which is not below the rounding of the cost itself.
double with_rounding(double error, double cost);
/// Returns what the cost does where it becomes better: "falls", or "rises" if it is maximised.
std::string_view improves(const Setup& setup);

/// Returns R/|(P, R)| at the end, which is 0 on abnormal extremals.
double price_share(const Setup& setup, const Path& path);
/// Returns the same share of costates in units in which each state changes by 1 along the path, so that it does not
/// depend on the units of the model. States that hardly change have the unit of the one that changes most.
double scaled_price_share(const Setup& setup, const Path& path);

/// Returns whether the extremal of a path is abnormal: the price of cost has hardly a share in its costates.
bool has_no_price(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
