// Files, ranks and layers with their figures, as JSON.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "measure/layer_calls.hpp"
#include "report/info_json.hpp"

namespace refrain::report {
namespace {

Json figures_json(const measure::FileFigures& f) {
  return {{"calls", f.calls},
          {"failed", f.failed},
          {"opens", f.opens},
          {"closes", f.closes},
          {"reads", f.reads},
          {"writes", f.writes},
          {"bytes_read", f.bytes_read},
          {"bytes_written", f.bytes_written},
          {"placed_accesses", f.placed},
          {"aligned_accesses", f.aligned},
          {"time_ns", static_cast<uint64_t>(std::llround(f.time_ns))},
          {"io_ns", static_cast<uint64_t>(std::llround(f.io_ns))}};
}

Json file_json(const measure::FileUsage& file) {
  Json json = figures_json(file.outer);
  json["path"] = file.path;
  json["inside"] = layer_inside(file);
  json["ranks"] = file.ranks.text();
  json["users"] = file.users;
  json["read_pattern"] = file.read_pattern;
  json["write_pattern"] = file.write_pattern;
  json["pattern_layer"] = file.pattern_layer;
  Json& layers = json["layers"] = Json::object();
  for (const measure::LayerFigures& l : file.layers) layers[l.layer] = figures_json(l.figures);
  Json& objects = json["objects"] = Json::array();
  for (const measure::ObjectUsage& o : file.objects) {
    Json& object = objects.emplace_back(figures_json(o.figures));
    object["kind"] = o.kind;
    object["name"] = o.name;
  }
  return json;
}

Json layer_totals_json(const measure::FunctionTotals& f) {
  return {{"calls", f.calls},
          {"failed", f.failed},
          {"bytes_read", f.bytes_read},
          {"bytes_written", f.bytes_written},
          {"time_ns", f.time_ns}};
}

}  // namespace

Json files_json(const measure::Usage& usage) {
  Json files = Json::array();
  for (const measure::FileUsage& file : usage.files) files.push_back(file_json(file));
  return {{"files", files}, {"without_file", figures_json(usage.without_file)}, {"complete", usage.complete}};
}

Json files_json(const LargestFiles& largest) {
  Json json = files_json(largest.usage);
  for (Json& file : json["files"])
    if (auto found = largest.objects_left_out.find(file["path"].get<std::string>());
        found != largest.objects_left_out.end())
      file["objects_left_out"] = found->second;
  if (largest.files_left_out == 0) return json;
  Json& left_out = json["left_out"] = file_json(largest.left_out);
  left_out["files"] = largest.files_left_out;
  return json;
}

Json ranks_json(const measure::Usage& usage, size_t most) {
  std::vector<const measure::RankUsage*> kept;
  for (const measure::RankUsage& r : usage.ranks) kept.push_back(&r);
  if (kept.size() > most) {
    auto weight = [](const measure::RankUsage* r) {
      return std::tuple(r->each.bytes_read + r->each.bytes_written, r->each.io_ns);
    };
    std::stable_sort(kept.begin(), kept.end(), [&](auto* a, auto* b) { return weight(a) > weight(b); });
    std::sort(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(most));  // as they stood
  }
  Json groups = Json::array();
  uint64_t ranks_left_out = 0;
  measure::FileFigures left_out;
  for (size_t i = 0; i < kept.size(); ++i) {
    const measure::RankUsage& r = *kept[i];
    uint64_t count = std::max<uint64_t>(1, r.ranks.size());
    if (i >= most) {
      ranks_left_out += count;
      left_out.add(r.each, count);
      continue;
    }
    Json& group = groups.emplace_back(figures_json(r.each));
    group["process"] = r.process;
    group["ranks"] = r.ranks.text();
    group["count"] = count;
  }
  Json json{{"groups", groups}, {"complete", usage.complete}};
  if (ranks_left_out == 0) return json;
  Json& rest = json["left_out"] = figures_json(left_out);
  rest["groups"] = kept.size() - most;
  rest["count"] = ranks_left_out;
  return json;
}

Json layers_json(const measure::Summary& summary) {
  Json list = Json::array();
  for (const measure::LayerCalls& l : measure::layer_calls(summary))
    list.push_back({{"layer", l.layer},
                    {"height", l.height},
                    {"program", layer_totals_json(l.program)},
                    {"inside", layer_totals_json(l.inside)}});
  return list;
}

}  // namespace refrain::report
