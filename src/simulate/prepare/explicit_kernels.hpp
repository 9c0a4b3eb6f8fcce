#pragma once
/// Programs and kernels of an explicit step, and the further kernels that a run of such steps needs.

#include "herglotz/discrete/splitting.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "prepare/requirements.hpp"

namespace herglotz::simulate {

/// Laws with a source, and their sources as functions of (x, p, z, t).
struct DrivenLaws {
  std::vector<std::size_t> laws;
  std::vector<symbolic::Expr> sources;
};

DrivenLaws driven_laws(const BuildContext& context, const discrete::SplitHamiltonian& parts);

ExplicitForm explicit_form(const BuildContext& context, const discrete::SplitHamiltonian& parts, DrivenLaws driven,
                           discrete::ExplicitPrograms programs);
integrate::ExplicitKernels explicit_kernels(const ExplicitForm& form, const compile::Options& options);

}  // namespace herglotz::simulate
