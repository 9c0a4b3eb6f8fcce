#include "loops/links/edge_loop.hpp"

#include <utility>

namespace herglotz::families {

Places places_of(const std::vector<std::size_t>& sites) {
  return std::make_shared<const std::vector<std::uint32_t>>(sites.begin(), sites.end());
}

EdgeLoop::EdgeLoop(const Model& model, LinkLoop code, const std::vector<std::size_t>& moving)
    : from_(places_of(model.edges->from)),
      to_(places_of(model.edges->to)),
      rows_(std::move(code), moving, from_->size(), [this](const Element& element) -> Places {
        if (element.owner == Owner::edge) return nullptr;
        return element.owner == Owner::from ? from_ : to_;
      }) {}

}  // namespace herglotz::families
