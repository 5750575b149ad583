#include "report/largest_files.hpp"

#include <algorithm>
#include <tuple>

namespace refrain::report {
namespace {

using measure::FileFigures;
using measure::FileUsage;
using measure::ObjectUsage;

/// Larger ones have more bytes, or as many in more calls.
std::tuple<uint64_t, uint64_t> weight(const FileFigures& f) {
  return {f.bytes_read + f.bytes_written, f.calls};
}

std::tuple<uint64_t, uint64_t> weight(const FileUsage& file) {
  return weight(layer_inside(file).empty() ? file.outer : file.layers.back().figures);
}

void add(FileUsage& sum, const FileUsage& file) {
  sum.outer.add(file.outer);
  for (const measure::LayerFigures& l : file.layers) {
    auto same = std::find_if(sum.layers.begin(), sum.layers.end(),
                             [&](const measure::LayerFigures& s) { return s.layer == l.layer; });
    if (same == sum.layers.end())
      sum.layers.push_back(l);
    else
      same->figures.add(l.figures);
  }
}

void keep_largest_files(LargestFiles& kept, size_t most) {
  std::vector<FileUsage>& files = kept.usage.files;
  if (files.size() <= most) return;
  std::stable_sort(files.begin(), files.end(),
                   [](const FileUsage& a, const FileUsage& b) { return weight(a) > weight(b); });
  kept.files_left_out = files.size() - most;
  for (size_t i = most; i < files.size(); ++i) add(kept.left_out, files[i]);
  files.resize(most);
  std::sort(files.begin(), files.end(),
            [](const FileUsage& a, const FileUsage& b) { return a.path < b.path; });
}

void keep_largest_objects(LargestFiles& kept, size_t most) {
  std::vector<const ObjectUsage*> all;
  for (const FileUsage& file : kept.usage.files)
    for (const ObjectUsage& object : file.objects) all.push_back(&object);
  if (all.size() <= most) return;
  std::stable_sort(all.begin(), all.end(), [](const ObjectUsage* a, const ObjectUsage* b) {
    return weight(a->figures) > weight(b->figures);
  });
  all.resize(most);
  std::sort(all.begin(), all.end());
  for (FileUsage& file : kept.usage.files) {
    std::vector<ObjectUsage> objects;
    for (const ObjectUsage& object : file.objects)
      if (std::binary_search(all.begin(), all.end(), &object)) objects.push_back(object);
    if (objects.size() < file.objects.size())
      kept.objects_left_out[file.path] = file.objects.size() - objects.size();
    file.objects = std::move(objects);
  }
}

}  // namespace

std::string layer_inside(const FileUsage& file) {
  return file.outer.calls == 0 && !file.layers.empty() ? file.layers.back().layer : "";
}

LargestFiles largest_files(measure::Usage usage, size_t most) {
  LargestFiles kept{.usage = std::move(usage)};
  keep_largest_files(kept, most);
  keep_largest_objects(kept, most);
  return kept;
}

}  // namespace refrain::report
