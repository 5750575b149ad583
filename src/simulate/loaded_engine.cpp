// The engine on SimGrid is a library of its own, lib/librefrain_simgrid.so beside our bin/, which is loaded
// when something is simulated: libsimgrid defines MPI_Init and all other functions of MPI, and a program that
// is linked with it would replay there.
#include <dlfcn.h>

#include <filesystem>

#include "simulate/engine.hpp"
#include "simulate/simgrid_engine.hpp"

namespace refrain::simulate {
namespace {

namespace fs = std::filesystem;

using RunEngine = decltype(&refrain_run_simgrid);

struct LoadedEngine {
  RunEngine run = nullptr;
  std::string error{};
};

LoadedEngine load() {
  std::error_code error;
  fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  fs::path library = here.parent_path() / "lib" / "librefrain_simgrid.so";
  if (!fs::exists(library, error))
    return {nullptr,
            "this build can't simulate: it was made without SimGrid (libsimgrid-dev); install it and build "
            "again"};
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto run = loaded ? reinterpret_cast<RunEngine>(dlsym(loaded, "refrain_run_simgrid")) : nullptr;
  if (run) return {run, ""};
  const char* why = dlerror();
  return {nullptr,
          std::string("SimGrid can't be loaded: ") + (why ? why : "no engine in " + library.string())};
}

const LoadedEngine& loaded_engine() {
  static const LoadedEngine engine = load();
  return engine;
}

}  // namespace

Result<void> check_engine() {
  if (loaded_engine().run) return {};
  return fail(ErrorKind::usage, loaded_engine().error);
}

void run_engine(uint32_t stages, const FlowHandler& handler) {
  if (RunEngine run = loaded_engine().run) run(stages, handler);
}

}  // namespace refrain::simulate
