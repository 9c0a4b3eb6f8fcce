#pragma once
/// Block elimination as the linear solver of IPOPT.

#include <vector>

namespace herglotz::optimise {

/// While an object of this class lives, IPOPT finds `ChainFactors` behind its interface of the solver `ma27`, whose
/// functions it lets a program replace. A process can have one such object at a time, as it can have one call of
/// `minimise`.
class BlockElimination {
 public:
  /// `place` is the place in the chain of each row of the systems that IPOPT solves: free unknowns, slacks of
  /// inequalities, equations, inequalities.
  explicit BlockElimination(std::vector<int> place);
  BlockElimination(const BlockElimination&) = delete;
  BlockElimination& operator=(const BlockElimination&) = delete;
  ~BlockElimination();
};

}  // namespace herglotz::optimise
