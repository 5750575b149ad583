// The configuration of h5bench that comes nearest to a trace of HDF5. Its kernels write and read, per time
// step, eight variables of four bytes for each of the DIM_1 particles of a rank; JSON has no comments, so
// what the configuration can't express stands in a field that h5bench doesn't read.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "exchange/access_shape.hpp"
#include "exchange/exporters.hpp"

namespace refrain::exchange {

namespace {

constexpr uint64_t variables = 8, bytes_per_value = 4;

using Json = nlohmann::ordered_json;

Json benchmark(const AccessShape& s, const char* name) {
  uint64_t bytes = s.block * s.segments * s.files;
  uint64_t transfers = bytes / std::max<uint64_t>(1, s.transfer);  // of the size given
  uint64_t steps = std::max<uint64_t>(1, transfers / variables);
  uint64_t particles = std::max<uint64_t>(1, bytes / (variables * bytes_per_value * steps));
  auto pause_ms = static_cast<uint64_t>(std::llround(1e3 * s.pause_s / static_cast<double>(steps)));
  Json configuration{{"MEM_PATTERN", "CONTIG"},
                     {"FILE_PATTERN", "CONTIG"},
                     {"TIMESTEPS", std::to_string(steps)},
                     {"DELAYED_CLOSE_TIMESTEPS", "0"},
                     {"COLLECTIVE_DATA", s.is_collective ? "YES" : "NO"},
                     {"COLLECTIVE_METADATA", "NO"},
                     {"EMULATED_COMPUTE_TIME_PER_TIMESTEP", fmt::format("{} ms", pause_ms)},
                     {"NUM_DIMS", "1"},
                     {"DIM_1", std::to_string(particles)},
                     {"DIM_2", "1"},
                     {"DIM_3", "1"},
                     {"MODE", "SYNC"},
                     {"CSV_FILE", "output.csv"}};
  if (std::string_view(name) == "read") configuration["READ_OPTION"] = "FULL";
  return {{"benchmark", name}, {"file", s.path}, {"configuration", std::move(configuration)}};
}

}  // namespace

Result<Exported> export_h5bench(const trace::Trace& trace, const ExportOptions& options,
                                const std::filesystem::path& to) {
  Result<AccessShape> shape = access_shape(trace, options.layer);
  if (!shape) return tl::unexpected(shape.error());
  if (shape->layer != "hdf5")
    return fail(ErrorKind::bad_input,
                "most data is moved by " + shape->layer + ", not by HDF5: 'ior' is nearer");
  std::vector<std::string> notes = std::move(shape->differences);
  notes.push_back("datasets, groups and selections are those of h5bench's particles");
  if (!shape->is_shared && shape->ranks > 1)
    notes.push_back("each rank has its own file; here they share one");
  Json benchmarks = Json::array();
  if (shape->writes) benchmarks.push_back(benchmark(*shape, "write"));
  if (shape->reads) benchmarks.push_back(benchmark(*shape, "read"));
  Json whole{{"mpi", {{"command", "mpirun"}, {"ranks", std::to_string(shape->ranks)}, {"configuration", ""}}},
             {"vol", Json::object()},
             {"file-system", Json::object()},
             {"directory", "h5bench"},
             {"benchmarks", std::move(benchmarks)},
             {"refrain", {{"nearest-to", trace.command}, {"not-expressed", notes}}}};
  OutputFile file;
  if (Result<void> opened = file.open_or_stdout(to); !opened) return tl::unexpected(opened.error());
  file.write(whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  if (Result<void> done = file.close(); !done) return tl::unexpected(done.error());
  return Exported{fmt::format("{} for {} ranks",
                              shape->writes && shape->reads ? "2 benchmarks" : "1 benchmark", shape->ranks),
                  notes};
}

}  // namespace refrain::exchange
