#include "api/layers.hpp"

namespace refrain::api {

std::string_view layer_of_symbol(std::string_view symbol) {
  const LayerFacts* found = &unknown_layer;
  for (const LayerFacts& layer : layers)
    if (symbol.starts_with(layer.prefix) && layer.prefix.size() > found->prefix.size()) found = &layer;
  return found->name;
}

}  // namespace refrain::api
