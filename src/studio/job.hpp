#pragma once
/// Sweeps and problems of boundary values and control, which may take minutes: work of a process of its own.

#include <nlohmann/json.hpp>
#include <string>

#include "process.hpp"

namespace herglotz::studio {

/// Runs the sweep or solves the problem of a request (`kind` is `sweep` or `solve`): `text` with the values in
/// `changes` and, of a sweep, the method and its assignments NAME=FROM:TO:COUNT. Sends progress, and in the end an
/// error with its place or the report: a line of JSON and the page behind it, with the tag `result`. A sweep keeps its
/// members in `folder`.
void run_job(Channel& channel, const nlohmann::json& request, const std::string& file, const std::string& folder);

}  // namespace herglotz::studio
