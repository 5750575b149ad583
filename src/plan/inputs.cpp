#include "plan/inputs.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "plan/arguments.hpp"
#include "plan/hdf5_inputs.hpp"
#include "plan/rank_classes.hpp"
#include "plan/slice.hpp"
#include "trace/access_rule.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/made_names.hpp"
#include "trace/path_image.hpp"

namespace refrain::plan {
namespace {

using api::Kind;
using trace::AccessRule;
using trace::OperandKind;
using trace::Signature;
using Parameters = std::span<const int64_t>;

/// What is known of a path, from all ranks.
struct Known {
  bool used = false;    ///< by a rank that had not made it
  bool made = false;    ///< by anyone
  bool needed = false;  ///< by a rank that made it afterwards
  bool folder = false;
  bool hdf5 = false;
  bool opened = false;  ///< as opposed to only asked about
  uint64_t size = 0;
  uint64_t entries = 0;
  uint64_t link = 0;
  std::vector<int64_t> lines{};
  uint32_t used_by = ~0u;  ///< last rank that used it without having made it
  uint32_t made_by = ~0u;
  uint32_t first_maker = ~0u, other_maker = ~0u;
  /// Who needs it without having made it: the argument, and the rank.
  std::set<std::tuple<uint32_t, size_t, Awaited, uint32_t>> users{};
  std::set<std::pair<uint32_t, size_t>> hdf5_opens{};  ///< arguments

  bool made_by_other_than(uint32_t rank) const { return made && (first_maker != rank || other_maker != ~0u); }
};

struct OpenFile {
  std::string path{};
  int64_t position = 0;
  uint64_t entries = 0;
  bool by_lines = true;  ///< nothing but whole lines was read so far,
  size_t lines = 0;      ///< so many
};

std::string parent_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool makes(const Signature& s, size_t path_number) {
  static const std::set<std::string_view> always{"mkdir", "mkdirat", "symlink", "symlinkat",
                                                 "mknod", "mkfifo",  "creat",   "H5Fcreate"};
  if (always.count(s.function) > 0) return true;
  bool two = s.function.starts_with("rename") || s.function == "link" || s.function == "linkat";
  if (two) return path_number == 1;
  for (const auto& o : s.operands)
    if (o.kind == OperandKind::name &&
        (o.text.find("O_CREAT") != std::string::npos || o.text.find("MODE_CREATE") != std::string::npos ||
         (s.layer == "stdio" && (o.text.starts_with('w') || o.text.starts_with('a')))))
      return true;
  return false;
}

bool is_folder_call(const Signature& s) {
  if (s.function == "opendir" || s.function == "chdir" || s.function.starts_with("mkdir")) return true;
  return std::any_of(s.operands.begin(), s.operands.end(), [](const auto& o) {
    return o.kind == OperandKind::name && o.text.find("O_DIRECTORY") != std::string::npos;
  });
}

/// Whether a call could only fail so because the file was there.
bool shows_existence(const std::string& error) {
  return error == "EEXIST" || error == "EINVAL" || error == "ENOTEMPTY" || error == "EISDIR";
}

/// Whether a path is looked up below a folder that is given by its descriptor.
bool is_relative(const CallPlan& plan, const Signature& s) {
  for (const Given& g : plan.arguments)
    if (g.argument->kind == Kind::dirfd && s.operands[g.first].kind == OperandKind::slot) return true;
  return false;
}

bool names_file(const CallPlan& plan, const Signature& s) {
  for (const Given& g : plan.arguments)
    if ((g.argument->kind == Kind::path || g.argument->kind == Kind::made_path) && g.count > 0 &&
        s.operands[g.first].kind == OperandKind::text)
      return true;
  return false;
}

bool copies_file(const CallPlan& plan) {
  for (const Given& g : plan.arguments)
    if (g.argument->name == "in_fd") return true;
  return false;
}

bool concerns_folder(const Signature& s) {
  return s.function == "readdir" || s.function == "rewinddir" || s.function == "fchdir";
}

/// One signature's rules, found once.
struct Rules {
  AccessRule access;
  std::optional<CallPlan> plan;
};

class Finder {
 public:
  explicit Finder(const trace::Trace& trace) : trace_(trace), objects_(trace) {
    auto access = trace::access_rules(trace.signatures);
    for (size_t i = 0; i < trace.signatures.size(); ++i) {
      auto plan = plan_call(trace.signatures[i]);
      rules_.push_back({access[i], plan ? std::optional(*plan) : std::nullopt});
      shared_files_ |= trace.signatures[i].function.starts_with("H5Pset_fapl_mpi");
    }
  }

