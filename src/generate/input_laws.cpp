// See input_laws.hpp. The trace can be had at any number of ranks, and with it the inputs that it needs
// there. Laws are looked for at some numbers of ranks, those of the recorded runs among them, and must give
// the inputs at others.
#include "generate/input_laws.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "extrapolate/fit_law.hpp"
#include "generate/refusal.hpp"
#include "plan/inputs.hpp"
#include "scale/at_size.hpp"

namespace refrain::generate {
namespace {

using extrapolate::Sequence;
using trace::RankExpression;
using trace::Template;

constexpr const char* advice = "; make the kernel for one number of ranks, with --ranks";

[[noreturn]] void refuse(const std::string& reason) {
  throw Refusal{"it reads files that it didn't write, and " + reason + advice};
}

/// An input file at one number of ranks.
struct Needed {
  std::vector<int64_t> fields{};
  int64_t size = 0;
  bool must_be_copied = false;
  auto operator<=>(const Needed&) const = default;
};
/// Groups files by the text around the numbers in their names.
using ByForm = std::map<std::vector<std::string>, std::pair<Template, std::vector<Needed>>>;

struct InputsAt {
  int64_t nprocs = 0;
  ByForm files{};
  std::vector<std::string> folders{};
  plan::AwaitedPaths awaited{};
  trace::Races races{};
  std::string doubt{};
};

void add_file(ByForm& files, const plan::InputFile& file) {
  if (!file.is_plain() && !file.must_be_copied)
    refuse("more of " + file.path +
           " must be known than its size: a kernel for any number of ranks can't make it");
  Needed needed{.size = file.must_be_copied ? 0 : static_cast<int64_t>(file.size),
                .must_be_copied = file.must_be_copied};
  Template form = Template::parse(file.path, needed.fields);
  auto [found, fresh] = files.try_emplace(form.literals, std::pair{form, std::vector<Needed>{}});
  for (size_t i = 0; i < form.fields(); ++i)
    found->second.first.widths[i] = std::max(found->second.first.widths[i], form.widths[i]);
  found->second.second.push_back(std::move(needed));
}

InputsAt inputs_at(const trace::Trace& plain) {
  plan::Inputs inputs = plan::find_inputs(plain, plain.processes[0]);
  if (!inputs.complete) refuse("the trace is too long to find out which");
  InputsAt out{.nprocs = plain.nprocs,
               .awaited = inputs.awaited,
               .races = inputs.races,
               .doubt = inputs.copied_note()};
  for (const auto& [path, entries] : inputs.folders) {
    if (entries > 2) refuse("folders that it lists");
    out.folders.push_back(path);
  }
  for (const plan::InputFile& file : inputs.files) {
    add_file(out.files, file);
    std::vector<int64_t> fields;
    Template own = Template::parse(file.path, fields);
    if (out.files[own.literals].first.fill(fields.data()) != file.path)
      refuse("numbers in the names of files such as " + file.path + " are padded in different ways");
  }
  for (auto& [literals, group] : out.files) std::sort(group.second.begin(), group.second.end());
  return out;
}

class LawsOfInputs {
 public:
  LawsOfInputs(const std::vector<InputsAt>& seen, const std::vector<InputsAt>& further)
      : seen_(seen), further_(further), knowledge_{extrapolate::Features(sizes(seen))} {}

  InputLaws find() {
    InputLaws laws;
    laws.folders = seen_[0].folders;
    laws.doubt = seen_[0].doubt;
    for (const auto* all : {&seen_, &further_})
      for (const InputsAt& at : *all) {
        laws.awaited.insert(at.awaited.begin(), at.awaited.end());
        laws.races.insert(at.races.begin(), at.races.end());
        if (at.folders != laws.folders) refuse("which folders it needs depends on the number of ranks");
        for (const auto& [literals, group] : at.files)
          if (!seen_[0].files.contains(literals)) refuse("which files depends on the number of ranks");
      }
    for (const auto& [literals, group] : seen_[0].files) laws.files.push_back(group_of(literals));
    return laws;
  }

 private:
  using Get = int64_t (*)(const Needed&, size_t);

  static std::vector<int64_t> sizes(const std::vector<InputsAt>& seen) {
    std::vector<int64_t> out;
    for (const InputsAt& at : seen) out.push_back(at.nprocs);
    return out;
  }

