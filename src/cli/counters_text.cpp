#include "cli/counters_text.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "cli/readable.hpp"

namespace refrain::cli {

namespace {

using measure::AccessTotals;
using measure::LayerAccesses;

struct Heading {
  std::string title;
  AccessTotals totals;
};

std::vector<Heading> columns(const measure::Accesses& accesses) {
  std::vector<Heading> list;
  auto add = [&](const std::vector<LayerAccesses>& layers, const char* prefix) {
    for (const LayerAccesses& layer : layers) {
      std::string name = prefix + printable(layer.layer);
      if (layer.reads.accesses > 0) list.push_back({name + " reads", layer.reads});
      if (layer.writes.accesses > 0) list.push_back({name + " writes", layer.writes});
    }
  };
  add(accesses.outer, "");
  add(accesses.layers, "inside: ");
  return list;
}

}  // namespace

void print_accesses(const measure::Accesses& accesses, Output& out) {
  std::vector<Heading> headings = columns(accesses);
  Table table;
  auto row = [&](const std::string& name, auto value, bool always) {
    std::vector<std::string> cells{name};
    bool any = always;
    for (const Heading& heading : headings) {
      uint64_t n = value(heading.totals);
      any |= n > 0;
      cells.push_back(n == 0 ? "" : grouped(n));
    }
    if (any) table.row(std::move(cells));
  };
  std::vector<std::string> titles{"accesses"};
  for (const Heading& heading : headings) titles.push_back(heading.title);
  table.row(std::move(titles));
  row(
      "all", [](const AccessTotals& t) { return t.accesses; }, true);
  row(
      "sequential", [](const AccessTotals& t) { return t.sequential; }, true);
  row(
      "consecutive", [](const AccessTotals& t) { return t.consecutive; }, true);
  for (size_t i = 0; i < AccessTotals::size_classes; ++i)
    row(
        measure::size_class_names()[i] + " bytes", [i](const AccessTotals& t) { return t.sizes[i]; }, false);
  out.line("");
  out.write(table.text(""));
  if (!accesses.complete) out.line("! the trace is too long to be counted in full: these are lower bounds");
}

void print_different(const std::vector<compare::CounterPair>& pairs, Output& out) {
  Table table;
  table.row({"counter", "here", "there"});
  for (const compare::CounterPair& pair : pairs) {
    const compare::Counter& c = pair.counter;
    std::string layer = c.inner ? "inside: " + c.layer : c.layer;
    table.row(
        {printable(layer.empty() ? c.name : layer + " " + c.name), grouped(c.value), grouped(pair.there)});
  }
  out.write(table.text("  "));
}

nlohmann::json different_json(const std::vector<compare::CounterPair>& pairs) {
  auto json = nlohmann::json::array();
  for (const compare::CounterPair& pair : pairs)
    json.push_back({{"layer", pair.counter.layer},
                    {"inner", pair.counter.inner},
                    {"counter", pair.counter.name},
                    {"values", {pair.counter.value, pair.there}}});
  return json;
}

}  // namespace refrain::cli
