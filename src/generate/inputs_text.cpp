// Files whose names differ only in their numbers are made in a loop, so that the input files of a thousand
// ranks cost no more than those of two.
#include "generate/inputs_text.hpp"

#include <map>

#include "api/predefined.hpp"
#include "generate/c_text.hpp"
#include "trace/template.hpp"

namespace refrain::generate {
namespace {

using plan::InputFile;
using plan::InputObject;
using trace::Column;
using trace::Template;

/// Files whose names have the same template.
struct Alike {
  Template form;
  std::vector<std::vector<int64_t>> fields{};  ///< by field, then by file
  std::vector<int64_t> sizes{};
  std::vector<const InputFile*> files{};
};

std::vector<Alike> by_form(const std::vector<InputFile>& files) {
  std::vector<Alike> out;
  std::map<std::string, size_t> known;
  for (const InputFile& file : files) {
    if (file.hdf5 || !file.header.empty() || file.must_be_copied) continue;
    std::vector<int64_t> fields;
    Template form = Template::parse(file.path, fields);
    std::string key = file.lines.empty() && file.link == 0 ? "" : file.path;  // others are told apart
    for (size_t i = 0; i < form.literals.size(); ++i)
      key += form.literals[i] + '\n' + (i < form.fields() ? std::to_string(form.widths[i]) : "");
    auto [found, fresh] = known.try_emplace(key, out.size());
    if (fresh) out.push_back({form, std::vector<std::vector<int64_t>>(form.fields()), {}, {}});
    Alike& alike = out[found->second];
    for (size_t i = 0; i < fields.size(); ++i) alike.fields[i].push_back(fields[i]);
    alike.sizes.push_back(static_cast<int64_t>(file.size));
    alike.files.push_back(&file);
  }
  return out;
}

/// A printf format with a number in each field.
std::string format_of(const Template& form) {
  std::string format;
  for (size_t i = 0; i < form.literals.size(); ++i) {
    format += format_text(form.literals[i]);
    if (i == form.fields()) break;
    format += "%" + (form.widths[i] > 1 ? "0" + std::to_string(form.widths[i]) : "") + "lld";
  }
  return format;
}

std::string many_files(const Alike& alike, Tables& tables) {
  Expression k = variable("k", {0, static_cast<int64_t>(alike.sizes.size()) - 1});
  std::string format = format_of(alike.form), arguments;
  for (const std::vector<int64_t>& field : alike.fields)
    arguments += ", " + tables.at(Column::of(field), k, "numbers in names of inputs").widened().text;
  std::string size = tables.at(Column::of(alike.sizes), k, "sizes of inputs").text;
  return "  for (long long k = 0; k < " + std::to_string(alike.sizes.size()) + "; ++k)\n    need_file(name(" +
         c_string(format) + arguments + "), " + size + ");\n";
}

std::string one_file(const InputFile& file, Tables& tables) {
  std::string size = std::to_string(file.size);
  if (file.link > 0) return "  need_link(" + c_string(file.path) + ", " + std::to_string(file.link) + ");\n";
  if (file.lines.empty()) return "  need_file(" + c_string(file.path) + ", " + size + ");\n";
  std::string lines = tables.runs(Column::of(file.lines), "lengths of lines");
  return "  need_lines(" + c_string(file.path) + ", " + size + ", " + lines + ", " +
         std::to_string(file.lines.size()) + ");\n";
}

std::string object_text(const InputObject& o) {
  bool known = !o.type.empty() && api::predefined_type(o.type) == "hid_t" && o.type.starts_with("H5T_");
  std::string type = known ? o.type : "H5T_NATIVE_SCHAR";
  std::string bytes = std::to_string(o.bytes);
  switch (o.kind) {
    case InputObject::Kind::group:
      return "  h5_group(" + c_string(o.path) + ");\n";
    case InputObject::Kind::attribute:
      return "  h5_attribute(" + c_string(o.path) + ", " + c_string(o.attribute) + ", " + type + ", " +
             bytes + ", " + std::to_string(o.dimensions) + ");\n";
    case InputObject::Kind::dataset:
      break;
  }
  std::string extent;
  for (int64_t n : o.extent) extent += (extent.empty() ? "" : ", ") + std::to_string(n);
  return std::string("  ") + (o.grows ? "h5_growing_dataset(" : "h5_dataset(") + c_string(o.path) + ", " +
         type + ", " + bytes + ", " + std::to_string(o.dimensions_made()) + ", " +
         (extent.empty() ? "NULL" : "(hsize_t[]){" + extent + "}") + ");\n";
}

std::string hdf5_files(const plan::Inputs& inputs) {
  std::string text;
  for (const InputFile& file : inputs.files) {
    if (!file.hdf5) continue;
    text += "  h5_input(" + c_string(file.path) + ");\n";
    for (const InputObject& o : inputs.objects)
      if (o.file == file.path) text += object_text(o);
    text += "  h5_input_done();\n";
  }
  return text;
}

std::string netcdf_files(const plan::Inputs& inputs) {
  std::string text;
  for (const InputFile& file : inputs.files) {
    if (file.header.empty()) continue;
    std::string numbers;
    for (int64_t n : file.header) numbers += (numbers.empty() ? "" : ", ") + std::to_string(n);
    text += "  cdf_input(" + c_string(file.path) + ", (long long[]){" + numbers + "}, " +
            std::to_string(file.header.size()) + ", " + c_string(file.names) + ");\n";
  }
  return text;
}

/// A statement that finds a file which can't be made.
std::string find_copy(const std::string& path) {
  return "need_copy(" + path + ", " + c_string(plan::must_be_copied_text) + ");\n";
}

std::string copied_files(const plan::Inputs& inputs) {
  std::string text;
  for (const InputFile& file : inputs.files)
    if (file.must_be_copied) text += "  " + find_copy(c_string(file.path));
  return text;
}

std::string files_by_law(const InputGroup& group, RankText& ranks) {
  Expression k = variable("k", {0, static_cast<int64_t>(trace::RankSet::most_listed)});
  auto of_file = [&](const trace::RankExpression& law) {
    return ranks.element({.element = law, .length = group.count}, k).widened().text;
  };
  auto needed = [&](const std::string& path) {
    if (group.must_be_copied) return find_copy(path);
    return "need_file(" + path + ", " + of_file(group.size) + ");\n";
  };
  if (group.fields.empty()) return "  " + needed(c_string(group.form.literals[0]));
  std::string arguments;
  for (const trace::RankExpression& field : group.fields) arguments += ", " + of_file(field);
  return "  for (long long k = 0; k < " + ranks.expression(group.count).at_least(Binding::shift) +
         "; ++k)\n    " + needed("name(" + c_string(format_of(group.form)) + arguments + ")");
}

/// Wraps the statements that make folders and files in functions.
InputsText making(const std::string& folders, const std::string& files) {
  InputsText out;
  if (!folders.empty()) {
    out.functions +=
        "\n/* Folders that the program found. */\nstatic void make_folders(void) {\n" + folders + "}\n";
    out.calls += "  make_folders();\n";
  }
  if (!files.empty()) {
    out.functions +=
        "\n/* Files that the program found, for --prepare. */\nstatic void make_inputs(void) {\n" + files +
        "}\n";
    out.calls += "  prepare(make_inputs);\n";
    out.files = true;
  }
  return out;
}

}  // namespace

InputsText inputs_text(const plan::Inputs& inputs, Tables& tables) {
  std::string folders, files;
  for (const auto& [path, entries] : inputs.folders) {
    folders += "  need_folder(" + c_string(path) + ");\n";
    if (plan::Inputs::holds_something(entries))
      files += "  need_entries(" + c_string(path) + ", " + std::to_string(entries) + ");\n";
  }
  std::string first;
  for (const Alike& alike : by_form(inputs.files))
    first += alike.files.size() == 1 ? one_file(*alike.files[0], tables) : many_files(alike, tables);
  files = copied_files(inputs) + first + hdf5_files(inputs) + netcdf_files(inputs) + files;
  return making(folders, files);
}

InputsText inputs_text(const InputLaws& laws, RankText& ranks) {
  std::string folders, files;
  for (const std::string& path : laws.folders) folders += "  need_folder(" + c_string(path) + ");\n";
  for (const InputGroup& group : laws.files) files += files_by_law(group, ranks);
  return making(folders, files);
}

}  // namespace refrain::generate
