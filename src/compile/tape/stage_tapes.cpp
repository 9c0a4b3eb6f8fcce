#include "tape/stage_tapes.hpp"

#include <utility>

namespace herglotz::compile {

StageTapes adaptive_tapes(const symbolic::Program& motion, const kernel::StateLayout& entries) {
  Tape start = contracted(lower(motion));
  Tape rates = with_outputs(start, entries.size());
  return {std::move(start), std::move(rates)};
}

}  // namespace herglotz::compile
