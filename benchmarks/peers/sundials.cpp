// SUNDIALS: CVODE with Adams' methods, ARKODE with explicit Runge-Kutta methods; a member at a time, an integrator per
// thread.

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <memory>

#include "problems.hpp"
#include "protocol.hpp"

namespace {

void require(int status, const char* what) {
  if (status < 0) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(status));
}

template <class Problem>
int rates(double, N_Vector state, N_Vector rate, void*) {
  double* to = N_VGetArrayPointer(rate);
  Problem::rates(N_VGetArrayPointer(state), to);
  return 0;
}

/// A context and a state vector, of one thread.
template <class Problem>
struct Workspace {
  Workspace() {
    require(SUNContext_Create(nullptr, &context), "SUNContext_Create");
    state = N_VNew_Serial(Problem::size, context);
    for (std::size_t i = 0; i < Problem::size; ++i) N_VGetArrayPointer(state)[i] = 1;
  }
  virtual ~Workspace() {
    N_VDestroy(state);
    SUNContext_Free(&context);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  virtual void run() = 0;
  SUNContext context = nullptr;
  N_Vector state = nullptr;
};

template <class Problem>
struct Adams : Workspace<Problem> {
  explicit Adams(double tolerance) {
    memory = CVodeCreate(CV_ADAMS, this->context);
    require(CVodeInit(memory, rates<Problem>, 0, this->state), "CVodeInit");
    require(CVodeSStolerances(memory, tolerance, tolerance), "CVodeSStolerances");
    require(CVodeSetErrFile(memory, nullptr), "CVodeSetErrFile");
    require(CVodeSetMaxNumSteps(memory, 200'000), "CVodeSetMaxNumSteps");
    solver = SUNNonlinSol_FixedPoint(this->state, 0, this->context);
    require(CVodeSetNonlinearSolver(memory, solver), "CVodeSetNonlinearSolver");
    require(CVodeSetStopTime(memory, Problem::t_end), "CVodeSetStopTime");
  }
  ~Adams() override {
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
  }
  void run() override {
    double t = 0;
    require(CVodeReInit(memory, 0, this->state), "CVodeReInit");
    require(CVodeSetStopTime(memory, Problem::t_end), "CVodeSetStopTime");
    require(CVode(memory, Problem::t_end, this->state, &t, CV_NORMAL), "CVode");
  }
  void* memory = nullptr;
  SUNNonlinearSolver solver = nullptr;
};

template <class Problem>
struct RungeKutta : Workspace<Problem> {
  RungeKutta(ARKODE_ERKTableID table, double tolerance) {
    memory = ERKStepCreate(rates<Problem>, 0, this->state, this->context);
    require(ERKStepSetTableNum(memory, table), "ERKStepSetTableNum");
    require(ERKStepSStolerances(memory, tolerance, tolerance), "ERKStepSStolerances");
    require(ERKStepSetErrFile(memory, nullptr), "ERKStepSetErrFile");
    require(ERKStepSetMaxNumSteps(memory, 200'000), "ERKStepSetMaxNumSteps");
  }
  ~RungeKutta() override { ERKStepFree(&memory); }
  void run() override {
    double t = 0;
    require(ERKStepReInit(memory, rates<Problem>, 0, this->state), "ERKStepReInit");
    require(ERKStepSetStopTime(memory, Problem::t_end), "ERKStepSetStopTime");
    require(ERKStepEvolve(memory, Problem::t_end, this->state, &t, ARK_NORMAL), "ERKStepEvolve");
  }
  void* memory = nullptr;
};

template <class Problem>
protocol::Integrate each(std::shared_ptr<Workspace<Problem>> workspace) {
  return [workspace](std::size_t first, std::size_t last, const double* starts, double* reached) {
    double* state = N_VGetArrayPointer(workspace->state);
    for (std::size_t k = first; k < last; ++k) {
      std::copy_n(starts + k * Problem::size, Problem::size, state);
      workspace->run();
      std::copy_n(state, Problem::size, reached + k * Problem::size);
    }
  };
}

template <class Problem>
void measure(const protocol::Request& request) {
  if (!request.wants(Problem::name)) return;
  const auto members = protocol::read_members<Problem>(request.folder);
  const auto all = [&](const char* method, auto create) {
    for (const double tolerance : protocol::thin(protocol::tolerances(), request.thinning)) {
      const auto make = [&] { return each<Problem>(create(tolerance)); };
      if (!protocol::measure({Problem::name, "SUNDIALS", method, tolerance}, members, request, make)) break;
    }
  };
  all("cvode adams", [](double tolerance) { return std::make_shared<Adams<Problem>>(tolerance); });
  all("arkode dopri5",
      [](double tolerance) { return std::make_shared<RungeKutta<Problem>>(ARKODE_DORMAND_PRINCE_7_4_5, tolerance); });
  all("arkode fehlberg 8",
      [](double tolerance) { return std::make_shared<RungeKutta<Problem>>(ARKODE_FEHLBERG_13_7_8, tolerance); });
}

}  // namespace

int main(int count, char** words) {
  const auto request = protocol::read_request(count, words);
#define MEASURE(problem) measure<problems::problem<double>>(request);
  FOR_EACH_PROBLEM(MEASURE)
}
