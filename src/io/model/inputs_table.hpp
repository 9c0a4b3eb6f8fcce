#pragma once
/// [inputs] and [files]: functions of time that are given by tables of values.

#include <string>

#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads [inputs] of a document and enters every input as a function of `time`. Files are read from [files], or else
/// from the folder of the model. Returns the text of the [files] table that makes the model independent of the files
/// that were read; it is empty if none was.
std::string read_inputs(Vocabulary& vocabulary, const Value& document, symbolic::Expr time);

/// Checks that f, and its first `rates` derivatives by time, do not jump at knots of inputs. Throws InputError at the
/// place otherwise; `of` is the name of the expression in the message, and `why` says what would jump with it.
void require_no_jump(const Source& source, symbolic::Expr f, int rates, Place place, const std::string& of,
                     const std::string& why);

}  // namespace herglotz::io
