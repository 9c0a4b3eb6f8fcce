#pragma once
/// Vocabulary of a model: its names, their meanings, and the expressions that may use them.

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

/// Dependencies of a name, as bits. A definition has the bits of every name that it uses.
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
constexpr Uses discrete = 512;  ///< an argument of a discrete Lagrangian
constexpr Uses control = 1024;
constexpr Uses cost = 2048;  ///< the action of a cost
}  // namespace uses

/// Role of an expression: its name in messages, and the names that it may use.
struct ExpressionRole {
  std::string_view of;  ///< "the Lagrangian"
  Uses allowed = 0;
  std::string_view rule;  ///< "use base coordinates, ..."
};

class Vocabulary {
 public:
  Vocabulary(const Source& source, std::shared_ptr<symbolic::Graph> graph)
      : source_(source), graph_(std::move(graph)) {}

  /// Claims a name for a symbol of the graph. Throws InputError if the name is not an identifier, is reserved, or is
  /// taken.
  symbolic::Expr claim(const std::string& name, std::string_view what, Uses uses, Place place);
  /// Claims a name that the format derives from `coordinate`. Throws InputError if the name is taken, at the line where
  /// the model has chosen it, or else at `place`.
  void claim_fixed(const std::string& name, const std::string& what, Uses uses, std::string_view coordinate,
                   Place place);
  /// Announces that the name of a constant will be claimed, so that no earlier expression reads it as the constant.
  void announce(const std::string& name) { announced_.insert(name); }
  /// Defines a named expression in the names claimed so far, and returns it as a let node.
  symbolic::Expr define(const Member& member, const ExpressionRole& role);
  /// Enters a function of time that a table gives.
  void tabulate(const Member& member, symbolic::Table table, symbolic::Expr time);
  /// Returns the expression of a number, or of a string that uses the names that the role allows.
  [[nodiscard]] symbolic::Expr expression(const Value& value, const ExpressionRole& role) const;
  /// Returns an expression that may also use the names in `own`, which take precedence over the names of the model.
  [[nodiscard]] symbolic::Expr expression(const Value& value, const ExpressionRole& role,
                                          const symbolic::Scope& own) const;
  /// Returns the value of a number, or of a string that is a constant expression without names.
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
  /// Returns the dependencies of the known names in the text. Throws InputError at the first name that the role does
  /// not allow.
  Uses check_uses(const Value& value, const ExpressionRole& role, const symbolic::Scope& own = {}) const;

  const Source& source_;
  std::shared_ptr<symbolic::Graph> graph_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::set<std::string, std::less<>> announced_;
  std::map<std::string, std::string> spellings_;  ///< names by their ASCII spelling
};

}  // namespace herglotz::io
