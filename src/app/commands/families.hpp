#pragma once
/// Commands on models with an index.

#include "commands/commands.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {

int check_families(const ModelText& source, const CheckArguments& arguments);
int derive_families(const ModelText& source, const DeriveArguments& arguments);
int simulate_families(const ModelText& source, const SimulateArguments& arguments, DataOutput* data);

}  // namespace herglotz::app
