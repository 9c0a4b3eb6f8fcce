#include "ingredients.hpp"

namespace herglotz::simulate {

void supply_discrete_lagrangian(const Recipe&, integrate::Dynamics&) {
  throw std::invalid_argument("its kernels are not derived yet");
}

}  // namespace herglotz::simulate
