#pragma once
/// Reading of the [sweep] table: the quantities that vary over an ensemble, and the results that are kept of its
/// members.

#include <functional>

#include "herglotz/ensemble/ensemble.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads the table into the plan's sweep and output. A table that varies nothing is read, too: options of a command may
/// vary quantities. The plan's
/// problem must be complete. `knows_column` accepts names of columns that the problem does not have.
void read_sweep_table(const Vocabulary& vocabulary, const Value& table, ensemble::Plan& plan,
                      const std::function<bool(const std::string&)>& knows_column = {});

/// Throws InputError at the table if the plan that was read from it varies nothing.
void require_swept(const Vocabulary& vocabulary, const Value& table, const ensemble::Plan& plan);

}  // namespace herglotz::io
