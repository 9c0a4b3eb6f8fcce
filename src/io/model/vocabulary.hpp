#pragma once
/// The names of a model, what each one is, and which expressions may use it.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "toml/source.hpp"

namespace herglotz::io {

/// What a name depends on, as bits; a definition has those of everything it uses.
using Uses = unsigned;
namespace uses {
constexpr Uses parameter = 1;
constexpr Uses base = 2;
constexpr Uses fibre = 4;
constexpr Uses momentum = 8;
constexpr Uses action = 16;
constexpr Uses time = 32;
constexpr Uses energy = 64;
constexpr Uses multiplier = 128;
constexpr Uses output = 256;    ///< a column that no expression may use
constexpr Uses discrete = 512;  ///< what a discrete Lagrangian is a function of
constexpr Uses control = 1024;
constexpr Uses cost = 2048;  ///< the action of a cost
}  // namespace uses

/// What an expression is, and which names it may use.
struct Role {
  std::string_view of;  ///< "the Lagrangian"
  Uses allowed = 0;
  std::string_view rule;  ///< "use base coordinates, ..."
};

class Vocabulary {
 public:
  Vocabulary(const Source& source, std::shared_ptr<symbolic::Graph> graph)
      : source_(source), graph_(std::move(graph)) {}

  /// Takes a name for a symbol of the graph. Fails where it is no identifier, reserved, or taken.
  symbolic::Expr claim(const std::string& name, std::string_view what, Uses uses, Place place);
  /// Takes a name that the format fixes, made from `coordinate`. Where the model has given it to something else, fails
  /// there.
  void claim_fixed(const std::string& name, const std::string& what, Uses uses, std::string_view coordinate,
                   Place place);
  /// Says that the name of a constant is to be claimed, so that no expression reads it as the constant before.
  void announce(const std::string& name) { announced_.insert(name); }
  /// A named expression in the names claimed so far (a let node).
  symbolic::Expr define(const Member& member, const Role& role);
  /// A number, or a string that is an expression in the names the role allows.
  [[nodiscard]] symbolic::Expr expression(const Value& value, const Role& role) const;
  /// The same with names of its own, which come before those of the model.
  [[nodiscard]] symbolic::Expr expression(const Value& value, const Role& role, const symbolic::Scope& own) const;
  /// A number, or a string that is a constant expression: no names.
  [[nodiscard]] double constant(const Value& value, std::string_view of) const;

  [[nodiscard]] symbolic::Graph& graph() const { return *graph_; }
  [[nodiscard]] const std::shared_ptr<symbolic::Graph>& shared_graph() const { return graph_; }
  [[nodiscard]] const Source& source() const { return source_; }

 private:
  struct Entry {
    symbolic::Expr value;
    Uses uses = 0;
    std::string what;
    Place place;
  };

  void enter(const std::string& name, Entry entry);
  void check_name(const std::string& name, std::string_view what, Place place) const;
  /// What the text's known names depend on; fails at the first that the role does not allow.
  Uses check_uses(const Value& value, const Role& role, const symbolic::Scope& own = {}) const;

  const Source& source_;
  std::shared_ptr<symbolic::Graph> graph_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::set<std::string, std::less<>> announced_;
  std::map<std::string, std::string> spellings_;  ///< names by their spelling in ASCII
};

}  // namespace herglotz::io
