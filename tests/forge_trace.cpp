// Makes a trace of calls that are written down, whether or not a program could have made them: tests show
// with it what a replay or a kernel does with a trace that means harm.
//
//   forge_trace OUT.rfn < calls
//
// One call per line: the function, its operands, and the result behind `=`, or the name of its error behind
// `!`.
//
//   open "/tmp/x" @O_WRONLY|O_CREAT @0644 = fd#0
//   write fd#0 ~ 100 = 100
//   stat "nothing" ~ !ENOENT
//
// An operand is a number, a "string" (with \n, \\, \" and \xHH), a @NAME, a slot class#number, a list
// [1,2,3], a list of so many zeros [*100], which is kept apart as long ones are, a buffer ~, or one of so
// many bytes ~100. What a field of the recorder means is in src/api/*/rows.def and
// trace/signature.hpp. Lines of their own: `ranks N` makes it a parallel job whose ranks all make the calls,
// `thread N` goes to another thread, `directory PATH` says where the program was started, `# ...` is a
// remark.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

#include "api/layers.hpp"
#include "api/table.hpp"
#include "format/file.hpp"

namespace {

using refrain::trace::Operand;
using refrain::trace::OperandKind;
using refrain::trace::Value;

[[noreturn]] void refuse(const std::string& line, const std::string& why) {
  fprintf(stderr, "forge_trace: %s: %s\n", why.c_str(), line.c_str());
  exit(2);
}

/// The words of a line; strings and lists are words, whatever stands in them.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (size_t at = line.find_first_not_of(' '); at < line.size(); at = line.find_first_not_of(' ', at)) {
    size_t end = at;
    if (line[at] == '"') {
      for (++end; end < line.size() && line[end] != '"'; ++end) end += line[end] == '\\';
      ++end;
    } else {
      end = std::min(line.find(' ', at), line.size());
    }
    if (end > line.size()) refuse(line, "a string without an end");
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string unquoted(const std::string& word) {
  std::string out;
  for (size_t i = 1; i + 1 < word.size(); ++i) {
    if (word[i] != '\\') {
      out += word[i];
    } else if (word[++i] == 'n') {
      out += '\n';
    } else if (word[i] == 'x') {
      out += static_cast<char>(std::stoi(word.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += word[i];
    }
  }
  return out;
}

class Forge {
 public:
  Forge() {
    trace_.command = "forged";
    trace_.host = "nowhere";
    trace_.recorder = "forge_trace";
    for (const auto& layer : refrain::api::layers) trace_.layers.emplace_back(layer.name);
    for (const auto& row : refrain::api::rows()) layers_[std::string(row.name)] = std::string(row.layer);
    process_.program = "/forged";
    process_.arguments = {"/forged"};
    process_.directory = "/";
    process_.ending = refrain::trace::Ending::exited;
  }

  void take(const std::string& line) {
    std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0][0] == '#') return;
    if (words[0] == "ranks" && words.size() == 2) {
      trace_.nprocs = static_cast<uint32_t>(std::stoul(words[1]));
      process_.ranks = refrain::trace::RankSet::range(0, trace_.nprocs);
    } else if (words[0] == "thread" && words.size() == 2) {
      thread_ = static_cast<uint32_t>(std::stoul(words[1]));
    } else if (words[0] == "command" && words.size() == 2) {
      trace_.command = process_.program = process_.arguments[0] = unquoted(words[1]);
    } else if (words[0] == "loop" && words.size() == 2) {
      trips_ = Value::constant(number(line, words[1]));
    } else if (words[0] == "end") {
      nodes_[thread_].push_back(
          {.kind = refrain::trace::NodeKind::loop, .count = *trips_, .body = std::move(body_)});
      trips_.reset();
      body_.clear();
    } else {
      call(line, words);
    }
  }

  const refrain::trace::Trace& finished() {
    for (auto& [thread, nodes] : nodes_)
      process_.streams.push_back({.thread = thread, .nodes = std::move(nodes)});
    trace_.processes.push_back(std::move(process_));
    return trace_;
  }

 private:
  void call(const std::string& line, const std::vector<std::string>& words) {
    refrain::trace::Signature signature{.function = words[0], .layer = layers_[words[0]], .site = 1};
    if (signature.layer.empty()) refuse(line, "no such function");
    refrain::trace::Node node;
    bool result = false;
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "=") {
        result = true;
      } else if (words[i][0] == '!') {
        signature.error = words[i].substr(1);
      } else {
        Operand operand = operand_of(line, words[i], node.parameters);
        result ? signature.result = operand : signature.operands.emplace_back(operand);
      }
    }
    auto same = std::find(trace_.signatures.begin(), trace_.signatures.end(), signature);
    node.signature = static_cast<uint32_t>(same - trace_.signatures.begin());
    if (same == trace_.signatures.end()) trace_.signatures.push_back(signature);
    node.timing.gap.add(1);
    node.timing.duration.add(1);
    (trips_ ? body_ : nodes_[thread_]).push_back(std::move(node));
  }

  Operand operand_of(const std::string& line, const std::string& word, std::vector<Value>& parameters) {
    auto add = [&](int64_t v) { parameters.push_back(Value::constant(v)); };
    if (word[0] == '@') return {.kind = OperandKind::name, .text = word.substr(1)};
    if (word == "~") return {.kind = OperandKind::data};
    if (word[0] == '~') {
      add(number(line, word.substr(1)));
      return {.kind = OperandKind::sized_data};
    }
    if (word[0] == '"') return text(unquoted(word), parameters);
    if (word.substr(0, 2) == "[*") {
      auto count = static_cast<uint64_t>(number(line, word.substr(2, word.size() - 3)));
      add(static_cast<int64_t>(trace_.lists.size()));
      trace_.lists.push_back(refrain::trace::Column({{0, 0, count, 0}}, {}));
      return {.kind = OperandKind::long_list};
    }
    if (word[0] == '[') {
      std::istringstream list(word.substr(1, word.size() - 2));
      uint32_t width = 0;
      for (std::string element; std::getline(list, element, ','); ++width) add(number(line, element));
      return {.kind = OperandKind::list, .width = width};
    }
    size_t mark = word.find('#');
    add(number(line, mark == std::string::npos ? word : word.substr(mark + 1)));
    if (mark == std::string::npos) return {.kind = OperandKind::integer};
    return {.kind = OperandKind::slot, .text = word.substr(0, mark)};
  }

  Operand text(const std::string& content, std::vector<Value>& parameters) {
    std::vector<int64_t> fields;
    auto parsed = refrain::trace::Template::parse(content, fields);
    auto same = std::find(trace_.templates.begin(), trace_.templates.end(), parsed);
    parameters.push_back(Value::constant(same - trace_.templates.begin()));
    if (same == trace_.templates.end()) trace_.templates.push_back(parsed);
    for (int64_t field : fields) parameters.push_back(Value::constant(field));
    return {.kind = OperandKind::text, .width = static_cast<uint32_t>(fields.size())};
  }

  static int64_t number(const std::string& line, const std::string& word) {
    char* end = nullptr;
    auto value = static_cast<int64_t>(strtoull(word.c_str(), &end, 0));
    if (word.empty() || *end != '\0') refuse(line, "'" + word + "' is no number");
    return value;
  }

  refrain::trace::Trace trace_;
  refrain::trace::Process process_;
  std::map<std::string, std::string> layers_;
  std::map<uint32_t, std::vector<refrain::trace::Node>> nodes_;
  uint32_t thread_ = 0;
  std::optional<Value> trips_;  ///< of the loop that is being written down
  std::vector<refrain::trace::Node> body_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: forge_trace OUT.rfn < calls\n");
    return 2;
  }
  Forge forge;
  for (std::string line; std::getline(std::cin, line);) forge.take(line);
  auto written = refrain::format::write_file(forge.finished(), argv[1]);
  if (!written) fprintf(stderr, "forge_trace: %s\n", written.error().text().c_str());
  return written ? 0 : 2;
}