  /// Which calls can change what is found, by signature.
  std::vector<bool> matters() const {
    bool reads = false, opens_below = false, opens_objects = false;
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (!counts(i)) continue;
      const Signature& s = trace_.signatures[i];
      reads |= tells_size(i);
      opens_below |= is_relative(*rules_[i].plan, s);
      opens_objects |= Hdf5Inputs::opens_object(s);
    }
    std::vector<bool> out(rules_.size());
    for (size_t i = 0; i < out.size(); ++i) {
      if (!counts(i)) continue;
      const Signature& s = trace_.signatures[i];
      if (names_file(*rules_[i].plan, s))
        out[i] = true;
      else if (s.layer == "hdf5")
        out[i] = opens_objects && Hdf5Inputs::concerns(s);
      else
        out[i] = (reads && (tells_size(i) || moves(rules_[i].access))) ||
                 ((reads || opens_below) && hands_on(rules_[i].access));
    }
    return out;
  }

  /// False when there are more than `left` events.
  bool run(const std::vector<trace::Node>& nodes, uint32_t rank, uint64_t& left) {
    rank_ = rank;
    handles_.clear();
    current_.clear();
    objects_.begin_stream();
    trace::Expander expander(nodes);
    for (auto event = expander.next(); event.node != nullptr; event = expander.next()) {
      if (left-- == 0) return false;
      take(*event.node, event.parameters);
    }
    return true;
  }

  Inputs finish() {
    Inputs inputs;
    for (auto& [path, k] : files_) {
      bool input = k.used && (!k.made || k.needed);
      if (!input) await(k, inputs.awaited);
      if (k.made || k.used) need_folder(inputs, parent_of(path));
      if (!input || path == ".") continue;
      if (k.folder)
        inputs.folders[path] = std::max(inputs.folders[path], k.entries);
      else
        inputs.files.push_back({path, k.size, std::move(k.lines), k.hdf5, k.link});
    }
    std::erase_if(inputs.files, [&](const InputFile& f) { return inputs.folders.count(f.path) > 0; });
    for (const auto& [path, entries] : std::map(inputs.folders))
      if (auto k = files_.find(path); k != files_.end() && k->second.made && !k->second.needed)
        inputs.folders.erase(path);
    inputs.objects = objects_.finish([&](const std::string& path) {
      const Known& k = files_[path];
      return k.used && (!k.made || k.needed);
    });
    return inputs;
  }

 private:
  using Key = std::pair<uint32_t, int64_t>;
  using Effect = AccessRule::Effect;

  /// Whether calls of a signature are looked at: they worked, or failed because a file was there.
  bool counts(size_t i) const {
    const Signature& s = trace_.signatures[i];
    return rules_[i].plan && (s.error.empty() || shows_existence(s.error));
  }
  /// Whether they show how much there is in a file or a folder.
  bool tells_size(size_t i) const {
    const Signature& s = trace_.signatures[i];
    const AccessRule& rule = rules_[i].access;
    if (s.layer == "hdf5") return false;
    return (rule.effect == Effect::data && !rule.writes) || concerns_folder(s) ||
           copies_file(*rules_[i].plan) ||
           (rule.effect == Effect::seek && rule.whence == AccessRule::Whence::end) ||
           s.function == "MPI_File_get_size";
  }
  /// Whether they change where the next read begins.
  static bool moves(const AccessRule& rule) {
    return rule.effect == Effect::seek || (rule.effect == Effect::data && rule.offset == AccessRule::absent);
  }
  static bool hands_on(const AccessRule& rule) {
    return rule.effect == Effect::open || rule.effect == Effect::share || rule.effect == Effect::close;
  }

  void await(const Known& k, AwaitedPaths& awaited) const {
    bool any = false;
    bool in_turns = !shared_files_ && !k.hdf5_opens.empty();
    for (const auto& [signature, operand, what, rank] : k.users) {
      if (!k.made_by_other_than(rank)) continue;
      awaited[{signature, operand}] = in_turns && what == Awaited::file ? Awaited::end_of_turn : what;
      any = true;
    }
    if (any && in_turns)
      for (const auto& argument : k.hdf5_opens) awaited[argument] = Awaited::turn;
  }

  static void need_folder(Inputs& inputs, const std::string& folder) {
    if (!folder.empty()) inputs.folders.try_emplace(folder, 0);
  }

  std::string text(const Given& g, const Signature& s, Parameters p) const {
    const auto& o = s.operands[g.first];
    auto number = static_cast<size_t>(p[g.parameter]);
    if (number >= trace_.templates.size() || trace_.templates[number].fields() != o.width) return {};
    return trace_.templates[number].fill(p.data() + g.parameter + 1);
  }

