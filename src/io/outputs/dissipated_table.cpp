#include "outputs/dissipated_table.hpp"

#include "model/inputs_table.hpp"
#include "quote.hpp"

namespace herglotz::io {

void read_dissipated(const Vocabulary& vocabulary, const Member& entry, mechanics::System& system) {
  for (const auto& symmetry : system.symmetries)
    if (symmetry.name == entry.key)
      vocabulary.source().fail(entry.place, "the symmetry " + in_quotes(entry.key) + " has that name",
                               "give the dissipated function another name");
  const ExpressionRole role{
      "a dissipated function", uses::base | uses::momentum | uses::action | uses::time | uses::parameter,
      "use base coordinates, momenta p_<fibre> instead of fibre coordinates, the action, time, parameters "
      "and definitions of these"};
  system.dissipated.push_back({entry.key, vocabulary.expression(entry.value, role)});
  require_no_jump(vocabulary.source(), system.dissipated.back().value, 0, entry.value.place, "a dissipated function",
                  "it would jump too");
}

}  // namespace herglotz::io
