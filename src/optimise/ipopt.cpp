#include <IpoptConfig.h>
#include <dlfcn.h>

#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "block_elimination.hpp"
#include "chain_factors.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::optimise {
namespace {

using Ipopt::Index;
using Ipopt::Number;

constexpr double unbounded = 2e19;
constexpr const char* falling = "the objective falls without bound";
constexpr double no_bound = 1e9;  ///< an objective below its negative, in parts of the first, is taken for unbounded

double finite_bound(double value) {
  return std::clamp(value, -unbounded, unbounded);
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

/// Adapter that gives an Nlp the interface that IPOPT calls.
class Problem : public Ipopt::TNLP {
 public:
  Problem(Nlp& nlp, const PrimalDualPoint& start, const MinimiseOptions& options)
      : nlp_(nlp), start_(start), options_(options) {}

  Minimum result;
  bool falls_without_bound = false;

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) override {
    n = static_cast<Index>(nlp_.lower().size());
    m = static_cast<Index>(nlp_.g_lower().size());
    jacobian = static_cast<Index>(nlp_.jacobian_places().size());
    hessian = static_cast<Index>(nlp_.hessian_places().size());
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Index, Number* lower, Number* upper, Index, Number* g_lower, Number* g_upper) override {
    std::transform(nlp_.lower().begin(), nlp_.lower().end(), lower, finite_bound);
    std::transform(nlp_.upper().begin(), nlp_.upper().end(), upper, finite_bound);
    std::transform(nlp_.g_lower().begin(), nlp_.g_lower().end(), g_lower, finite_bound);
    std::transform(nlp_.g_upper().begin(), nlp_.g_upper().end(), g_upper, finite_bound);
    return true;
  }

  bool get_starting_point(Index, bool, Number* x, bool want_bounds, Number* z_lower, Number* z_upper, Index,
                          bool want_mu, Number* mu) override {
    std::copy(start_.x.begin(), start_.x.end(), x);
    if (want_mu) std::copy(start_.mu.begin(), start_.mu.end(), mu);
    if (want_bounds) {
      std::copy(start_.at_lower.begin(), start_.at_lower.end(), z_lower);
      std::copy(start_.at_upper.begin(), start_.at_upper.end(), z_upper);
    }
    return true;
  }

  bool eval_f(Index n, const Number* x, bool, Number& value) override {
    value = nlp_.objective({x, static_cast<std::size_t>(n)});
    return std::isfinite(value);
  }
  bool eval_grad_f(Index n, const Number* x, bool, Number* values) override {
    const std::span<double> out(values, static_cast<std::size_t>(n));
    nlp_.gradient({x, out.size()}, out);
    return all_finite(out);
  }
  bool eval_g(Index n, const Number* x, bool, Index m, Number* values) override {
    const std::span<double> out(values, static_cast<std::size_t>(m));
    nlp_.constraints({x, static_cast<std::size_t>(n)}, out);
    return all_finite(out);
  }
  bool eval_jac_g(Index n, const Number* x, bool, Index, Index count, Index* row, Index* col, Number* values) override {
    if (values == nullptr) return copy_places(nlp_.jacobian_places(), row, col);
    const std::span<double> out(values, static_cast<std::size_t>(count));
    nlp_.jacobian({x, static_cast<std::size_t>(n)}, out);
    return all_finite(out);
  }
  bool eval_h(Index n, const Number* x, bool, Number weight, Index m, const Number* mu, bool, Index count, Index* row,
              Index* col, Number* values) override {
    if (values == nullptr) return copy_places(nlp_.hessian_places(), row, col);
    const std::span<double> out(values, static_cast<std::size_t>(count));
    nlp_.hessian({x, static_cast<std::size_t>(n)}, weight, {mu, static_cast<std::size_t>(m)}, out);
    return all_finite(out);
  }

  bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number objective, Number, Number, Number, Number,
                             Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    result.iterations = iteration;
    if (iteration == 0) first_ = std::max(1.0, std::abs(objective));
    falls_without_bound = objective < -no_bound * first_;
    return !falls_without_bound && (!options_.go_on || options_.go_on());
  }

  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* z_lower, const Number* z_upper,
                         Index m, const Number*, const Number* mu, Number, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    result.at = {{x, x + n}, {mu, mu + m}, {z_lower, z_lower + n}, {z_upper, z_upper + n}};
  }

 private:
  static bool copy_places(const Places& places, Index* row, Index* col) {
    std::copy(places.row.begin(), places.row.end(), row);
    std::copy(places.col.begin(), places.col.end(), col);
    return true;
  }

  Nlp& nlp_;
  const PrimalDualPoint& start_;
  const MinimiseOptions& options_;
  double first_ = 1;  ///< size of the first objective
};

