// Arguments that name files. Here they are mapped into the folder of the replay, all of them: what a call is
// given as a path, where a link leads, what a library will use later or take apart.
#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>

#include "replay/argument_words.hpp"
#include "replay/made_name_images.hpp"
#include "replay/replay_error.hpp"
#include "trace/text.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {

using trace::OperandKind;

std::string Arguments::string(const GivenArgument& g) const {
  const Operand& o = operand(g);
  if (o.kind != OperandKind::text) throw ReplayError{"a string that is no string"};
  auto text =
      text_at(stage_.trace.templates, std::span<const int64_t>(parameters_).subspan(g.parameter), o.width);
  if (!text) throw ReplayError{"a string that the trace doesn't hold"};
  return text->substr(0, text->find('\0'));  // C ends strings there
}

int Arguments::folder_of(const GivenArgument& path) {
  const GivenArgument* folder = plan::folder_of(signature_, plan_, path);
  return folder == nullptr ? AT_FDCWD : static_cast<int>(slot(*folder));
}

/// The path to pass to the call; replay/root.hpp checks it.
std::string Arguments::placed(const GivenArgument& path, bool make_above) {
  std::string text =
      path.argument->kind == Kind::made_path ? before_made_name(string(path)) : with_made_names(string(path));
  if (plan::is_link_target(plan_, path)) {
    const GivenArgument& link = plan_.named("path");
    return stage_.root.target(text, folder_of(link), placed(link, make_above));
  }
  bool is_library = !layer().has_positions;
  size_t prefix = is_library ? refrain_wall_prefix_length(text.c_str()) : 0;
  if (layer().has_objects && !refrain_wall_is_plain_series(text.c_str()) && stage_.has_families)
    throw ReplayError{"a name for a family of files that holds more than a number"};
  Root::Use use{folder_of(path), plan::follows_link(signature_, path), make_above};
  std::string image = text.substr(0, prefix) + stage_.root.place(text.substr(prefix), use);
  if (prefix > 0 &&
      stage_.root.place(image, {use.at, use.follow}) != image)  // libraries may take it as it is
    throw ReplayError{fmt::format("{} may lead out of the root", trace::quoted(image))};
  if (plan::is_destination(plan_, path)) {
    const GivenArgument& from = plan_.named("from");
    std::string source = placed(from, false);
    stage_.root.check_move(folder_of(from), source, use.at, image);
    if (plan::exchanges(signature_)) stage_.root.check_move(use.at, image, folder_of(from), source);
  }
  return image;
}

std::string Arguments::path(const GivenArgument& g) {
  bool works = signature_.error.empty();
  auto number = static_cast<uint32_t>(&signature_ - stage_.trace.signatures.data());
  auto awaited = stage_.awaited.find({number, g.first});
  bool waits = awaited != stage_.awaited.end();
  std::string image = placed(g, works && !waits && !plan_.row->is(api::Trait::removes_folder));
  if (waits && awaited->second == plan::Awaited::absence)
    stage_.root.await_absence(image);
  else if (waits && awaited->second == plan::Awaited::moment)
    stage_.root.await_moment(image);
  else if (waits && (awaited->second == plan::Awaited::folder ||
                     (awaited->second == plan::Awaited::turn && plan_.row->is(api::Trait::makes_file))))
    stage_.root.await(
        std::filesystem::path("./" + image.substr(0, image.find_last_not_of('/') + 1)).parent_path());
  else if (waits || (stage_.awaits_files && works && !makes_its_file()))
    stage_.root.await(image);
  if (waits && awaited->second == plan::Awaited::end_of_writing) stage_.root.await_end_of_writing(image);
  if (waits && awaited->second == plan::Awaited::end_of_turn) stage_.turns.await_end(image);
  if (waits && awaited->second == plan::Awaited::turn)
    stage_.turns.take({stage_.thread, number, g.first}, image, plan::takes_it_alone(signature_, g));
  return image;
}

std::string Arguments::later_path(const GivenArgument& g) const {
  return stage_.root.place_for_later(with_made_names(string(g)), g.argument->name == "prefix");
}

std::string Arguments::extension(const GivenArgument& g) const {
  std::string text = string(g);
  if (!refrain_wall_is_plain_extension(text.c_str()))
    throw ReplayError{fmt::format("{} is more than HDF5 may add to a name", trace::quoted(text))};
  return text;
}

/// Whether the call may create the file.
bool Arguments::makes_its_file() const {
  if (signature_.bracket != trace::Bracket::opens) return true;
  for (const GivenArgument& g : plan_.arguments) {
    if (g.argument->kind == Kind::open_flags || g.argument->kind == Kind::amode)
      return operand(g).text.find("_CREAT") != std::string::npos;
    if (g.argument->name == "mode" && operand(g).text.starts_with('r')) return false;
  }
  return true;
}

}  // namespace refrain::replay
