#pragma once
/// SUNDIALS IDA on the sleigh and the disk, its equations and Jacobians written by hand: the rival.

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace herglotz::bench {

/// Index-reduced forms of x' = y, W y' = b + Phi_y^T lambda, z' = L under Phi = 0.
enum class Form {
  index_1,     ///< Phi_y y' + beta = 0 in place of Phi = 0, which is then free to drift
  index_2,     ///< Phi = 0 itself: no holonomic constraint is left, so that the index is two, not three
  stabilised,  ///< Phi = 0 with lambda = mu', of which mu itself is used nowhere: index one without drift (Gear, 1988)
};

// Y are the unknowns (x, y, z, lambda or mu), D their derivatives.

/// L = (a w + vy)^2/2 + (b w - vx)^2/2 + J w^2/2 + gamma z, a = alpha cos phi - beta sin phi, b = -da/dphi;
/// W = [1, 0, -b; 0, 1, a; -b, a, alpha^2 + beta^2 + J], Phi = vx sin phi - vy cos phi.
struct SleighByHand {
  static constexpr int n = 3;
  static constexpr int m = 1;
  static constexpr int unknowns = 8;
  static constexpr double alpha = 0.3;
  static constexpr double beta = 0.2;
  static constexpr double gamma = -0.1;
  static constexpr double J = 2.0;
  static constexpr double inertia = alpha * alpha + beta * beta + J;

  template <Form form>
  static void residual(const double* Y, const double* D, double* F) {
    const double s = std::sin(Y[2]);
    const double c = std::cos(Y[2]);
    const double a = alpha * c - beta * s;
    const double b = beta * c + alpha * s;
    const double vx = Y[3];
    const double vy = Y[4];
    const double w = Y[5];
    const double px = vx - b * w;
    const double py = vy + a * w;
    const double pw = inertia * w + a * vy - b * vx;
    const double lambda = form == Form::stabilised ? D[7] : Y[7];
    F[0] = D[0] - vx;
    F[1] = D[1] - vy;
    F[2] = D[2] - w;
    F[3] = D[3] - b * D[5] - (a * w * w + gamma * px) - s * lambda;
    F[4] = D[4] + a * D[5] - (b * w * w + gamma * py) + c * lambda;
    F[5] = inertia * D[5] + a * D[4] - b * D[3] - gamma * pw;
    F[6] = D[6] - (0.5 * (py * py + px * px + J * w * w) + gamma * Y[6]);
    F[7] = form == Form::index_1 ? s * D[3] - c * D[4] + (c * vx + s * vy) * w : s * vx - c * vy;
  }

  /// dF/dY + cj dF/dD into columns that are zero before.
  template <Form form>
  static void jacobian(double cj, const double* Y, const double* D, double* const* columns) {
    const double s = std::sin(Y[2]);
    const double c = std::cos(Y[2]);
    const double a = alpha * c - beta * s;
    const double b = beta * c + alpha * s;
    const double vx = Y[3];
    const double vy = Y[4];
    const double w = Y[5];
    const double lambda = form == Form::stabilised ? D[7] : Y[7];
    const double multiplier = form == Form::stabilised ? cj : 1;
    columns[0][0] = cj;
    columns[1][1] = cj;
    double* phi = columns[2];
    phi[2] = cj;
    phi[3] = -a * D[5] + b * w * w + gamma * a * w - c * lambda;
    phi[4] = -b * D[5] - a * w * w + gamma * b * w - s * lambda;
    phi[5] = -b * D[4] - a * D[3] + gamma * (b * vy + a * vx);
    phi[6] = w * (b * vy + a * vx);
    double* of_vx = columns[3];
    of_vx[0] = -1;
    of_vx[3] = cj - gamma;
    of_vx[5] = -b * (cj - gamma);
    of_vx[6] = b * w - vx;
    double* of_vy = columns[4];
    of_vy[1] = -1;
    of_vy[4] = cj - gamma;
    of_vy[5] = a * (cj - gamma);
    of_vy[6] = -vy - a * w;
    double* of_w = columns[5];
    of_w[2] = -1;
    of_w[3] = -b * (cj - gamma) - 2 * a * w;
    of_w[4] = a * (cj - gamma) - 2 * b * w;
    of_w[5] = inertia * (cj - gamma);
    of_w[6] = b * vx - a * vy - inertia * w;
    columns[6][6] = cj - gamma;
    columns[7][3] = -s * multiplier;
    columns[7][4] = c * multiplier;
    if constexpr (form == Form::index_1) {
      phi[7] = c * D[3] + s * D[4] + (c * vy - s * vx) * w;
      of_vx[7] = c * w + s * cj;
      of_vy[7] = s * w - c * cj;
      of_w[7] = c * vx + s * vy;
    } else {
      phi[7] = c * vx + s * vy;
      of_vx[7] = s;
      of_vy[7] = -c;
    }
  }

  /// max |Phi|
  static double constraint(const double* Y) { return std::abs(Y[3] * std::sin(Y[2]) - Y[4] * std::cos(Y[2])); }
};

/// L = (vx^2 + vy^2 + vtheta^2 + vphi^2)/2 + delta z, W = 1; Phi = (vx - vtheta cos phi, vy - vtheta sin phi).
struct DiskByHand {
  static constexpr int n = 4;
  static constexpr int m = 2;
  static constexpr int unknowns = 11;
  static constexpr double delta = -0.2;

  template <Form form>
  static void residual(const double* Y, const double* D, double* F) {
    const double s = std::sin(Y[3]);
    const double c = std::cos(Y[3]);
    const double* v = Y + 4;
    const double* lambda = form == Form::stabilised ? D + 9 : Y + 9;
    for (int k = 0; k < 4; ++k) F[k] = D[k] - v[k];
    F[4] = D[4] - delta * v[0] - lambda[0];
    F[5] = D[5] - delta * v[1] - lambda[1];
    F[6] = D[6] - delta * v[2] + c * lambda[0] + s * lambda[1];
    F[7] = D[7] - delta * v[3];
    F[8] = D[8] - 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) - delta * Y[8];
    if constexpr (form == Form::index_1) {
      F[9] = D[4] - c * D[6] + s * v[2] * v[3];
      F[10] = D[5] - s * D[6] - c * v[2] * v[3];
    } else {
      F[9] = v[0] - c * v[2];
      F[10] = v[1] - s * v[2];
    }
  }

  /// dF/dY + cj dF/dD into columns that are zero before.
  template <Form form>
  static void jacobian(double cj, const double* Y, const double* D, double* const* columns) {
    const double s = std::sin(Y[3]);
    const double c = std::cos(Y[3]);
    const double* v = Y + 4;
    const double* lambda = form == Form::stabilised ? D + 9 : Y + 9;
    const double multiplier = form == Form::stabilised ? cj : 1;
    for (int k = 0; k < 4; ++k) {
      columns[k][k] = cj;
      columns[4 + k][k] = -1;
      columns[4 + k][4 + k] = cj - delta;
      columns[4 + k][8] = -v[k];
    }
    double* phi = columns[3];
    phi[6] = c * lambda[1] - s * lambda[0];
    columns[8][8] = cj - delta;
    columns[9][4] = -multiplier;
    columns[9][6] = c * multiplier;
    columns[10][5] = -multiplier;
    columns[10][6] = s * multiplier;
    if constexpr (form == Form::index_1) {
      phi[9] = s * D[6] + c * v[2] * v[3];
      phi[10] = -c * D[6] + s * v[2] * v[3];
      columns[4][9] = cj;
      columns[5][10] = cj;
      columns[6][9] = -c * cj + s * v[3];
      columns[6][10] = -s * cj - c * v[3];
      columns[7][9] = s * v[2];
      columns[7][10] = -c * v[2];
    } else {
      phi[9] = s * v[2];
      phi[10] = -c * v[2];
      columns[4][9] = 1;
      columns[5][10] = 1;
      columns[6][9] = -c;
      columns[6][10] = -s;
    }
  }

  /// max |Phi|
  static double constraint(const double* Y) {
    return std::max(std::abs(Y[4] - Y[6] * std::cos(Y[3])), std::abs(Y[5] - Y[6] * std::sin(Y[3])));
  }
};

