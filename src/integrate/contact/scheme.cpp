#include "contact/scheme.hpp"

namespace herglotz::integrate {

template <int S>
const Tableau<S>& contact_tableau([[maybe_unused]] bool gauss) {
  static const Tableau<S> of_gauss = integrate::gauss<S>();
  if constexpr (S > 1 && S < 6) {
    static const Tableau<S> of_lobatto = lobatto<S>();
    if (!gauss) return of_lobatto;
  }
  return of_gauss;
}

template const Tableau<1>& contact_tableau<1>(bool);
template const Tableau<2>& contact_tableau<2>(bool);
template const Tableau<3>& contact_tableau<3>(bool);
template const Tableau<4>& contact_tableau<4>(bool);
template const Tableau<5>& contact_tableau<5>(bool);
template const Tableau<6>& contact_tableau<6>(bool);

}  // namespace herglotz::integrate
