#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "drive/adaptive.hpp"
#include "drive/error_control.hpp"
#include "drive/rest.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "stiff/mass_form_solver.hpp"
#include "stiff/methods.hpp"
#include "stiff/projection_floor.hpp"
#include "stiff/sundials.hpp"

namespace herglotz::integrate {
namespace {

using Memory = sundials::Owned<void*, CVodeFree>;

/// Linear systems with the compiled Jacobian as a dense matrix.
struct DenseSolver {
  sundials::Owned<SUNMatrix, SUNMatDestroy> matrix;
  sundials::Owned<SUNLinearSolver, SUNLinSolFree> solver;

  DenseSolver(sunindextype size, N_Vector y, SUNContext context)
      : matrix(SUNDenseMatrix(size, size, context)), solver(SUNLinSol_Dense(y, matrix.get(), context)) {}
};

class ImplicitSolver final : public AdaptiveSolver {
 public:
  ImplicitSolver(const Run& run, RightSide& right_side, const std::vector<double>& y0, bool on_final_set)
      : right_side_(&right_side),
        control_(error_control(run.dynamics, run.settings.tolerance)),
        weights_(run.dynamics, right_side, run.settings.tolerance),
        floor_(right_side.projects() ? y0.size() : 0),
        start_(y0),
        t_(run.t0),
        duration_(std::abs(run.settings.t_end - run.t0)),
        size_(static_cast<sunindextype>(y0.size())),
        y_(sundials::copy_of(y0, context_.get())),
        between_(sundials::copy_of(y0, context_.get())),
        memory_(CVodeCreate(CV_BDF, context_.get())) {
    void* const memory = memory_.get();
    if (memory == nullptr) throw Stop{Status::not_converged, "SUNDIALS could not create its CVODE solver"};
    check(CVodeSetErrHandlerFn(memory, sundials::ErrorText::receive, &error_));
    check(CVodeInit(memory, evaluate, run.t0, y_.get()));
    check(CVodeSetUserData(memory, this));
    check(CVodeWFtolerances(memory, weigh));
    weights_.expect(sizes_soon(control_, right_side, run.t0, run.settings.t_end, y0));
    const auto form = run.dynamics.balance && !on_final_set ? IterationForm::if_it_pays(run.dynamics) : std::nullopt;
    if (form) {
      mass_form_.emplace(*form, run.dynamics, run.parameters, context_.get());
      check(CVodeSetLinearSolver(memory, mass_form_->solver(), mass_form_->matrix()));
      check(CVodeSetLinSysFn(memory, prepare));
    } else {
      dense_.emplace(size_, y_.get(), context_.get());
      check(CVodeSetLinearSolver(memory, dense_->solver.get(), dense_->matrix.get()));
      check(CVodeSetJacFn(memory, jacobian));
    }
    check(CVodeSetMaxHnilWarns(memory, -1));
    // A motion that leaves rest at the origin has no size by which its first step could be measured: the next one may
    // have to be smaller by many orders of magnitude. Each failure makes it five times smaller.
    constexpr int most_failures = 40;
    check(CVodeSetMaxErrTestFails(memory, most_failures));
    if (right_side.projects()) {
      check(CVodeSetProjFn(memory, project));
      check(CVodeSetProjErrEst(memory, SUNFALSE));
    }
  }

  std::size_t step(double t_stop, std::size_t) override {
    const bool resting = at_rest(control_, y(), start_.data());
    check(CVodeSetMaxStep(memory_.get(), resting ? share_at_rest * duration_ : 0.0));
    check(CVodeSetStopTime(memory_.get(), t_stop));
    check(CVode(memory_.get(), t_stop, y_.get(), &t_, CV_ONE_STEP));
    if (right_side_->projects()) {
      long rejected = 0;
      check(CVodeGetNumErrTestFails(memory_.get(), &rejected));
      floor_.count(static_cast<std::size_t>(rejected));
    }
    return 1;
  }
  void depart(double t) override {
    t_ = t;
    check(CVodeReInit(memory_.get(), t, y_.get()));
  }
  [[nodiscard]] double t() const override { return t_; }
  [[nodiscard]] const double* y() const override { return sundials::data(y_.get()); }
  [[nodiscard]] double step_size() const override {
    double last = 0;
    check(CVodeGetLastStep(memory_.get(), &last));
    return std::abs(last);
  }
  [[nodiscard]] bool dense() const override { return true; }
  // Uses the BDF polynomial of the current order.
  const double* between(double t) override {
    check(CVodeGetDky(memory_.get(), t, 0, between_.get()));
    return sundials::data(between_.get());
  }
  const double* within(double, const std::vector<double>&, double t) override { return between(t); }
  void count(Outcome& outcome) const override {
    long rejected = 0;
    long iterations = 0;
    check(CVodeGetNumErrTestFails(memory_.get(), &rejected));
    check(CVodeGetNumNonlinSolvIters(memory_.get(), &iterations));
    outcome.rejected_steps = static_cast<std::size_t>(rejected);
    outcome.newton_iterations = static_cast<std::size_t>(iterations);
  }

