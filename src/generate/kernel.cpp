// The files of a kernel; see kernel.hpp. What is known of times stands in a file of its own, so that the
// program depends on nothing but the calls.
#include "generate/kernel.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "api/layers.hpp"
#include "api/table.hpp"
#include "generate/anonymize.hpp"
#include "generate/c_text.hpp"
#include "generate/doubts_text.hpp"
#include "generate/program.hpp"
#include "generate/refusal.hpp"
#include "generate/runtime.hpp"
#include "measure/summary.hpp"
#include "plan/processes.hpp"

namespace refrain::generate {
namespace {

using trace::Process;
using trace::Trace;

constexpr size_t longest_origin = 1000;

std::string program_name(const Process& process) {
  size_t slash = process.program.rfind('/');
  std::string base = slash == std::string::npos ? process.program : process.program.substr(slash + 1);
  std::string name = identifier(base, 40);
  return name.empty() ? "kernel" : name;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The recorded command; if that was a kernel, the command that the kernel was made from.
std::string origin(const Trace& trace) {
  for (const std::string& note : trace.notes)
    if (note.starts_with(Trace::kernel_note)) return note.substr(Trace::kernel_note.size());
  return trace.command.substr(0, longest_origin);
}

/// Which numbers of ranks a kernel for any number was made from.
std::string sizes_text(const Trace& trace) {
  std::vector<std::string> sizes;
  for (uint32_t size : trace.sizes) sizes.push_back(std::to_string(size));
  return joined(sizes);
}

/// A note on how far the computing times can be trusted if they weren't measured.
std::string estimates_comment(const Trace& trace) {
  if (trace::has_time_laws(trace))
    return fmt::format(" * Computing times (--think) are estimates, fitted to these runs.\n");
  for (const std::string& note : trace.notes)
    if (note.starts_with(Trace::estimates_note)) return " * Computing " + comment_text(note) + ".\n";
  return {};
}

/// How many calls the process makes. Bytes and names, which may differ on every rank, are not computed, so
/// the sum follows from the loops alone.
std::map<std::string, uint64_t> calls_by_layer(const Trace& trace, const Process& process) {
  Trace alone;
  alone.templates = trace.templates;
  alone.signatures = trace.signatures;
  for (trace::Signature& s : alone.signatures) {
    s.bracket = trace::Bracket::neither;
    for (trace::Operand& o : s.operands) o.role = trace::Role::plain;
    s.result.role = trace::Role::plain;
  }
  Process& outer = alone.processes.emplace_back();
  outer.ranks = process.ranks;
  for (const trace::Stream& s : process.streams)
    if (s.layer.empty()) outer.streams.push_back(s);
  std::map<std::string, uint64_t> calls;
  for (const auto& f : measure::summarize(alone).outer.functions) calls[f.layer] += f.calls;
  return calls;
}

std::string header_comment(const Trace& trace, const Process& process, const std::string& name) {
  if (trace.scale_free())
    return "/* " + name +
           ": an I/O kernel for any number of ranks, made by refrain from recordings of\n *   " +
           comment_text(origin(trace)) + "\n" +
           fmt::format(" * on {} ranks; layers recorded: {}.\n", sizes_text(trace),
                       comment_text(joined(trace.layers))) +
           estimates_comment(trace) + " * Build it with make, see README.md; --help lists its options. */\n";
  std::vector<std::string> counts;
  for (const auto& [layer, count] : calls_by_layer(trace, process))
    counts.push_back(layer + " " + grouped(count));
  std::string ranks = process.ranks.empty() ? "one process" : fmt::format("{} ranks", trace.nprocs);
  std::string text = "/* " + name + ": an I/O kernel, made by refrain from a recording of\n *   " +
                     comment_text(origin(trace)) + "\n";
  text += fmt::format(" * on {}; layers recorded: {}.\n * Calls that it makes, of all ranks together: {}.\n",
                      ranks, comment_text(joined(trace.layers)), comment_text(joined(counts)));
  return text + estimates_comment(trace) +
         " * Build it with make, see README.md; --help lists its options. */\n";
}

/// Computing times of a kernel for any number of ranks: laws over that number.
std::string think_laws_text(const std::vector<trace::TimeModel>& laws) {
  std::string n = std::to_string(laws.size());
  std::string text =
      "/* Computing time before each call of the program, in the order in which they stand there, on P "
      "ranks:\n"
      " * the estimate a + b/P + c*P + d*P*P in nanoseconds. Used with --think, once MPI has started. */\n"
      "static const float estimates[][4] = {\n";
  for (const trace::TimeModel& law : laws) {
    text += "  {";
    for (float factor : law.factors) text += (text.back() == '{' ? "" : ", ") + fmt::format("{:.9g}", factor);
    text += "},\n";
  }
  text += "};\nstatic long long recorded_ns[" + n + " + 1] = {" + n + "};\n";
  return text + "static inline void estimate_times(void) {\n  for (int i = 0; i < " + n +
         "; ++i) {\n    const float* e = estimates[i];\n    double p = (double)nprocs;\n"
         "    double ns = e[0] + e[1] / p + e[2] * p + e[3] * p * p;\n"
         "    recorded_ns[i + 1] = ns > 0 ? (long long)(ns < 1e18 ? ns : 1e18) : 0;\n  }\n}\n";
}

std::string think_entry(const Thinking& t) {
  std::string ns = std::to_string(std::min<uint64_t>(t.ns, INT64_MAX >> 1));
  if (t.role == Thinking::Role::own) return "OWN(" + ns + ")";
  return t.role == Thinking::Role::up_to ? "UP_TO(" + ns + ")" : ns;
}

std::string think_text(const ProgramText& program) {
  if (!program.think_laws.empty()) return think_laws_text(program.think_laws);
  std::string text =
      "/* Computing time before each call of the program, in the order in which they stand there: mean\n"
      " * nanoseconds, after their number. Used with --think. OWN: only some ranks make the call; UP_TO: "
      "others\n"
      " * make calls of their own before it, and what they computed before those is a part of this time. */\n"
      "#define OWN(ns) (-1 - (ns##LL))\n#define UP_TO(ns) ((ns##LL) | 1LL << 62)\n"
      "static const long long recorded_ns[] = {\n  " +
      std::to_string(program.think_ns.size()) + ",";
  for (size_t i = 0; i < program.think_ns.size(); ++i)
    text += (i % 12 == 0 ? "\n  " : " ") + think_entry(program.think_ns[i]) + ",";
  return text + "\n};\n";
}

/// Flags for the libraries of other layers whose calls are in the program.
std::string library_flags(std::string_view program, bool mpi) {
  std::string text;
  for (const api::LayerFacts& layer : api::layers) {
    std::string_view package =
        mpi && !layer.parallel_package.empty() ? layer.parallel_package : layer.package;
    if (package.empty() || program.find(std::string(layer.check) + "(") == std::string_view::npos) continue;
    text += fmt::format(
        "{0} := $(shell for p in {1}; do pkg-config --exists $$p 2>/dev/null && {{ echo $$p; break; }}; "
        "done)\n"
        "LIBRARY_FLAGS += $(shell pkg-config --cflags $({0})) -I$(shell pkg-config --variable=prefix "
        "$({0}))/include\n"
        "LIBRARY_LIBS += $(shell pkg-config --libs $({0}))\n",
        layer.name, package);
  }
  return text;
}

/// `names`: of the C files; the program is called after the first.
std::string makefile(const std::vector<std::string>& names, std::string_view program, bool mpi) {
  bool hdf5 = program.find("H5(") != std::string::npos;
  std::string text =
      "# Builds the kernel with the compiler wrapper of the libraries it uses; make CC=... to choose "
      "another.\n";
  if (hdf5) {
    std::string package = mpi ? "hdf5-$(MPI) hdf5" : "hdf5-serial hdf5";
    text += "CC = " + std::string(mpi ? "mpicc" : "cc") + "\n";
    if (mpi) text += "MPI := $(if $(findstring mpich,$(shell $(CC) -show 2>/dev/null)),mpich,openmpi)\n";
    text += "HDF5 := $(shell for p in " + package +
            "; do pkg-config --exists $$p 2>/dev/null && { echo $$p; break; }; done)\n";
    text +=
        "ifneq ($(HDF5),)\nHDF5_FLAGS := $(shell pkg-config --cflags $(HDF5))\nHDF5_LIBS := $(shell "
        "pkg-config --libs $(HDF5))\n";
    text += std::string("else\nCC = ") + (mpi ? "h5pcc" : "h5cc") + "\nendif\n";
  } else {
    text += "CC = " + std::string(mpi ? "mpicc" : "cc") + "\n";
  }
  std::string others = library_flags(program, mpi);
  text += others + "CFLAGS = -O2 -Wall -Wextra\n\n";
  std::string sources;
  for (const std::string& name : names) sources += (sources.empty() ? "" : " ") + name + ".c";
  text += fmt::format(
      "{0}: {1} $(wildcard *.h)\n\t$(CC) -std=c11 $(CFLAGS) $(HDF5_FLAGS) $(LIBRARY_FLAGS) -o $@ {1} "
      "$(HDF5_LIBS) $(LIBRARY_LIBS) -lpthread -lrt -ldl\n\nclean:\n\trm -f {0}\n\n.PHONY: clean\n",
      names[0], sources);
  return text;
}

/// Whether a program uses MPI: names in its code count, names in strings don't.
bool mentions_mpi(std::string_view program) {
  bool in_string = false, in_name = false;
  for (size_t i = 0; i < program.size(); ++i) {
    if (in_string && program[i] == '\\') {
      ++i;
    } else if (program[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && !in_name && program.substr(i, 4) == "MPI_") {
      return true;
    }
    in_name = std::isalnum(static_cast<unsigned char>(program[i])) != 0 || program[i] == '_';
  }
  return false;
}

/// What in a program needs a later version of a library than the first one that Refrain knows.
struct LaterVersion {
  const api::LayerFacts* layer = nullptr;
  std::string_view name{}, version{};  ///< "1.14"
};

LaterVersion needed_version(std::string_view program, const api::LayerFacts& layer) {
  constexpr std::pair<std::string_view, std::string_view> later_names[] = {{"H5F_LIBVER_V112", "1.12"},
                                                                           {"H5F_LIBVER_V114", "1.14"}};
  LaterVersion needed{.layer = &layer};
  auto look = [&](std::string_view name, std::string_view version, const char* end) {
    if (version > needed.version && program.find(std::string(name) + end) != std::string_view::npos)
      needed.name = name, needed.version = version;
  };
  for (const api::Row& row : api::rows())
    if (api::layer_named(row.layer).home == layer.name) look(row.name, api::since(row.id), "(");
  for (const auto& [name, version] : later_names)
    if (name.starts_with(layer.prefix)) look(name, version, "");
  return needed;
}

std::vector<LaterVersion> needed_versions(std::string_view program) {
  std::vector<LaterVersion> all;
  for (const api::LayerFacts& layer : api::layers) {
    if (layer.version_check.empty()) continue;
    LaterVersion needed = needed_version(program, layer);
    if (!needed.version.empty()) all.push_back(needed);
  }
  return all;
}

/// Stops a compiler with an earlier one.
std::string compiler_check(const LaterVersion& needed) {
  size_t dot = needed.version.find('.');
  std::string is_later(needed.layer->version_check);
  auto fill_in = [&](std::string_view field, std::string_view number) {
    for (size_t at; (at = is_later.find(field)) != std::string::npos;)
      is_later.replace(at, field.size(), number);
  };
  fill_in("{major}", needed.version.substr(0, dot));
  fill_in("{minor}", needed.version.substr(dot + 1));
  return fmt::format(
      "#if !({})\n#error \"{} came with {} {}: this kernel needs that version or a later one\"\n#endif\n",
      is_later, needed.name, needed.layer->product, needed.version);
}

std::string readme(const Trace& trace, const std::string& name, const ProgramText& program) {
  std::string ranks = trace.scale_free() ? "N" : std::to_string(trace.nprocs);
  std::string run = program.parallel ? fmt::format("mpirun -n {} ./{}", ranks, name) : "./" + name;
  std::string text = fmt::format(
      "# {0}\n\nAn I/O kernel: `{0}.c` makes the I/O calls that were recorded of a program, nothing else. "
      "What all "
      "kernels share is in `refrain_kernel.h`, the recorded computing times are in `{0}_think.h`.\n\n"
      "    make\n    {1} --root run{2}\n\n",
      name, run, program.inputs ? " --prepare" : "");
  text += fmt::format(
      "Files are read and written below `--root`; absolute paths lose their leading slash. `./{} --help` "
      "lists the "
      "other options.\n",
      name);
  if (!program.startup.empty())
    text += fmt::format(
        "\nWhat the program does before it first uses a file of data, of more than {1} bytes, is in "
        "`{0}_startup.h`.\n",
        name, grouped(plan::default_above));
  if (program.tables.checksum != 0)
    text += fmt::format(
        "\nLong tables of numbers, for which no rule was found, are in `{0}.tables`, which belongs beside "
        "the "
        "program: wherever `{0}` goes, it goes. The program maps it and checks it before it does anything.\n",
        name);
  return text;
}

/// What a kernel with only a part of the calls leaves out. File names are listed unless they are anonymized.
std::string left_out_text(const plan::LeftOut& left_out, bool with_names) {
  const plan::LeftOut::Part &kept = left_out.kept, &left = left_out.left;
  std::string text = fmt::format(
      "\nIt makes only the calls on files that moved more than {} bytes, and what these need: {} calls, {} "
      "bytes. "
      "Left out are {} calls on {} other files, {} bytes{}\n",
      grouped(left_out.above), grouped(kept.calls), grouped(kept.bytes), grouped(left.calls),
      grouped(left.files.size()), grouped(left.bytes), with_names && !left.files.empty() ? ":\n" : ".");
  constexpr size_t most_named = 40;
  for (size_t i = 0; with_names && i < left.files.size() && i < most_named; ++i)
    text += fmt::format("- `{}`, {} bytes\n", comment_text(left.files[i].name), grouped(left.files[i].bytes));
  if (with_names && left.files.size() > most_named)
    text += fmt::format("- and {} others\n", grouped(left.files.size() - most_named));
  return text;
}

/// A program of a kernel, as files: the text, what is fixed in it, its computing times, start-up and tables.
class Unit {
 public:
  Unit(const Trace& trace, const Process& process, std::string kernel, std::string name, ProgramText program)
      : trace_(trace),
        process_(process),
        kernel_(std::move(kernel)),
        name_(std::move(name)),
        program_(std::move(program)),
        whole_(program_.text()) {}

  const ProgramText& program() const { return program_; }
  const std::string& name() const { return name_; }
  /// The C text without what is fixed.
  const std::string& whole() const { return whole_; }
  bool uses_mpi() const { return program_.parallel || mentions_mpi(whole_); }

  /// `doubts`: the text of a file of its own; `ends`: behind all functions.
  void add_files(const std::string& header, const std::string& doubts, const std::string& ends,
                 std::vector<File>& files) {
    std::string text = header_comment(trace_, process_, name_);
    text += fmt::format("#define KERNEL \"{}\"\n#define RANKS {}\n#define USES_MPI {}\n", kernel_,
                        process_.ranks.empty() ? 0 : trace_.nprocs, uses_mpi() ? 1 : 0);
    text += "#define ORIGIN " + c_string(origin(trace_)) + "\n#define LAYERS(X)";
    for (const api::LayerFacts& layer : api::layers) text += fmt::format(" X({})", layer.name);
    text += "\n";
    if (program_.threads > 0) text += fmt::format("#define THREADS {}\n", program_.threads);
    std::string tables = name_ + ".tables";
    if (!program_.tables.bytes.empty())
      text +=
          fmt::format("#define TABLES \"{}\"\n#define TABLES_LENGTH {}\n#define TABLES_CHECKSUM {:#018x}\n",
                      tables, program_.tables.bytes.size(), program_.tables.checksum);
    text += "#include \"" + header + "\"\n#include \"" + name_ + "_think.h\"\n";
    if (!doubts.empty()) text += "#include \"" + name_ + "_doubts.h\"\n";
    for (const LaterVersion& needed : needed_versions(whole_)) text += compiler_check(needed);
    text += program_.definitions;
    if (!program_.startup.empty()) text += "\n#include \"" + name_ + "_startup.h\"\n";
    text += program_.functions + ends;
    files.push_back({name_ + ".c", text});
    if (!doubts.empty()) files.push_back({name_ + "_doubts.h", doubts});
    files.push_back({header, runtime_header(whole_ + doubts, program_.parallel)});
    files.push_back({name_ + "_think.h", think_text(program_)});
    if (!program_.startup.empty())
      files.push_back(
          {name_ + "_startup.h",
           "/* What " + name_ + " does before it first uses a file of data. */\n" + program_.startup});
    if (!program_.tables.bytes.empty()) files.push_back({tables, std::move(program_.tables.bytes)});
  }

 private:
  const Trace& trace_;
  const Process& process_;
  std::string kernel_, name_;
  ProgramText program_;
  std::string whole_;
};

std::string version_notes(std::string_view whole) {
  std::string text;
  for (const LaterVersion& needed : needed_versions(whole))
    text +=
        fmt::format("\nIt needs {} {} or later ({}).\n", needed.layer->product, needed.version, needed.name);
  return text;
}

/// Runs what this process of the tree is to be: the first, or what the environment says.
std::string tree_main(size_t processes) {
  std::string text = "\n/* Which process this is, REFRAIN_TREE says. */\n";
  for (size_t n = 1; n < processes; ++n) text += "int " + process_function(n) + "(int argc, char **argv);\n";
  text +=
      "int main(int argc, char **argv) {\n  const char *number = getenv(\"REFRAIN_TREE\");\n"
      "  switch (number ? atoi(number) : 0) {\n";
  for (size_t n = 0; n < processes; ++n)
    text += "    case " + std::to_string(n) + ": return " + process_function(n) + "(argc, argv);\n";
  return text + "    default: return 2;\n  }\n}\n";
}

Kernel single(const Trace& trace, size_t chosen, const Options& options) {
  const Process& process = trace.processes[chosen];
  Kernel kernel{.name = program_name(process), .process = chosen};
  Unit unit(trace, process, kernel.name, kernel.name, print_program(trace, process, nullptr));
  kernel.doubt = unit.program().doubt;
  std::string about = readme(trace, kernel.name, unit.program()) + version_notes(unit.whole());
  if (options.left_out) about += left_out_text(*options.left_out, !options.anonymize);
  std::string make = makefile({kernel.name}, unit.whole(), unit.uses_mpi());
  unit.add_files("refrain_kernel.h", has_doubts(trace) ? doubts_text(trace) : "", "", kernel.files);
  kernel.files.push_back({"Makefile", make});
  kernel.files.push_back({"README.md", about});
  return kernel;
}

/// Each process of the tree is a file of its own, with a main function under another name.
Kernel of_tree(const Trace& trace, const trace::ProcessTree& tree) {
  const Process& root = trace.processes[tree.members[0].process];
  Kernel kernel{
      .name = program_name(root), .process = tree.members[0].process, .processes = tree.members.size()};
  std::vector<const Process*> processes;
  for (const trace::ProcessTree::Member& member : tree.members)
    processes.push_back(&trace.processes[member.process]);
  plan::Inputs inputs = plan::find_inputs(trace, processes);
  std::vector<Unit> units;
  std::vector<std::string> names;
  std::string whole;
  bool mpi = false;
  for (size_t n = 0; n < processes.size(); ++n) {
    TreePlace place{tree, n, inputs};
    names.push_back(n == 0 ? kernel.name
                           : fmt::format("{}_{}_{}", kernel.name, n, program_name(*processes[n])));
    units.emplace_back(trace, *processes[n], kernel.name, names[n],
                       print_program(trace, *processes[n], &place));
    whole += units[n].whole();
    mpi |= units[n].uses_mpi();
    if (kernel.doubt.empty()) kernel.doubt = units[n].program().doubt;
  }
  std::string about = readme(trace, kernel.name, units[0].program());
  about += fmt::format(
      "\nThe recorded program was a tree of {} processes. Each is a file of its own, which says what it does "
      "with "
      "the others, and a process of the kernel: started, waited for and kept in order by pipes as it was.\n",
      tree.members.size());
  kernel.files.reserve(units.size() * 3 + 2);
  for (size_t n = 0; n < units.size(); ++n)
    units[n].add_files(n == 0 ? "refrain_kernel.h" : fmt::format("refrain_kernel_{}.h", n), "",
                       n == 0 ? tree_main(units.size()) : "", kernel.files);
  kernel.files.push_back({"Makefile", makefile(names, whole, mpi)});
  kernel.files.push_back({"README.md", about + version_notes(whole)});
  return kernel;
}

}  // namespace

Result<Kernel> generate(const Trace& named, const Options& options) {
  Trace renamed;
  if (options.anonymize) renamed = anonymized(named);
  const Trace& trace = options.anonymize ? renamed : named;
  if (auto possible = plan::check_repeatable(trace); !possible) return tl::unexpected(possible.error());
  auto chosen = plan::choose_processes(trace, options.process, std::nullopt);
  if (!chosen) return tl::unexpected(chosen.error());
  try {
    return chosen->tree ? of_tree(trace, *chosen->tree) : single(trace, chosen->process, options);
  } catch (const Refusal& refusal) {
    return fail(ErrorKind::limit, refusal.reason);
  }
}

}  // namespace refrain::generate
