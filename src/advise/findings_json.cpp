// See findings_json.hpp.
#include "advise/findings_json.hpp"

#include <nlohmann/json.hpp>

namespace refrain::advise {
namespace {

nlohmann::json figures_json(const std::vector<Figure>& figures) {
  auto list = nlohmann::json::array();
  for (const Figure& f : figures) list.push_back({{"name", f.name}, {"value", f.value}, {"unit", f.unit}});
  return list;
}

}  // namespace

nlohmann::json findings_json(const Advice& advice) {
  auto findings = nlohmann::json::array();
  for (const Finding& f : advice.findings)
    findings.push_back({{"rule", f.rule},
                        {"title", f.title},
                        {"file", f.file},
                        {"place",
                         {{"process", f.place.process},
                          {"thread", f.place.thread},
                          {"layer", f.place.layer},
                          {"path", f.place.path},
                          {"lines", f.place.lines}}},
                        {"figures", figures_json(f.figures)},
                        {"cost", f.cost},
                        {"change", f.change},
                        {"time_ns", f.time_ns}});
  return {{"io_time_ns", advice.io_time_ns}, {"complete", advice.complete}, {"findings", findings}};
}

}  // namespace refrain::advise
