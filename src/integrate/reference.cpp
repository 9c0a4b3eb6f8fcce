#include <arkode/arkode_erkstep.h>
#include <fmt/format.h>

#include <cmath>

#include "adaptive.hpp"
#include "prince_dormand.hpp"
#include "sundials.hpp"

namespace herglotz::integrate {
namespace {

using Table = sundials::Owned<ARKodeButcherTable, ARKodeButcherTable_Free>;
using Memory = sundials::Owned<void*, ERKStepFree>;

Table butcher_table() {
  PrinceDormand tableau = prince_dormand();
  return Table(ARKodeButcherTable_Create(PrinceDormand::stages, PrinceDormand::order, PrinceDormand::embedded_order,
                                         tableau.c.data(), tableau.A.front().data(), tableau.b.data(),
                                         tableau.b_hat.data()));
}

class ExplicitSolver final : public AdaptiveSolver {
 public:
  ExplicitSolver(const Run& run, RightSide& right_side, const std::vector<double>& y0)
      : right_side_(&right_side),
        weights_(run.dynamics, right_side, run.settings.tolerance),
        t_(run.t0),
        y_(sundials::copy_of(y0, context_.get())),
        memory_(ERKStepCreate(evaluate, run.t0, y_.get(), context_.get())) {
    void* const memory = memory_.get();
    if (memory == nullptr) throw Stop{Status::not_converged, "SUNDIALS could not create its ERKStep solver"};
    const Table table = butcher_table();
    check(ERKStepSetErrHandlerFn(memory, sundials::ErrorText::receive, &error_));
    check(ERKStepSetUserData(memory, this));
    check(ERKStepWFtolerances(memory, weigh));
    check(ERKStepSetTable(memory, table.get()));
    check(ERKStepSetMaxHnilWarns(memory, -1));
    if (run.dynamics.m > 0) check(ERKStepSetPostprocessStepFn(memory, project));
  }

  void step(double t_stop) override {
    void* const memory = memory_.get();
    check(ERKStepSetStopTime(memory, t_stop));
    check(ERKStepEvolve(memory, t_stop, y_.get(), &t_, ARK_ONE_STEP));
  }
  [[nodiscard]] double t() const override { return t_; }
  [[nodiscard]] const double* y() const override { return sundials::data(y_.get()); }
  [[nodiscard]] double step_size() const override {
    double last = 0;
    check(ERKStepGetLastStep(memory_.get(), &last));
    return std::abs(last);
  }
  [[nodiscard]] bool dense() const override { return false; }
  const double* between(double) override { return y(); }
  // A shorter step of the same method.
  const double* within(double t0, const std::vector<double>& y0, double t) override {
    const PrinceDormand& tableau = prince_dormand();
    const double h = t - t0;
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) {
      stage_ = y0;
      for (std::size_t j = 0; j < i; ++j) add(h * tableau.A[i][j], slopes_[j]);
      slopes_[i].resize(y0.size());
      if (!(*right_side_)(t0 + tableau.c[i] * h, stage_.data(), slopes_[i].data())) throw right_side_->stop();
    }
    stage_ = y0;
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) add(h * tableau.b[i], slopes_[i]);
    return stage_.data();
  }
  void count(Outcome& outcome) const override {
    long rejected = 0;
    check(ERKStepGetNumErrTestFails(memory_.get(), &rejected));
    outcome.rejected_steps = static_cast<std::size_t>(rejected);
  }

 private:
  void add(double factor, const std::vector<double>& slope) {
    for (std::size_t k = 0; k < stage_.size(); ++k) stage_[k] += factor * slope[k];
  }
  static int evaluate(double t, N_Vector y, N_Vector y_dot, void* self) {
    return (*static_cast<ExplicitSolver*>(self)->right_side_)(t, sundials::data(y), sundials::data(y_dot)) ? 0 : 1;
  }
  static int project(double t, N_Vector y, void* self) {
    return static_cast<ExplicitSolver*>(self)->right_side_->project(t, sundials::data(y)) ? 0 : 1;
  }
  // ARKODE does not tell the time; only law scales depend on it, and t_ is the time of the last accepted step.
  static int weigh(N_Vector y, N_Vector weights, void* self) {
    auto& solver = *static_cast<ExplicitSolver*>(self);
    solver.weights_(solver.t_, sundials::data(y), sundials::data(weights));
    return 0;
  }

  void check(int flag) const {
    if (flag >= 0) return;
    const std::string name = sundials::flag_name(ERKStepGetReturnFlagName(flag));
    const std::string quote = fmt::format("SUNDIALS ERKStep reports {} ({})", name, error_.last);
    switch (flag) {
      case ARK_RHSFUNC_FAIL:
      case ARK_FIRST_RHSFUNC_ERR:
      case ARK_REPTD_RHSFUNC_ERR:
      case ARK_UNREC_RHSFUNC_ERR:
      case ARK_POSTPROCESS_STEP_FAIL:
        throw Stop{right_side_->stop().status, fmt::format("{}; {}", right_side_->stop().reason, quote)};
      case ARK_ERR_FAILURE:
      case ARK_CONV_FAILURE:
      case ARK_TOO_CLOSE:
        throw Stop{Status::step_too_small, fmt::format("no step is small enough for the tolerance; {}", quote)};
      case ARK_TOO_MUCH_WORK:
        throw Stop{Status::too_many_steps, quote};
      default:
        throw Stop{Status::not_converged, quote};
    }
  }

  RightSide* right_side_;
  ErrorWeights weights_;
  double t_;
  sundials::ErrorText error_;
  sundials::Context context_;
  sundials::Vector y_;
  Memory memory_;
  std::vector<double> stage_;
  std::array<std::vector<double>, PrinceDormand::stages> slopes_;
};

Outcome run_reference(const Run& run) {
  RightSide right_side(run.dynamics, run.parameters);
  const std::vector<double> y0 = right_side.initial(run.t0, run.state);
  return follow_with(run, right_side, y0, [&] { return std::make_unique<ExplicitSolver>(run, right_side, y0); });
}

}  // namespace

Method reference_method() {
  return {{.name = "reference",
           .order = PrinceDormand::order,
           .adaptive = true,
           .algebroids = {"any"},
           .constraints = every_constraint(),
           .preserves = {"constraints to round-off"},
           .summary = "adaptive explicit Runge-Kutta 8(7) of Prince and Dormand (SUNDIALS ERKStep)"},
          run_reference};
}

}  // namespace herglotz::integrate
