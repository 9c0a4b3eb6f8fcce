#pragma once
/// Text under construction: every node of a graph as pieces that refer to its children's pieces.

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// The strength with which the outermost operator of a piece of text binds.
enum class Binding { sum, product, power, atom };

/// Literal text or, if `is_child`, the body of a node.
struct Piece {
  std::string text;
  NodeId child = 0;
  bool is_child = false;
};

/// One node as text: an optional minus sign and a body. Its size is linear in the node's arity, whatever the size of
/// the node's children.
struct Form {
  std::vector<Piece> body;
  Binding binding = Binding::atom;
  bool negative = false;
  bool tall = false;         ///< LaTeX: needs growing parentheses
  bool upright = false;      ///< LaTeX: a name in roman type, to be kept apart from its neighbours
  bool digit_first = false;  ///< LaTeX: must not follow a number directly
  bool function =
      false;  ///< LaTeX: ends with the argument of a function, to which a further factor would seem to belong

  void text(std::string words) { body.push_back({std::move(words), 0, false}); }
  void child(NodeId id) { body.push_back({{}, id, true}); }
  void append(const Form& other) { body.insert(body.end(), other.body.begin(), other.body.end()); }
};

/// Returns text that needs no parentheses anywhere.
Form atom(std::string text);

using Forms = std::unordered_map<NodeId, Form>;

/// Returns the text of a form with its sign. It is iterative, so that depth costs no stack.
std::string written(const Form& form, const Forms& forms);

}  // namespace herglotz::symbolic
