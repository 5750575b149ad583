// Runs while Refrain is built: prints the rows of the functions that the gate hooks, and other symbols that
// lead to them, as src/gate/*_entries.cpp expand them:
//
//   GATE_LAYER(function, role, (result type, kind), (argument type, name, kind)...)
//   GATE_LAYER_PLACED(...)   the same for a row of form API_PLACED
//   GATE_LAYER_ALIAS(symbol, function)
#include <cstdio>
#include <string>

#include "gate/roles.hpp"

namespace {

using refrain::api::Row;

std::string role_name(refrain::gate::Role role) {
  using refrain::gate::Role;
  return role == Role::transfer ? "transfer" : role == Role::sync ? "sync" : "release";
}

void print_row(const Row& row, refrain::gate::Role role) {
  std::string line = "GATE_" + std::string(row.layer) + (row.placed ? "_PLACED(" : "(") +
                     std::string(row.name) + ", " + role_name(role);
  line += ", (" + std::string(row.result_type) + ", " + std::string(facts_of(row.result).name) + ")";
  for (const auto& argument : row.arguments)
    line += ", (" + std::string(argument.type) + ", " + std::string(argument.name) + ", " +
            std::string(facts_of(argument.kind).name) + ")";
  std::puts((line + ")").c_str());
}

// Symbols with another prototype than their function's have entries written by hand.
using refrain::api::Alias;
#define API(...)
#define API_ALIAS(layer, symbol, function) {#layer, #symbol, #function},
constexpr Alias regular_aliases[] = {
#include "api/layers.def"
};

const Row* find_row(std::string_view layer, std::string_view name) {
  for (const Row& row : refrain::api::rows())
    if (row.layer == layer && row.name == name) return &row;
  return nullptr;
}

}  // namespace

int main() {
  using refrain::gate::Role;
  using refrain::gate::role_of;
  for (const Row& row : refrain::api::rows())
    if (Role role = role_of(row); role != Role::none && !row.by_hand) print_row(row, role);
  for (const Alias& alias : regular_aliases) {
    const Row* row = find_row(alias.layer, alias.function);
    if (row == nullptr || role_of(*row) == Role::none) continue;
    std::string layer(alias.layer);
    std::puts(
        ("GATE_" + layer + "_ALIAS(" + std::string(alias.symbol) + ", " + std::string(alias.function) + ")")
            .c_str());
  }
  return 0;
}
