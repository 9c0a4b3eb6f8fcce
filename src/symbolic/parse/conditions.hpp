#pragma once
/// Conditions of if(condition, a, b) while they are read.

#include <cstddef>
#include <vector>

#include "herglotz/symbolic/expr.hpp"
#include "parse/token.hpp"

namespace herglotz::symbolic {

/// Returns whether the token compares two numbers: <, <=, > or >=.
bool is_comparison(TokenKind kind);
/// Returns whether the token is a word of conditions: `and`, `or` or `not`.
bool is_connective(const Token& token);

/// Stack of conditions. The innermost one is being read: comparisons, joined by `and`, `or` and `not`, which bind in
/// the order not, and, or. Each comparison is one choice between two expressions, so that the value of an `if` has as
/// many nodes as its condition has comparisons. Nothing recurs: a condition may be of any length.
class Conditions {
 public:
  /// Begins a condition, or a part of one in parentheses.
  void open() { open_.emplace_back(); }
  /// Returns whether the innermost condition has nothing yet.
  [[nodiscard]] bool empty() const;
  /// Returns whether a comparison waits for its right side.
  [[nodiscard]] bool comparing() const { return open_.back().left.valid(); }
  /// Begins a comparison by its left side.
  void compare(TokenKind kind, Expr left);
  /// Completes the comparison by its right side.
  void complete(Expr right);
  /// Reads a `not` in front of the next part.
  void negate() { open_.back().negated = !open_.back().negated, open_.back().begun = true; }
  /// Reads an `and` or an `or` after a part.
  void join(bool conjunction);
  /// Ends a part in parentheses, which becomes a part of the condition around it.
  void close_part();
  /// Ends a part in parentheses that is a number and no condition.
  void discard() { open_.pop_back(); }
  /// Ends the condition of an `if`, whose branches are still to be read.
  void close();
  /// Returns x where the condition that was closed last holds, else y, and forgets the condition.
  Expr choose(Expr x, Expr y);

 private:
  /// One choice: if a > b, it goes on at next[0], else at next[1].
  struct Choice {
    Expr a;
    Expr b;
    std::size_t next[2];
  };
  /// Choices from `first` on, and the places of their exits that are not determined yet: 2 k for the first
  /// exit of choice k, and 2 k + 1 for the second one.
  struct Part {
    std::size_t first = 0;
    std::vector<std::size_t> holds;
    std::vector<std::size_t> fails;
  };
  struct Open {
    TokenKind kind = TokenKind::end;
    Expr left{};  // of the comparison that is being read; else not valid
    bool negated = false;
    bool begun = false;  // something was read since the last complete condition
    bool has_all = false;
    bool has_any = false;
    Part all;  // the parts joined by `and`
    Part any;  // the parts in front of the last `or`
  };

  void add(Part part);
  void lead(const std::vector<std::size_t>& exits, std::size_t to);
  Part both(Part a, Part b);
  Part either(Part a, Part b);
  Part finish();

  std::vector<Open> open_;
  std::vector<Part> closed_;
  std::vector<Choice> choices_;
};

}  // namespace herglotz::symbolic
