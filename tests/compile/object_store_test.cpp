#include "llvm/object_store.hpp"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>
#include <memory>
#include <string>

namespace herglotz::compile {
namespace {

std::unique_ptr<llvm::TargetMachine> target(llvm::CodeGenOptLevel level) {
  llvm::InitializeNativeTarget();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  EXPECT_TRUE(bool(builder));
  builder->setCodeGenOptLevel(level);
  auto made = builder->createTargetMachine();
  EXPECT_TRUE(bool(made));
  return std::move(*made);
}

class ObjectStoreTest : public testing::Test {
 protected:
  /// Returns a module whose function returns `number`.
  std::unique_ptr<llvm::Module> returns(int number) {
    llvm::SMDiagnostic fault;
    const std::string text = "define i64 @number() {\n  ret i64 " + std::to_string(number) + "\n}\n";
    auto module = llvm::parseAssemblyString(text, fault, context_);
    EXPECT_TRUE(module) << fault.getMessage().str();
    return module;
  }

  /// Returns the object that a store has for the module; empty if it has none.
  std::string object(const llvm::Module& module, const llvm::TargetMachine& machine) {
    const auto found = ObjectStore(machine).getObject(&module);
    return found ? found->getBuffer().str() : std::string();
  }

  void keep(llvm::Module& module, const std::string& object, const llvm::TargetMachine& machine) {
    ObjectStore store(machine);
    EXPECT_FALSE(store.getObject(&module));
    module.getFunction("number")->setName("as_the_code_generator_left_it");
    store.notifyObjectCompiled(&module, llvm::MemoryBufferRef(object, "object"));
  }

  llvm::LLVMContext context_;
};

TEST_F(ObjectStoreTest, GivesTheObjectOfAnEqualModuleForTheSameTarget) {
  const auto machine = target(llvm::CodeGenOptLevel::Less);
  keep(*returns(1), "code of 1", *machine);
  EXPECT_EQ(object(*returns(1), *machine), "code of 1");
  EXPECT_EQ(object(*returns(2), *machine), "");
  EXPECT_EQ(object(*returns(1), *target(llvm::CodeGenOptLevel::None)), "") << "another level gives other code";
}

TEST_F(ObjectStoreTest, GivesWayToNewObjectsFromTheOneAskedForLongestAgo) {
  const auto machine = target(llvm::CodeGenOptLevel::Less);
  const std::string large(std::size_t{30} << 20, 'x');
  keep(*returns(11), large, *machine);
  keep(*returns(12), large, *machine);
  EXPECT_EQ(object(*returns(11), *machine).size(), large.size());
  keep(*returns(13), large, *machine);
  EXPECT_EQ(object(*returns(11), *machine).size(), large.size());
  EXPECT_EQ(object(*returns(12), *machine), "");
  EXPECT_EQ(object(*returns(13), *machine).size(), large.size());
}

}  // namespace
}  // namespace herglotz::compile
