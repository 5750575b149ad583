// Callers of HDF5; see hdf5_callers.hpp. Entries are added and never changed, so they are read without locks.
#include "record/hdf5_callers.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include "part/raw.hpp"

namespace refrain::record::hdf5 {

std::atomic<const Caller*> last_caller{nullptr};

namespace {

constexpr size_t max_callers = 256;
Caller callers[max_callers];
std::atomic<size_t> taken{0};  ///< entries given to a thread to fill in
std::atomic<bool> ready[max_callers];
std::atomic<void*> recorded{nullptr};  ///< where the recorded library lies

/// The object that contains an address, as dl_iterate_phdr tells it.
struct Object {
  uint64_t address;
  uint64_t begin = 0, end = 0;
  const char* name = nullptr;
};

int find_object(dl_phdr_info* info, size_t, void* into) {
  auto& object = *static_cast<Object*>(into);
  uint64_t begin = ~uint64_t{0}, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    uint64_t start = info->dlpi_addr + segment.p_vaddr;
    begin = start < begin ? start : begin;
    end = start + segment.p_memsz > end ? start + segment.p_memsz : end;
  }
  if (object.address < begin || object.address >= end) return 0;
  object.begin = begin, object.end = end, object.name = info->dlpi_name;
  return 1;
}

void* base_of(const void* address) {
  Dl_info info;
  return address == nullptr || dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}
void* base_of(FunctionAddress function) { return base_of(reinterpret_cast<const void*>(function)); }

/// H5open as the object would have found it without us: in what it was linked with, else in the program's
/// scope.
FunctionAddress start_function(const char* object) {
  FunctionAddress found = nullptr;
  if (object != nullptr && object[0] != 0) {
    if (void* handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD)) {
      found = reinterpret_cast<FunctionAddress>(dlsym(handle, "H5open"));
      dlclose(handle);  // it was open before
    }
  }
  bool own = base_of(found) == base_of(reinterpret_cast<FunctionAddress>(&start_function));
  return found == nullptr || own ? find_function("H5open") : found;
}

/// Whether the object defines the functions of netCDF.
bool is_netcdf(const char* object, uint64_t begin, uint64_t end) {
  if (object == nullptr || object[0] == 0) return false;
  void* handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  auto place = reinterpret_cast<uint64_t>(dlsym(handle, "nc_open"));
  dlclose(handle);  // it was open before
  return place >= begin && place < end;
}

/// A handle of the library in which `function` is.
void* library_of(FunctionAddress function) {
  Dl_info info;
  if (function == nullptr || dladdr(reinterpret_cast<const void*>(function), &info) == 0) return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/// What the library that is recorded defines.
void* find_in_recorded(const char* name) {
  size_t count = taken.load(std::memory_order_acquire);
  for (size_t i = 0; i < count && i < max_callers; ++i)
    if (ready[i].load(std::memory_order_acquire) && !callers[i].foreign && callers[i].hdf5 != nullptr)
      if (void* found = dlsym(callers[i].hdf5, name)) return found;
  return nullptr;
}

const Caller* known_caller(uint64_t at) {
  size_t count = taken.load(std::memory_order_acquire);
  for (size_t i = 0; i < count && i < max_callers; ++i)
    if (ready[i].load(std::memory_order_acquire) && at >= callers[i].begin && at < callers[i].end)
      return &callers[i];
  return nullptr;
}

}  // namespace

const Caller* find_caller(const void* site) {
  KeepErrno keep;
  auto at = reinterpret_cast<uint64_t>(site);
  const Caller* known = known_caller(at);
  if (known == nullptr) {
    Object object{.address = at};
    if (linked_in || dl_iterate_phdr(find_object, &object) == 0) return nullptr;
    FunctionAddress function = start_function(object.name);
    void* base = base_of(function);
    void* none = nullptr;
    if (base != nullptr) recorded.compare_exchange_strong(none, base);
    size_t i = taken.fetch_add(1);
    if (i >= max_callers) return nullptr;
    callers[i] = {object.begin, object.end, library_of(function), base != recorded.load(),
                  is_netcdf(object.name, object.begin, object.end)};
    ready[i].store(true, std::memory_order_release);
    known = &callers[i];
  }
  last_caller.store(known, std::memory_order_release);
  return known;
}

FunctionAddress function_for(const Caller& caller, const char* name) {
  return caller.hdf5 == nullptr ? nullptr : reinterpret_cast<FunctionAddress>(dlsym(caller.hdf5, name));
}

FunctionAddress find_recorded_function(const char* name) {
  if (void* found = find_in_recorded(name)) return reinterpret_cast<FunctionAddress>(found);
  return find_function(name);
}

void* find_recorded_variable(const char* name) {
  void* found = find_variable(name);
  void* library = recorded.load();
  void* base = base_of(found);
  auto* program = reinterpret_cast<const void*>(getauxval(AT_PHDR));  // it may hold a copy that all use
  if (found == nullptr || library == nullptr || base == library || base == base_of(program)) return found;
  void* original = find_in_recorded(name);
  return original != nullptr ? original : found;
}

void* find_recorded(std::atomic<void*>& slot, const char* name) {
  KeepErrno keep;
  if (FunctionAddress function = find_recorded_function(name)) {
    auto* found = reinterpret_cast<void*>(function);
    slot.store(found, std::memory_order_relaxed);
    return found;
  }
  return find_real(slot, name);
}

}  // namespace refrain::record::hdf5