/// One IDA integrator, made once and run many times from the same consistent values.
template <class System, Form form>
class Ida {
 public:
  /// `state` is (x, y, z), `flow` (x_dot, y_dot, z_dot, lambda) there. Throws where these do not solve the equations.
  Ida(const std::vector<double>& state, const std::vector<double>& flow) {
    std::copy(state.begin(), state.end(), Y_.begin());
    std::copy(flow.begin(), flow.end(), D_.begin());
    if (form != Form::stabilised) {
      for (int k = System::unknowns - System::m; k < System::unknowns; ++k) std::swap(Y_[index(k)], D_[index(k)]);
    }
    std::array<double, System::unknowns> F{};
    System::template residual<form>(Y_.data(), D_.data(), F.data());
    for (const double value : F) {
      if (!(std::abs(value) < 1e-13)) throw std::logic_error("the hand-written equations are not the derived ones");
    }
    create();
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;
  ~Ida() {
    IDAFree(&ida_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector vector : {y_, d_, id_}) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }

  /// From t = 0 to t_end, relative and absolute tolerance alike; the end is in unknowns().
  void run(double tolerance, double t_end) {
    std::copy(Y_.begin(), Y_.end(), unknowns());
    std::copy(D_.begin(), D_.end(), N_VGetArrayPointer(d_));
    require(IDAReInit(ida_, 0, y_, d_), "IDAReInit");
    require(IDASStolerances(ida_, tolerance, tolerance), "IDASStolerances");
    require(IDASetStopTime(ida_, t_end), "IDASetStopTime");
    double reached = 0;
    require(IDASolve(ida_, t_end, &reached, y_, d_, IDA_NORMAL), "IDASolve");
  }
  [[nodiscard]] double* unknowns() const { return N_VGetArrayPointer(y_); }
  [[nodiscard]] long steps() const {
    long count = 0;
    IDAGetNumSteps(ida_, &count);
    return count;
  }

 private:
  static constexpr std::size_t index(int k) { return static_cast<std::size_t>(k); }

  void create() {
    require(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    y_ = N_VNew_Serial(System::unknowns, context_);
    N_VEnableFusedOps_Serial(y_, SUNTRUE);  // saves IDA 3 percent
    d_ = N_VClone(y_);
    id_ = N_VClone(y_);
    std::copy(Y_.begin(), Y_.end(), unknowns());
    std::copy(D_.begin(), D_.end(), N_VGetArrayPointer(d_));
    for (int k = 0; k < System::unknowns; ++k) {
      N_VGetArrayPointer(id_)[k] = k < System::unknowns - System::m ? 1 : 0;
    }
    matrix_ = SUNDenseMatrix(System::unknowns, System::unknowns, context_);
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    ida_ = IDACreate(context_);
    require(IDAInit(ida_, residual, 0, y_, d_), "IDAInit");
    require(IDASStolerances(ida_, 1e-6, 1e-6), "IDASStolerances");
    require(IDASetLinearSolver(ida_, solver_, matrix_), "IDASetLinearSolver");
    require(IDASetJacFn(ida_, jacobian), "IDASetJacFn");
    // Multipliers do not feed back into the state. Leaving them out of the error test saves steps at equal error.
    require(IDASetId(ida_, id_), "IDASetId");
    require(IDASetSuppressAlg(ida_, SUNTRUE), "IDASetSuppressAlg");
    require(IDASetMaxNumSteps(ida_, 10'000'000), "IDASetMaxNumSteps");
  }

  static int residual(double, N_Vector Y, N_Vector D, N_Vector F, void*) {
    System::template residual<form>(N_VGetArrayPointer(Y), N_VGetArrayPointer(D), N_VGetArrayPointer(F));
    return 0;
  }
  static int jacobian(double, double cj, N_Vector Y, N_Vector D, N_Vector, SUNMatrix matrix, void*, N_Vector, N_Vector,
                      N_Vector) {
    System::template jacobian<form>(cj, N_VGetArrayPointer(Y), N_VGetArrayPointer(D), SUNDenseMatrix_Cols(matrix));
    return 0;
  }

  static void require(int flag, const char* call) {
    if (flag < 0) throw std::runtime_error(std::string(call) + " failed with flag " + std::to_string(flag));
  }

  std::array<double, System::unknowns> Y_{};
  std::array<double, System::unknowns> D_{};
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  N_Vector d_ = nullptr;
  N_Vector id_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  void* ida_ = nullptr;
};

}  // namespace herglotz::bench
