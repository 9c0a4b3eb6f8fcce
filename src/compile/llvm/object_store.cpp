#include "llvm/object_store.hpp"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace herglotz::compile {

namespace {

/// Objects by their keys, the one taken last in front.
class Objects {
 public:
  std::shared_ptr<const std::string> find(const std::string& key) {
    const std::scoped_lock lock(access_);
    const auto place = places_.find(key);
    if (place == places_.end()) return nullptr;
    order_.splice(order_.begin(), order_, place->second);
    return place->second->second;
  }

  void keep(const std::string& key, std::string object) {
    const std::scoped_lock lock(access_);
    // Another thread may have compiled an equal module meanwhile.
    if (places_.contains(key)) return;
    bytes_ += object.size();
    order_.emplace_front(key, std::make_shared<const std::string>(std::move(object)));
    places_.emplace(key, order_.begin());
    while (bytes_ > most_bytes) {
      bytes_ -= order_.back().second->size();
      places_.erase(order_.back().first);
      order_.pop_back();
    }
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  std::mutex access_;
  std::list<std::pair<std::string, std::shared_ptr<const std::string>>> order_;
  std::unordered_map<std::string, decltype(order_)::iterator> places_;
  std::size_t bytes_ = 0;
};

Objects& objects() {
  static Objects all;
  return all;
}

std::string key_of(const llvm::Module& module, const std::string& target) {
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  llvm::SHA256 hash;
  hash.update(target);
  hash.update(llvm::StringRef(bitcode.data(), bitcode.size()));
  const auto digest = hash.final();
  return {digest.begin(), digest.end()};
}

}  // namespace

ObjectStore::ObjectStore(const llvm::TargetMachine& target)
    : target_(fmt::format("{}\n{}\n{}\n{}\n", target.getTargetTriple().str(), target.getTargetCPU().str(),
                          target.getTargetFeatureString().str(), static_cast<int>(target.getOptLevel()))) {}

std::unique_ptr<llvm::MemoryBuffer> ObjectStore::getObject(const llvm::Module* module) {
  key_ = key_of(*module, target_);
  const auto kept = objects().find(key_);
  return kept ? llvm::MemoryBuffer::getMemBufferCopy(*kept, "herglotz") : nullptr;
}

void ObjectStore::notifyObjectCompiled(const llvm::Module* /*module*/, llvm::MemoryBufferRef object) {
  objects().keep(key_, object.getBuffer().str());
}

}  // namespace herglotz::compile
