#pragma once
/// Computations of the studio for one page: from the text of a model and changed values to a verified run as a message.

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "message.hpp"
#include "models/studied.hpp"

namespace herglotz::studio {

/// Limits of one run, since anything may be typed.
struct Limits {
  double seconds = 20;
  std::size_t bytes = std::size_t{2} << 30U;  ///< by which the process may grow
  std::size_t rows = 2000;                    ///< that the page draws
  /// Of a run that takes longer, a beginning that takes about as many seconds is sent first; 0: of no run.
  double first = 0.006;
};

class Typesetter;

class Workshop {
 public:
  using Send = std::function<void(Message)>;
  /// Returns false if the result is no longer wanted.
  using Wanted = std::function<bool()>;

  /// Equations are typeset by `typesetter`; without one, behind the first run of a text.
  Workshop(std::string file, Send send, const Limits& limits = {}, Typesetter* typesetter = nullptr);
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  /// Compiles `text`, with what a run of it needs, so that the first run that a page asks for need not. What is wrong
  /// with the text is said then.
  void begin(const std::string& text, const Wanted& wanted);
  /// Runs `text` with the values in `changes` and the method of a request, and sends the run (binary: length of the
  /// head in 4 bytes, head, zeros up to a multiple of 8, columns as doubles), or an error with its place. Equations
  /// follow when the text is new. The pictures of the families of a model with an index stand behind the columns as
  /// floats, and behind these the components of its motion in two bytes each. Where earlier runs of the text took long,
  /// the beginning of the run is sent first; its head has `part`, the share of the duration that it covers. The head
  /// names as `unknown` the changes that the text has no names for, and says by `typesetting` whether the equations of
  /// the text are still to come. Of a problem of control, which has no motion before it is solved, its name and title
  /// are sent, and its equations follow.
  void run(const nlohmann::json& request, const Wanted& wanted);
  /// Sends the report of the latest run.
  void report();
  /// Gives back to the system what deriving and compiling left free in the heap, if they were done since it did last.
  /// Later runs with other values use the memory of those before.
  void give_back_memory();

 private:
  class Watch;
  /// Returns whether a text states a problem of control. Throws Refused for files that are not its own.
  [[nodiscard]] bool states_problem(const std::string& text) const;
  void prepare(const std::string& text);
  void send_problem(std::size_t id, const std::string& text);
  Studied run_whole(Watch& watch);
  [[nodiscard]] std::optional<Studied> beginning(double share, Watch& watch) const;
  std::string equations();
  void send_error(std::size_t id, const std::string& what, const std::string& remedy, std::size_t line,
                  std::size_t column) const;

  std::string file_;
  Send send_;
  Limits limits_;
  std::string text_;
  std::unique_ptr<Model> model_;
  Typesetter* typesetter_;
  std::string latex_;        ///< the equations of the text, once they were sent without a typesetter
  std::size_t typeset_ = 0;  ///< the reading of the text whose equations were asked for
  double whole_ = 0;         ///< seconds that a run of the text takes as a whole, as far as that is known
  double ended_ = 1;         ///< share of the duration at which it ended, by an event or otherwise
  std::optional<Studied> latest_;
  std::string method_;              ///< of the latest request
  bool holds_free_memory_ = false;  ///< whether a text or a method came after memory was given back
};

/// Returns the equations as a message, or why there are none.
Message equations_message(const std::string& latex, const std::string& why = {});
/// Returns the first message to a page: version, gallery, methods, and the model that it begins with.
Message greeting(const std::string& text, const std::string& file, bool saves);
/// Returns the text of a gallery model as a message, or an error.
Message gallery_model(const std::string& name);

}  // namespace herglotz::studio