  /// The image of a path argument, below the folder that it is relative to; one for all spellings.
  std::string path(const CallPlan& plan, const Given& g, const Signature& s, Parameters p) {
    std::string text = this->text(g, s, p);
    if (text.empty() || text.starts_with('/')) return trace::plain_image(text);
    std::string here = trace::plain_image(current_ + "/" + text);
    if (&g == plan.arguments.data()) return here;
    const Given& before = *(&g - 1);
    if (before.argument->kind != Kind::dirfd || s.operands[before.first].kind != OperandKind::slot)
      return here;
    auto found = handles_.find({rules_[signature_].access.handle.handle_class, p[before.parameter]});
    return trace::plain_image(found == handles_.end() ? text : found->second->path + "/" + text);
  }

  void use(const std::string& path, bool folder, bool opened) {
    Known& k = files_[path];
    k.folder |= folder;
    k.opened |= opened;
    if (k.made_by == rank_) return;
    k.used = true;
    k.used_by = rank_;
  }
  void make(const std::string& path, bool folder) {
    Known& k = files_[path];
    k.folder |= folder;
    k.made = true;
    k.needed |= k.used_by == rank_ && k.opened && !k.folder;
    k.made_by = rank_;
    if (k.first_maker == ~0u)
      k.first_maker = rank_;
    else if (k.first_maker != rank_)
      k.other_maker = rank_;
  }
  /// The argument `operand` needs the path, or what it is made in.
  void need(const std::string& path, size_t operand, Awaited what) {
    if (path.empty()) return;
    Known& k = files_[path];
    if (k.made_by != rank_) k.users.insert({signature_, operand, what, rank_});
  }

  /// The same of what a name is made up in.
  void need_made(const std::string& folder, size_t operand) {
    if (folder.empty() || trace::holds_made_name(folder)) return;
    need(folder, operand, Awaited::folder);
    use(folder, true, false);
  }

  void take(const trace::Node& node, Parameters p) {
    signature_ = node.signature;
    const Signature& s = trace_.signatures[signature_];
    const Rules& rules = rules_[signature_];
    bool in_the_way = shows_existence(s.error);
    if (!counts(signature_)) return;
    if (s.layer == "hdf5" && !in_the_way) objects_.take(*rules.plan, s, p);
    std::string opened;
    size_t number = 0;
    for (const Given& g : rules.plan->arguments) {
      if (g.argument->kind == Kind::made_path) need_made(parent_of(path(*rules.plan, g, s, p)), g.first);
      if (g.argument->kind != Kind::path || g.count == 0 || s.operands[g.first].kind != OperandKind::text)
        continue;
      if (s.function.starts_with("symlink") && number++ == 0) continue;  // what it leads to need not exist
      opened = path(*rules.plan, g, s, p);
      if (opened.empty() || trace::holds_made_name(opened)) continue;  // the program makes it, under any name
      bool folder = is_folder_call(s), made = makes(s, number++) && !in_the_way;
      if (!is_relative(*rules.plan, s) && opened.find(':') == std::string::npos)
        need(made ? parent_of(opened) : opened, g.first, made ? Awaited::folder : Awaited::file);
      if (made)
        make(opened, folder);
      else
        use(opened, folder, bool(rules.access.made));
      files_[opened].hdf5 |= s.layer == "hdf5";
      if (s.function == "H5Fopen" || s.function == "H5Fcreate")
        files_[opened].hdf5_opens.insert({signature_, g.first});
      if (s.function.starts_with("readlink") && s.result.kind == OperandKind::integer)
        files_[opened].link = static_cast<uint64_t>(std::max<int64_t>(0, p[rules.plan->result_parameter]));
    }
    if (s.function == "chdir" && !in_the_way) current_ = opened;
    if (s.layer == "hdf5" || in_the_way) return;
    for (const Given& g : rules.plan->arguments)
      if (g.argument->name == "in_fd") return copied(rules, g, s, p);
    move(rules.access, s, p, opened);
  }

  /// What was copied from one descriptor to another was read from the first: from the offset given, or where
  /// it stood.
  void copied(const Rules& rules, const Given& from, const Signature& s, Parameters p) {
    if (s.operands[from.first].kind != OperandKind::slot || s.result.kind != OperandKind::integer) return;
    auto found = handles_.find({rules.access.handle.handle_class, p[from.parameter]});
    if (found == handles_.end()) return;
    OpenFile& file = *found->second;
    const Given& offset = *(&from + 1);
    bool fixed = offset.count > 0 && s.operands[offset.first].kind == OperandKind::integer;
    int64_t end = (fixed ? p[offset.parameter] : file.position) + p[rules.plan->result_parameter];
    reach(file, end);
    file.by_lines = false;
    if (!fixed) file.position = end;
  }

