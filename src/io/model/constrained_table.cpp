#include "model/constrained_table.hpp"

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/reduction.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model/constraints_table.hpp"
#include "quote.hpp"

namespace herglotz::io {

bool is_constrained(const Value& table) {
  const Member* kind = table.kind == Kind::table ? table.find("kind") : nullptr;
  return kind != nullptr && kind->value.kind == Kind::string && kind->value.text == "constrained";
}

const Value* ambient_table(const Source& source, const Value& table) {
  if (!is_constrained(table)) return &table;
  const std::vector<std::string> known{"kind", "of", "equations", "fibre"};
  for (const Member& member : table.members)
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      source.unknown(member.place, "key", member.key, known);
  const Value& of = source.required(table, "of", "[algebroid]", "give the algebroid that is constrained there");
  source.expect(of, Kind::table, "'of'");
  if (is_constrained(of))
    source.fail(of.place, "a constrained algebroid of a constrained one is given", "put all equations into one list");
  return &of;
}

mechanics::System restricted(const Vocabulary& vocabulary, const Value& table, const ExpressionRole& role,
                             const Value& document, mechanics::System system) {
  const Source& source = vocabulary.source();
  for (const char* name : {"constraints", "gauge"})
    if (const Member* besides = document.find(name))
      source.fail(besides->place, "[" + std::string(name) + "] and an algebroid of constraints are both given",
                  "put every equation into 'equations' of [algebroid]");
  if (const Member* friction = document.find("friction"))
    source.fail(friction->place, "[friction] and an algebroid of constraints are both given",
                "put the equations into [constraints]");
  const Value& equations =
      source.required(table, "equations", "[algebroid]", R"(give them as equations = ["..."], each is = 0)");
  read_constraint_equations(vocabulary, equations, "[algebroid]", mechanics::Rule::nonholonomic, role, system);
  std::vector<std::string> fibre;
  if (const Member* names = table.find("fibre"))
    for (const Value* name : source.strings(names->value, "'fibre'"))
      fibre.push_back(symbolic::with_plain_greek(name->text));
  std::map<std::string, double, std::less<>> near;
  if (const Member* initial = document.find("initial"))
    for (const Member& member : initial->value.members)
      if (member.value.kind == Kind::integer || member.value.kind == Kind::real)
        near.emplace(member.key, vocabulary.constant(member.value, member.key));
  try {
    return mechanics::reduce_by_constraints(system, near, fibre).system;
  } catch (const Refused& error) {
    const Member* names = table.find("fibre");
    source.fail(names == nullptr ? equations.place : names->value.place, error.what(),
                "give independent equations that are linear in the fibre coordinates");
  }
}

}  // namespace herglotz::io