  static const std::pair<Template, std::vector<Needed>>& of(const InputsAt& at,
                                                            const std::vector<std::string>& literals) {
    auto found = at.files.find(literals);
    if (found == at.files.end()) refuse("which files depends on the number of ranks");
    return found->second;
  }

  InputGroup group_of(const std::vector<std::string>& literals) {
    InputGroup group{.form = of(seen_[0], literals).first};
    std::string name = group.form.fill(of(seen_[0], literals).second[0].fields.data());
    for (const auto* all : {&seen_, &further_})
      for (const InputsAt& at : *all)
        if (!(of(at, literals).first == group.form))
          refuse("how numbers in names such as " + name + " are padded depends on the number of ranks");
    group.must_be_copied = of(seen_[0], literals).second[0].must_be_copied;
    for (const auto* all : {&seen_, &further_})
      for (const InputsAt& at : *all)
        for (const Needed& needed : of(at, literals).second)
          if (needed.must_be_copied != group.must_be_copied)
            refuse("only some like " + name + " can be made");
    Sequence counts;
    for (const InputsAt& at : seen_)
      counts.series.push_back({at.nprocs, {0}, {static_cast<int64_t>(of(at, literals).second.size())}});
    group.count = law_of(counts, "how many there are like " + name);
    for (const InputsAt& at : further_)
      if (group.count.at(RankExpression::Point{.nprocs = at.nprocs}) !=
          static_cast<int64_t>(of(at, literals).second.size()))
        refuse("how many there are like " + name + " has no law in the number of ranks");
    for (size_t f = 0; f < group.form.fields(); ++f)
      group.fields.push_back(law_by_file(
          literals, group.count, [](const Needed& n, size_t i) { return n.fields[i]; }, f,
          "the numbers in names like " + name));
    group.size = law_by_file(
        literals, group.count, [](const Needed& n, size_t) { return n.size; }, 0,
        "the sizes of files like " + name);
    return group;
  }

  RankExpression law_by_file(const std::vector<std::string>& literals, const RankExpression& count, Get get,
                             size_t which, const std::string& what) {
    Sequence s{.size = count};
    for (const InputsAt& at : seen_) {
      auto& series = s.series.emplace_back();
      series.nprocs = at.nprocs;
      for (const Needed& needed : of(at, literals).second) {
        series.places.push_back(static_cast<uint32_t>(series.places.size()));
        series.values.push_back(get(needed, which));
      }
    }
    RankExpression law = law_of(s, what);
    for (const InputsAt& at : further_) {
      const std::vector<Needed>& files = of(at, literals).second;
      for (size_t k = 0; k < files.size(); ++k)
        if (law.at(RankExpression::Point{static_cast<uint32_t>(k), at.nprocs}) != get(files[k], which))
          refuse(what + " have no law in the number of ranks");
    }
    return scale::substituted(law, trace::Variable::rank, RankExpression::index());
  }

  RankExpression law_of(const Sequence& s, const std::string& what) {
    std::vector<extrapolate::Candidate> laws = extrapolate::fit(s, knowledge_);
    if (laws.empty()) refuse(what + " have no law in the number of ranks");
    return laws[0].law;
  }

  const std::vector<InputsAt>& seen_;
  const std::vector<InputsAt>& further_;
  extrapolate::Knowledge knowledge_;
};

}  // namespace

InputLaws input_laws(const trace::Trace& trace) {
  uint32_t largest = *std::max_element(trace.sizes.begin(), trace.sizes.end());
  std::vector<uint32_t> sizes = trace.sizes;
  sizes.insert(sizes.end(), {largest + 1, largest + 3});
  std::sort(sizes.begin(), sizes.end());
  auto all = [&](const std::vector<uint32_t>& numbers) {
    std::vector<InputsAt> out;
    for (uint32_t n : numbers) {
      Result<trace::Trace> plain = scale::at_size(trace, n);
      if (!plain) throw Refusal{plain.error().text()};
      out.push_back(inputs_at(*plain));
    }
    return out;
  };
  std::vector<InputsAt> seen = all(sizes), further = all({2 * largest + 1, 3 * largest});
  return LawsOfInputs(seen, further).find();
}

}  // namespace refrain::generate
