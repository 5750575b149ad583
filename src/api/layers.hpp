// The layers (layers.def) as data: what tells them apart outside their own folders.
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
  using Names = std::array<const char*, 4>;
  std::string_view name{};
  std::string_view library{};  ///< the layer whose library this one's functions are in; itself unless said
  std::string_view check{};    ///< what the kernels' macros for its calls begin with
  std::string_view prefix{};   ///< of its functions, unless it is the system's
  std::string_view stream{};   ///< the layer in whose stream inner calls stand; itself unless said
  bool is_system = false;      ///< its functions are calls of the system
  bool has_positions = false;  ///< its handles have a position in the file that reads and writes move
  bool has_files = true;       ///< its calls are about files
  bool has_objects = false;    ///< its files hold objects that depend on each other, not plain bytes
  bool counts_references = false;  ///< a handle may be used when it was closed, if it was made twice
  bool has_typed_buffers = false;  ///< how large a buffer is, its number of elements and their datatype say
  bool needs_mpi = false;          ///< its calls are made by ranks of MPI
  const char* header = nullptr;    ///< of its library
  std::string_view package{};  ///< by which pkg-config knows its library, if kernels can't find it otherwise
  std::string_view parallel_package{};  ///< instead, if the program used MPI
  // Where replays find its library.
  std::string_view library_name{};
  const char* library_setting = nullptr;  ///< the environment variable that names another
  Names libraries{};                      ///< the first that is there is taken; none: see mpi/mpi_library.hpp
  Names parallel_libraries{};  ///< instead, if the program used MPI with it; % is the suffix of that
};

/// A layer of its own library and stream unless it says otherwise.
constexpr LayerFacts completed(LayerFacts facts) {
  if (facts.library.empty()) facts.library = facts.name;
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
/// The layer of this name; where there is none, one about which nothing is known.
constexpr const LayerFacts& layer_named(std::string_view name) {
  return is_layer(name) ? facts_of(layer_number(name)) : unknown_layer;
}
/// The layer that a function of a library belongs to, by how its name begins; empty if to none.
std::string_view layer_of_symbol(std::string_view symbol);

}  // namespace refrain::api
