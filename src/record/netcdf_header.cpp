// What a netCDF file holds when it is opened. The trace keeps it beside the call, so that a file like it can
// be made where there is none: as numbers
//
//   format, records, dimensions, the length of each (0: without limit), global attributes, variables,
//   of each attribute: type, length
//   of each variable: type, dimensions, which ones, offset in the file (-1: unknown), attributes, and these
//
// in the order in which they stand in the file, and as names in the same order. The library knows all of it
// without looking at the file.
#include "record/netcdf_call.hpp"

namespace refrain::record {
namespace {

/// A name has at most NC_MAX_NAME characters.
constexpr size_t longest_name = 257;
/// Strings in traces are bounded; see bounded_text().
constexpr size_t longest_piece = 4000;
/// More names than that are not kept.
constexpr size_t most_pieces = 8;
constexpr int most_dimensions = 1024;
constexpr int netcdf4 = 3, netcdf4_classic = 4;

class HeaderReader {
 public:
  HeaderReader(const NetcdfFunctions& ask, int file) : ask_(ask), file_(file) {}

  NetcdfHeader read() {
    int format = 0, dimensions = 0, variables = 0, attributes = 0, unlimited = -1;
    if (ask_.inq_format(file_, &format) != 0 ||
        ask_.inq(file_, &dimensions, &variables, &attributes, &unlimited) != 0)
      return {};
    // Of other formats the library looks at the file only when it is asked, which is not for us to do.
    if (format == netcdf4 || format == netcdf4_classic) return {};
    int64_t records = unlimited < 0 ? 0 : length_of(unlimited);
    add({format, records, dimensions});
    char name[longest_name] = "";
    for (int d = 0; d < dimensions; ++d) {
      add({d == unlimited ? 0 : length_of(d)});
      if (ask_.inq_dimname(file_, d, name) == 0) add(name);
    }
    add({attributes, variables});
    read_attributes(-1, attributes);
    for (int v = 0; v < variables; ++v) read_variable(v);
    return header_.names.size() > most_pieces ? NetcdfHeader{} : std::move(header_);
  }

 private:
  void add(std::initializer_list<int64_t> numbers) { header_.numbers.insert(header_.numbers.end(), numbers); }
  void add(const char* name) {
    size_t length = strnlen(name, longest_name);
    auto& pieces = header_.names;
    if (pieces.empty() || pieces.back().size() + length + 1 > longest_piece) pieces.emplace_back();
    pieces.back().append(name, length);
    pieces.back() += '/';
  }
  int64_t length_of(int dimension) const {
    int64_t length = 0;
    return ask_.inq_dimlen(file_, dimension, &length) == 0 ? length : 0;
  }

  void read_attributes(int variable, int count) {
    for (int a = 0; a < count; ++a) {
      char name[longest_name] = "";
      int type = 0;
      int64_t length = 0;
      ask_.inq_attname(file_, variable, a, name);
      ask_.inq_atttype(file_, variable, name, &type);
      ask_.inq_attlen(file_, variable, name, &length);
      add({type, length});
      add(name);
    }
  }

  void read_variable(int variable) {
    char name[longest_name] = "";
    int type = 0, dimensions = 0, attributes = 0, which[most_dimensions];
    int64_t offset = -1;
    ask_.inq_vartype(file_, variable, &type);
    ask_.inq_varndims(file_, variable, &dimensions);
    if (dimensions > most_dimensions || ask_.inq_vardimid(file_, variable, which) != 0) dimensions = 0;
    if (ask_.inq_varoffset != nullptr && ask_.inq_varoffset(file_, variable, &offset) != 0) offset = -1;
    add({type, dimensions});
    for (int d = 0; d < dimensions; ++d) add({which[d]});
    ask_.inq_varnatts(file_, variable, &attributes);
    add({offset, attributes});
    ask_.inq_varname(file_, variable, name);
    add(name);
    read_attributes(variable, attributes);
  }

  const NetcdfFunctions& ask_;
  int file_;
  NetcdfHeader header_{};
};

}  // namespace

NetcdfHeader header_of(const NetcdfFunctions& ask, int file) { return HeaderReader(ask, file).read(); }

}  // namespace refrain::record