/// Returns the place in the chain of each row of the systems that IPOPT solves, or `{}` if there is no chain.
std::vector<int> places_of_systems(Nlp& nlp) {
  const Chain chain = nlp.chain();
  std::vector<int> places;
  for (std::size_t i = 0; i < chain.unknown.size(); ++i)
    if (nlp.lower()[i] < nlp.upper()[i]) places.push_back(chain.unknown[i]);
  std::vector<int> equations;
  std::vector<int> inequalities;
  for (std::size_t j = 0; j < chain.constraint.size(); ++j)
    (nlp.g_lower()[j] < nlp.g_upper()[j] ? inequalities : equations).push_back(chain.constraint[j]);
  for (const auto* part : {&inequalities, &equations, &inequalities})
    places.insert(places.end(), part->begin(), part->end());
  return places;
}

void choose_linear_solver(Ipopt::OptionsList& list, bool by_blocks) {
  if (by_blocks) {
    list.SetStringValue("linear_solver", "ma27");
    list.SetStringValue("linear_system_scaling", "none");
    list.SetNumericValue("ma27_pivtol", 0.01);
    list.SetNumericValue("ma27_pivtolmax", 0.5);
    return;
  }
  list.SetStringValue("linear_solver", "mumps");
  // With permutations by size MUMPS finds orders of pivots whose fill grows faster than the number of intervals.
  list.SetIntegerValue("mumps_permuting_scaling", 0);
}

void choose_options(Ipopt::OptionsList& list, const MinimiseOptions& options) {
  list.SetStringValue("sb", "yes");
  list.SetIntegerValue("print_level", 0);
  list.SetNumericValue("tol", options.tolerance);
  list.SetNumericValue("acceptable_tol", std::max(1e-8, options.tolerance));
  list.SetNumericValue("constr_viol_tol", options.tolerance);
  list.SetNumericValue("compl_inf_tol", options.products > 0 ? options.products : options.tolerance);
  list.SetNumericValue("bound_relax_factor", 0);
  list.SetIntegerValue("max_iter", options.most_iterations);
  list.SetNumericValue("max_cpu_time", 120);
  // Steps are refined where their equations do not hold well enough, and only there.
  list.SetIntegerValue("min_refinement_steps", 0);
  // Steps that break the constraints more than the start does lead out of the valley that the guess is in.
  list.SetNumericValue("theta_max_fact", 1);
  if (options.barrier > 0) list.SetNumericValue("mu_init", options.barrier);
  if (!options.warm) return;
  list.SetStringValue("warm_start_init_point", "yes");
  for (const char* push : {"warm_start_bound_push", "warm_start_bound_frac", "warm_start_slack_bound_push",
                           "warm_start_slack_bound_frac", "warm_start_mult_bound_push"})
    list.SetNumericValue(push, 1e-9);
}

