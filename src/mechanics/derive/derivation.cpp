#include "herglotz/mechanics/derivation.hpp"

#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::mechanics {
namespace {

class Expressions {
 public:
  void add(const Expr& e) {
    if (e.valid()) all_.push_back(e);
  }
  void add(const std::vector<Expr>& some) {
    for (const Expr& e : some) add(e);
  }
  void add(const System& system) {
    const auto& e = system.algebroid;
    add(system.generator);
    for (const auto* some : {&e.rho.entries, &e.sigma.entries, &system.forces, &system.definitions,
                             &system.constraints.equations, &system.gauge.conditions})
      add(*some);
    for (const auto& [place, value] : e.c.nonzero()) add(value);
    for (const Symmetry& symmetry : system.symmetries) add(symmetry.section);
    for (const Dissipated& dissipated : system.dissipated) add(dissipated.value);
    for (const Observable& observable : system.observables) add(observable.value);
    for (const Invariant& invariant : system.invariants) add(invariant.value);
    for (const Event& event : system.events) {
      add(event.value);
      add(jump_functions(event));
    }
    add(system.smooth_forces);
    for (const Friction& friction : system.frictions) {
      add(friction.direction);
      add(std::vector<Expr>{friction.on, friction.normal, friction.held, friction.slid, friction.force});
    }
  }
  void add(const Equations& q) {
    for (const auto* some :
         {&q.y, &q.x_dot, &q.p, &q.f, &q.W.entries, &q.b, &q.phi, &q.Phi, &q.Phi_y.entries, &q.Phi_w.entries, &q.beta})
      add(*some);
    for (const Expr& e : {q.L, q.L_z, q.energy}) add(e);
  }
  [[nodiscard]] const std::vector<Expr>& all() const { return all_; }

 private:
  std::vector<Expr> all_;
};

}  // namespace

void begin_derivation(const System& system) {
  Expressions kept;
  kept.add(system);
  system.graph().forget_uses(kept.all());
}

void begin_derivation(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws) {
  Expressions kept;
  kept.add(system);
  kept.add(equations);
  for (const BalanceLaw& law : laws)
    for (const Expr& e : {law.quantity, law.scale, law.source}) kept.add(e);
  system.graph().forget_uses(kept.all());
}

}  // namespace herglotz::mechanics