 private:
  static int evaluate(double t, N_Vector y, N_Vector y_dot, void* self) {
    return (*static_cast<ImplicitSolver*>(self)->right_side_)(t, sundials::data(y), sundials::data(y_dot)) ? 0 : 1;
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix matrix, void* self, N_Vector, N_Vector, N_Vector) {
    return static_cast<ImplicitSolver*>(self)->right_side_->jacobian(t, sundials::data(y), SUNDenseMatrix_Data(matrix))
               ? 0
               : 1;
  }
  static int prepare(double t, N_Vector y, N_Vector, SUNMatrix, booleantype keeps, booleantype* renewed, double gamma,
                     void* self, N_Vector, N_Vector, N_Vector) {
    MassFormSolver& form = *static_cast<ImplicitSolver*>(self)->mass_form_;
    form.set_gamma(gamma);
    *renewed = keeps == SUNTRUE ? SUNFALSE : SUNTRUE;
    return keeps == SUNTRUE || form.linearise(t, sundials::data(y)) ? 0 : 1;
  }
  static int project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
    N_VScale(1.0, y, correction);
    auto& solver = *static_cast<ImplicitSolver*>(self);
    if (!solver.right_side_->project(t, sundials::data(correction))) return 1;
    N_VLinearSum(1.0, correction, -1.0, y, correction);
    solver.floor_.note(sundials::data(correction));
    return 0;
  }
  // CVODE does not pass the time. Only law scales depend on it, and t_ is the time of the last accepted step.
  static int weigh(N_Vector y, N_Vector weights, void* self) {
    auto& solver = *static_cast<ImplicitSolver*>(self);
    solver.weights_(solver.t_, sundials::data(y), sundials::data(weights));
    solver.floor_.bound(sundials::data(weights));
    return 0;
  }

  void check(int flag) const {
    if (flag >= 0) return;
    const std::string name = sundials::flag_name(CVodeGetReturnFlagName(flag));
    const std::string quote = fmt::format("SUNDIALS CVODE reports {} ({})", name, error_.last);
    switch (flag) {
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
      case CV_PROJFUNC_FAIL:
      case CV_REPTD_PROJFUNC_ERR:
        throw Stop{
            right_side_->stop().status,
            {fmt::format("{} ({})", right_side_->stop().reason.problem, quote), right_side_->stop().reason.remedy}};
      case CV_ERR_FAILURE:
      case CV_TOO_CLOSE:
        throw Stop{Status::step_too_small, fmt::format("no step is small enough for the tolerance ({})", quote)};
      case CV_TOO_MUCH_WORK:
        throw Stop{Status::too_many_steps, quote};
      default:
        throw Stop{Status::not_converged, quote};
    }
  }

  RightSide* right_side_;
  ErrorControl control_;
  ErrorWeights weights_;
  ProjectionFloor floor_;
  std::vector<double> start_;  // the state at which the run began
  double t_;
  double duration_;
  sunindextype size_;
  sundials::ErrorText error_;
  sundials::Context context_;
  sundials::Vector y_;
  sundials::Vector between_;
  std::optional<DenseSolver> dense_;
  std::optional<MassFormSolver> mass_form_;
  Memory memory_;
};

Outcome run_stiff(const Run& run, const FinalSet* set) {
  RightSide right_side(run.dynamics, run.parameters, set);
  right_side.require_jacobian();
  const std::vector<double> y0 = right_side.initial(run.t0, run.state);
  return follow_with(run, right_side, y0,
                     [&] { return std::make_unique<ImplicitSolver>(run, right_side, y0, set != nullptr); });
}

}  // namespace

std::vector<Method> stiff_methods() {
  return {{{.name = "stiff",
            .order = 5,
            .adaptive = true,
            .algebroids = {"any"},
            .constraints = every_constraint(),
            .preserves = texts_of({Preserves::constraints}),
            .summary = "adaptive implicit BDF of orders 1 to 5 with the compiled Jacobian (SUNDIALS CVODE)"},
           [](const Run& run) { return run_stiff(run, nullptr); }}};
}

std::vector<SetMethod> stiff_set_methods() {
  return {{"stiff", [](const Run& run, const FinalSet& set) { return run_stiff(run, &set); }}};
}

}  // namespace herglotz::integrate
