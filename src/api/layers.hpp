// The layers (layers.def) as data: how they differ, as far as code outside their folders needs to know.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace refrain::api {

/// Every layer has a number within one build. Traces store names, never these numbers.
enum class Layer : uint8_t {
#define LAYER(name, ...) name,
#include "api/layers.def"
  end
};

struct LayerFacts {
  using Names = std::array<const char*, 8>;
  std::string_view name{};
  std::string_view home{};           ///< the layer whose library has its functions; default: itself
  std::string_view check{};          ///< first part of the name of the kernels' macros for its calls
  std::string_view prefix{};         ///< of its functions' names; empty for system calls
  std::string_view stream{};         ///< the layer whose stream holds its inner calls; default: itself
  bool is_system = false;            ///< its functions are those of the C library
  bool has_positions = false;        ///< its handles have a file position that reads and writes advance
  bool has_files = true;             ///< its calls work on files
  bool has_format = false;           ///< its files have a form that its library alone reads and writes
  std::string_view reading_mode{};   ///< begins the argument behind the path of a file opened to be read
  bool has_objects = false;          ///< its files hold objects that depend on each other, not plain bytes
  bool counts_references = false;    ///< a handle opened twice stays valid until it is closed twice
  bool has_typed_buffers = false;    ///< a count and a datatype give the size of a buffer
  bool needs_mpi = false;            ///< its calls are made by ranks of MPI
  const char* header = nullptr;      ///< of its library
  bool numbers_replaced = false;     ///< later versions have 1 behind names of functions that they replaced
  std::string_view version_check{};  ///< what asks the header for version {major}.{minor} or a later one
  std::string_view package{};        ///< pkg-config's name of its library, if kernels need that to find it
  std::string_view parallel_package{};  ///< used instead if the program used MPI
  // Where replays find its library.
  std::string_view product{};       ///< what messages call it
  const char* chosen_by = nullptr;  ///< environment variable by which users choose another library
  Names libraries{};           ///< candidates; the first one found is used; none: see mpi/mpi_library.hpp
  Names parallel_libraries{};  ///< used instead if the program used MPI with it; % is the suffix of that
};

/// Fills in the defaults of `home` and `stream`.
constexpr LayerFacts completed(LayerFacts facts) {
  if (facts.home.empty()) facts.home = facts.name;
  if (facts.stream.empty()) facts.stream = facts.name;
  return facts;
}

/// All layers, in the order of Layer.
inline constexpr LayerFacts layers[] = {
#define LAYER(layer, ...) completed({.name = #layer, __VA_ARGS__}),
#include "api/layers.def"
};

constexpr const LayerFacts& facts_of(Layer layer) { return layers[static_cast<size_t>(layer)]; }
/// The number of the layer of this name; `end` if there is none.
constexpr Layer layer_number(std::string_view name) {
  size_t i = 0;
  while (i < std::size(layers) && layers[i].name != name) ++i;
  return static_cast<Layer>(i);
}
constexpr bool is_layer(std::string_view name) { return layer_number(name) != Layer::end; }
inline constexpr LayerFacts unknown_layer{};
/// The layer of this name, or `unknown_layer`.
constexpr const LayerFacts& layer_named(std::string_view name) {
  return is_layer(name) ? facts_of(layer_number(name)) : unknown_layer;
}
/// The layer of a library's function, found by the prefix of its name; empty if there is none.
std::string_view layer_of_symbol(std::string_view symbol);

}  // namespace refrain::api
