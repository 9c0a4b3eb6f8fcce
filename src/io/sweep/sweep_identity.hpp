#pragma once
/// Identity of a sweep: everything that determines its results, so that no sweep is continued with another model or
/// other settings.

#include <string>

#include "herglotz/ensemble/ensemble.hpp"
#include "sweep/journal_records.hpp"

namespace herglotz::io {

/// Returns the name of the dataset of a swept quantity, such as "parameters.gamma" or "initial.q".
std::string dataset_of(const ensemble::Swept& quantity);
/// Returns the name of the choice as `keep` in [sweep] spells it.
const char* name_of(ensemble::Keep keep);
SweepIdentity identity_of(const ensemble::Plan& plan, const ensemble::Layout& layout);
/// Returns a hash of the identity as 16 hexadecimal digits.
std::string fingerprint(const SweepIdentity& identity);

}  // namespace herglotz::io