/// Translates a status of IPOPT into a verdict and its reason.
void judge(Ipopt::ApplicationReturnStatus status, Minimum& result) {
  switch (status) {
    case Ipopt::Solve_Succeeded:
      result.verdict = Verdict::solved;
      result.reason = "the optimality conditions hold";
      return;
    case Ipopt::Solved_To_Acceptable_Level:
      result.reason = "steps no longer improve the optimality conditions";
      return;
    case Ipopt::Feasible_Point_Found:
      result.verdict = Verdict::solved;
      result.reason = "there are as many conditions as unknowns, and they hold";
      return;
    case Ipopt::Infeasible_Problem_Detected:
      result.verdict = Verdict::unimproved;
      result.reason = "no small change brings the conditions nearer to holding";
      return;
    case Ipopt::Search_Direction_Becomes_Too_Small:
      result.reason = "steps became too small";
      return;
    case Ipopt::Diverging_Iterates:
      result.reason = "the iterates grow without bound";
      return;
    case Ipopt::User_Requested_Stop:
      result.verdict = Verdict::stopped;
      result.reason = "stopped";
      return;
    case Ipopt::Maximum_Iterations_Exceeded:
      result.reason = "too many iterations";
      return;
    case Ipopt::Maximum_CpuTime_Exceeded:
      result.reason = "out of time";
      return;
    case Ipopt::Restoration_Failed:
      result.reason = "no way back to the conditions was found";
      return;
    case Ipopt::Not_Enough_Degrees_Of_Freedom:
      result.verdict = Verdict::infeasible;
      result.reason = "there are more conditions than unknowns";
      return;
    case Ipopt::Invalid_Number_Detected:
      result.verdict = Verdict::undefined;
      result.reason = "a function of the problem is not finite";
      return;
    default:
      result.reason = "the solver failed (status " + std::to_string(static_cast<int>(status)) + ")";
  }
}

/// Returns a function of OpenBLAS, or nullptr if another library does the linear algebra.
template <class Function>
Function* openblas(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// Sums are rounded in an order that depends on the number of threads, so that only one gives the same bits everywhere.
void use_one_thread() {
  if (auto* set_threads = openblas<void(int)>("openblas_set_num_threads")) set_threads(1);
}

/// Returns the name and version of the library for linear algebra if it is known, such as `, OpenBLAS 0.3.21`.
std::string linear_algebra() {
  auto* config = openblas<const char*()>("openblas_get_config");
  if (config == nullptr) return "";
  const std::string text = config();
  return ", " + text.substr(0, text.find(' ', text.find(' ') + 1));
}

}  // namespace

namespace {

Minimum minimise_with(bool by_blocks, Nlp& nlp, const PrimalDualPoint& start, const MinimiseOptions& options) {
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication(false);
  choose_options(*application->Options(), options);
  choose_linear_solver(*application->Options(), by_blocks);
  const Ipopt::SmartPtr<Problem> problem = new Problem(nlp, start, options);
  problem->result.at = start;
  // Without a name IPOPT would read the file ipopt.opt of the folder where the program runs.
  const auto ready = application->Initialize("");
  if (ready != Ipopt::Solve_Succeeded) {
    problem->result.reason = "the solver could not be set up";
    return problem->result;
  }
  judge(application->OptimizeTNLP(GetRawPtr(problem)), problem->result);
  if (problem->falls_without_bound) {
    problem->result.verdict = Verdict::not_converged;
    problem->result.reason = falling;
    problem->result.falls = true;
  }
  return problem->result;
}

}  // namespace

Minimum minimise(Nlp& nlp, const PrimalDualPoint& start, const MinimiseOptions& options) {
  static std::mutex one_call;
  const std::scoped_lock lock(one_call);
  use_one_thread();
  auto places = places_of_systems(nlp);
  if (!places.empty()) {
    const BlockElimination elimination(std::move(places));
    const Minimum found = minimise_with(true, nlp, start, options);
    if (found.verdict == Verdict::stopped || found.verdict == Verdict::undefined || found.falls) return found;
    // Other pivots help neither where the constraints cannot hold nor where steps are many but sound.
    if (found.iterations >= options.most_iterations) return found;
    if ((found.verdict == Verdict::solved || found.verdict == Verdict::unimproved) && !are_large(found.at.mu))
      return found;
  }
  return minimise_with(false, nlp, start, options);
}

std::string solver_versions() {
  return std::string("IPOPT ") + IPOPT_VERSION + " with MUMPS" + linear_algebra();
}

}  // namespace herglotz::optimise
