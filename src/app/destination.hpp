#pragma once
/// Checks of the files that a command may write.

#include <string>
#include <vector>

namespace herglotz::app {

/// Throws io::InputError if `file`, the value of the option named `option`, has none of the endings or its folder
/// cannot be written, so that a long run is not lost at its end. An empty name is accepted: then no file is written.
void check_destination(const std::string& option, const std::string& file, const std::vector<std::string>& endings);

/// Throws io::InputError if `force` is false and `file` may not be replaced: it is not a result of this program, or a
/// complete sweep.
void check_occupant(const std::string& option, const std::string& file, bool force);

/// Checks the file of a model that a command will write. Throws as the functions above do.
void check_model_destination(const std::string& out, bool force);
/// Writes the text of a model into a file, whose name it prints, or to standard output if `out` is empty.
void write_model(const std::string& text, const std::string& out);

}  // namespace herglotz::app
