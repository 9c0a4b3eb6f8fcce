#pragma once
/// Studio: a web page, served on this machine only, for writing a model, running it and viewing its motion.

#include <filesystem>
#include <functional>
#include <string>

namespace herglotz::studio {

struct ServerOptions {
  std::string text;                                       ///< the model that the page begins with
  std::string file;                                       ///< its name in messages
  std::filesystem::path place;                            ///< the only file that the page may write; empty: none
  unsigned short port = 0;                                ///< 0: a free one
  std::function<void(const std::string& address)> ready;  ///< called once with the address that lets the first page in
};

/// Serves the page on 127.0.0.1 and ::1 until SIGINT or SIGTERM. Throws Failed if the port cannot be used.
void serve(const ServerOptions& options);

}  // namespace herglotz::studio