  void move(const AccessRule& rule, const Signature& s, Parameters p, const std::string& opened) {
    auto key = [&](const AccessRule::Slot& slot) { return Key{slot.handle_class, p[slot.parameter]}; };
    if (rule.effect == Effect::open) {
      auto file = std::make_shared<OpenFile>();
      file->path = opened;
      handles_[key(rule.made)] = file;
      return;
    }
    if (!rule.handle) return;
    auto found = handles_.find(key(rule.handle));
    if (found == handles_.end()) return;
    std::shared_ptr<OpenFile> file = found->second;
    switch (rule.effect) {
      case Effect::share:
        handles_[key(rule.made)] = file;
        break;
      case Effect::close:
        handles_.erase(found);
        break;
      case Effect::seek:
        seek(rule, p, *file);
        break;
      case Effect::data:
        data(rule, s, p, *file);
        break;
      default:
        other(s, p, rule, *file);
    }
  }

  void seek(const AccessRule& rule, Parameters p, OpenFile& file) {
    int64_t offset = rule.offset == AccessRule::absent ? 0 : p[rule.offset];
    int64_t base = rule.whence == AccessRule::Whence::current ? file.position : 0;
    file.position = rule.result != AccessRule::absent ? p[rule.result] : base + offset;
    file.by_lines = false;
    if (rule.whence == AccessRule::Whence::end && rule.result != AccessRule::absent && offset <= 0)
      reach(file, file.position - offset);
  }

  void reach(const OpenFile& file, int64_t end) {
    Known& k = files_[file.path];
    if (end > 0) k.size = std::max(k.size, static_cast<uint64_t>(end));
  }

  void data(const AccessRule& rule, const Signature& s, Parameters p, OpenFile& file) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < rule.byte_parameters; ++i) bytes += p[rule.bytes + i];
    if (bytes < 0) return;
    bool fixed = rule.offset != AccessRule::absent;
    int64_t begin = fixed ? p[rule.offset] : file.position;
    bool line = s.function == "fgets" || s.function == "getline" || s.function == "getdelim";
    if (!rule.writes) {
      reach(file, begin + bytes);
      Known& k = files_[file.path];
      if (!line && bytes > 0) file.by_lines = false;
      if (line && file.by_lines && bytes > 0 && file.lines++ == k.lines.size()) k.lines.push_back(bytes);
    }
    if (!fixed) file.position = begin + bytes;
  }

  void other(const Signature& s, Parameters p, const AccessRule& rule, OpenFile& file) {
    if (s.function == "readdir" && rule.result != AccessRule::absent && p[rule.result] != 0)
      files_[file.path].entries = std::max(files_[file.path].entries, ++file.entries);
    if (s.function == "rewinddir") file.entries = 0;
    if (s.function == "fchdir") current_ = file.path;
    if (s.function == "MPI_File_get_size" && rule.result != AccessRule::absent) reach(file, p[rule.result]);
  }

  const trace::Trace& trace_;
  std::vector<Rules> rules_;
  Hdf5Inputs objects_;
  std::map<std::string, Known> files_;
  std::map<Key, std::shared_ptr<OpenFile>> handles_;
  std::string current_;  ///< folder in which the program is
  uint32_t rank_ = 0;
  uint32_t signature_ = 0;
  bool shared_files_ = false;  ///< several ranks may have the same HDF5 file open
};

}  // namespace

bool Inputs::needs_prepare() const {
  return !files.empty() || !objects.empty() ||
         std::any_of(folders.begin(), folders.end(),
                     [](const auto& folder) { return holds_something(folder.second); });
}

Inputs Inputs::folders_only() const {
  Inputs only;
  for (const auto& [path, entries] : folders) only.folders[path] = 0;
  return only;
}

Inputs find_inputs(const trace::Trace& trace, const trace::Process& process, uint64_t events) {
  Finder finder(trace);
  std::vector<bool> matters = finder.matters();
  trace::Process part{.ranks = process.ranks};
  for (const trace::Stream& s : process.streams)
    if (s.layer.empty())
      part.streams.push_back({.thread = s.thread, .ranks = s.ranks, .nodes = slice(s.nodes, matters)});
  bool complete = true;
  auto run = [&](const trace::Process& alone, uint32_t rank) {
    for (const trace::Stream& stream : alone.streams)
      if (complete) complete = finder.run(stream.nodes, rank, events);
  };
  if (part.ranks.empty())
    run(part, 0);
  else
    for (uint32_t rank : typical_ranks(part)) run(trace::at_rank(part, rank), rank);
  Inputs inputs = finder.finish();
  inputs.complete = complete;
  return inputs;
}

}  // namespace refrain::plan
