#pragma once
/// What determines the results of a sweep, so that none is continued with another model or other settings.

#include <string>

#include "herglotz/ensemble/ensemble.hpp"
#include "sweep/sweep_journal.hpp"

namespace herglotz::io {

/// The name of a swept quantity's values: "parameters.gamma", "initial.q".
std::string dataset_of(const ensemble::Swept& quantity);
/// As `keep` has it in [sweep].
const char* name_of(ensemble::Keep keep);
SweepIdentity identity_of(const ensemble::Plan& plan, const ensemble::Layout& layout);
/// 16 hexadecimal digits.
std::string fingerprint(const SweepIdentity& identity);

}  // namespace herglotz::io
