#include "nodes.hpp"

#include <array>
#include <string_view>

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using symbolic::Expr;
using symbolic::Op;

std::string_view operation(Op op) {
  // In the order of Op.
  constexpr std::array<std::string_view, 24> names{
      "rational", "real", "symbol", "let",   "add",  "mul",  "pow",  "exp", "log",  "sin",   "cos",    "tan",
      "asin",     "acos", "atan",   "atan2", "sinh", "cosh", "tanh", "abs", "sign", "floor", "select", "table"};
  static_assert(names.size() == static_cast<std::size_t>(Op::table) + 1);
  return names[static_cast<std::size_t>(op)];
}

}  // namespace

std::size_t Nodes::place(Expr f) {
  if (!places_.contains(f.id()))
    for (const symbolic::NodeId id : f.graph().reachable({&f, 1}))
      if (!places_.contains(id)) add({f.graph(), id});
  return places_.at(f.id());
}

nb::list Nodes::places(const std::vector<Expr>& f) {
  nb::list list;
  for (const Expr& e : f) list.append(place(e));
  return list;
}

void Nodes::add(Expr f) {
  if (f.op() == Op::let) {
    places_.emplace(f.id(), places_.at(f.child(0).id()));
    return;
  }
  nb::list operands;
  for (std::size_t i = 0; i < f.arity(); ++i) operands.append(places_.at(f.child(i).id()));
  const std::string_view name = operation(f.op());
  places_.emplace(f.id(), nb::len(list_));
  list_.append(nb::make_tuple(nb::str(name.data(), name.size()), value(f), nb::tuple(operands)));
}

nb::object Nodes::value(Expr f) const {
  switch (f.op()) {
    case Op::rational:
      return nb::make_tuple(f.rational().num(), f.rational().den());
    case Op::real:
      return nb::float_(f.value());
    case Op::symbol: {
      const auto renamed = names_.find(f.name());
      const std::string_view name = renamed == names_.end() ? f.name() : std::string_view(renamed->second);
      return nb::str(name.data(), name.size());
    }
    case Op::table:
      return nb::str(f.name().data(), f.name().size());
    default:
      return nb::none();
  }
}

nb::tuple nodes_of(Expr f) {
  Nodes nodes;
  const std::size_t place = nodes.place(f);
  return nb::make_tuple(nodes.list(), place);
}

nb::tuple nodes_of(const std::vector<Expr>& f) {
  Nodes nodes;
  const nb::list places = nodes.places(f);
  return nb::make_tuple(nodes.list(), places);
}

}  // namespace herglotz::python
