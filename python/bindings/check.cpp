#include "herglotz/simulate/check.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "model.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;

nb::dict facts_of(const simulate::Regularity& regularity) {
  nb::dict facts;
  facts["finite"] = regularity.finite;
  facts["regular"] = regularity.regular;
  facts["rank"] = regularity.rank;
  facts["condition"] = regularity.condition;
  facts["signature"] = nb::make_tuple(regularity.positive, regularity.negative);
  return facts;
}

nb::list constraints_of(const simulate::Check& check) {
  nb::list list;
  for (std::size_t k = 0; k < check.kinds.size(); ++k) {
    nb::dict facts;
    facts["kind"] = std::string(mechanics::name(check.kinds[k]));
    facts["standing"] = check.not_analysed.empty()
                            ? std::string(mechanics::name(check.constraints.equations[k].standing))
                            : std::string("not judged");
    list.append(facts);
  }
  return list;
}

/// Returns what a check finds. The model is read again, since a check derives in the graph of its problem, and other
/// threads may use the model.
nb::dict check(const Model& model, const std::vector<std::string>& assignments) {
  auto problem = model.read_again();
  for (const auto& assignment : assignments) io::apply_setting(problem, assignment);
  simulate::Check found;
  {
    const nb::gil_scoped_release released;
    found = simulate::check(problem);
  }
  nb::dict facts;
  facts["text"] = simulate::text_of(problem.system, found);
  facts["ok"] = found.ok();
  facts["why_not"] = found.refused ? std::string(found.refused->what()) : found.failure;
  facts["algebroid"] = std::string(geometry::name(found.axioms.algebroid_class));
  nb::dict axioms;
  axioms["anchors"] = found.axioms.anchors;
  axioms["skewness"] = found.axioms.skewness;
  axioms["anchor"] = found.axioms.anchor;
  axioms["jacobi"] = found.axioms.jacobi;
  facts["axioms"] = axioms;
  facts["regularity"] = facts_of(found.regularity.hessian);
  facts["constraint_rank"] = found.regularity.rank;
  facts["constraints"] = constraints_of(found);
  facts["integrability"] = found.not_analysed.empty() ? std::string(mechanics::name(found.constraints.integrability))
                                                      : std::string("not judged");
  nb::dict symmetries;
  for (const auto& symmetry : found.symmetries) {
    nb::dict entry;
    entry["holds"] = symmetry.holds;
    entry["defect"] = symmetry.defect;
    entry["everywhere"] = symmetry.everywhere;
    entry["untouched"] = symmetry.untouched;
    symmetries[symmetry.name.c_str()] = entry;
  }
  facts["symmetries"] = symmetries;
  nb::dict brackets;
  for (const auto& f : found.dissipated) {
    nb::dict entry;
    entry["holds"] = f.holds;
    entry["defect"] = f.defect;
    entry["everywhere"] = f.everywhere;
    entry["dissipated"] = f.dissipated;
    brackets[f.name.c_str()] = entry;
  }
  facts["brackets"] = brackets;
  nb::dict laws;
  for (const auto& law : found.laws) laws[law.name.c_str()] = law.dissipated;
  facts["dissipated"] = laws;
  facts["consistent"] = found.consistent;
  facts["discrete"] = nb::none();
  if (found.discrete) {
    nb::dict entry;
    entry["rule"] = found.discrete->rule;
    entry["legendre"] = found.discrete->legendre ? nb::object(facts_of(*found.discrete->legendre)) : nb::none();
    entry["sigma"] = found.discrete->sigma;
    entry["order"] = found.discrete->order;
    entry["flow_order"] = found.discrete->flow_order;
    facts["discrete"] = entry;
  }
  facts["method"] = found.method.method;
  facts["reason"] = found.method.reason;
  return facts;
}

}  // namespace

void bind_check(nb::module_& module) {
  module.def("check", &check, nb::arg("model"), nb::arg("assignments"),
             "Returns what a check of a model finds after assignments NAME=VALUE, as facts.");
}

}  // namespace herglotz::python
