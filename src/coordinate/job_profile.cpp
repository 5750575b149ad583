// See job_profile.hpp. Users may write anything into a comment: what is read is checked.
#include "coordinate/job_profile.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/real_text.hpp"

namespace refrain::coordinate {

namespace {

constexpr std::string_view heading = "refrain/1 ";
constexpr uint64_t most_phases = 100'000'000;

/// Seconds, exact to the nanosecond, without zeros at the end.
std::string seconds_text(schedule::Time time) {
  std::string text = fmt::format("{}.{:09}", time / schedule::second, time % schedule::second);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string block_text(const schedule::Job& job, const schedule::Block& block) {
  std::string text = block.repeat == 1 ? "" : fmt::format("{}x", block.repeat);
  for (uint32_t i = 0; i < block.count; ++i) {
    const schedule::Phase& phase = job.phases[block.first + i];
    text += fmt::format("{}{}+{}", i == 0 ? "" : ",", seconds_text(phase.compute), phase.volume);
  }
  return text;
}

std::string whole_text(const JobProfile& profile) {
  std::string text = fmt::format("{}nodes={}", heading, profile.job.nodes);
  if (profile.ranks > 0) text += fmt::format(" ranks={}", profile.ranks);
  if (profile.bandwidth > 0) text += fmt::format(" bandwidth={:.6g}", profile.bandwidth);
  if (profile.shortened) text += " shortened=1";
  text += " phases=";
  for (size_t i = 0; i < profile.job.blocks.size(); ++i) {
    text += (i == 0 ? "" : ";") + block_text(profile.job, profile.job.blocks[i]);
  }
  return text;
}

/// Adds so many equal phases with these sums. What does not divide is in a phase of its own.
void add_equal(schedule::Job& job, uint64_t count, schedule::Time compute, double volume) {
  if (count == 0) return;
  auto parts = static_cast<schedule::Time>(count);
  schedule::Phase mean{compute / parts, volume / static_cast<double>(count)};
  schedule::Time rest = compute % parts;
  if (rest > 0) job.add_block({{mean.compute + rest, mean.volume}}, 1);
  job.add_block({mean}, rest > 0 ? count - 1 : count);
}

/// Every block of several phases becomes one of equal phases.
schedule::Job with_equal_blocks(const schedule::Job& job) {
  schedule::Job equal{.nodes = job.nodes};
  for (const schedule::Block& block : job.blocks) {
    schedule::Job one{};
    one.phases.assign(job.phases.begin() + block.first, job.phases.begin() + block.first + block.count);
    one.blocks.push_back({0, block.count, block.repeat});
    add_equal(equal, one.phase_count(), one.compute_time(), one.volume());
  }
  return equal;
}

schedule::Job with_equal_phases(const schedule::Job& job) {
  schedule::Job equal{.nodes = job.nodes};
  add_equal(equal, job.phase_count(), job.compute_time(), job.volume());
  return equal;
}

/// Takes a number off the front of the text.
template <class Number>
bool take(std::string_view& text, Number& number) {
  const char *begin = text.data(), *behind = text.data() + text.size();
  std::from_chars_result taken{};
  if constexpr (std::is_same_v<Number, double>)
    taken = read_real(begin, behind, number);
  else
    taken = std::from_chars(begin, behind, number);
  auto [end, error] = taken;
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

bool read_phase(std::string_view& text, schedule::Phase& phase) {
  double seconds = 0;
  if (!take(text, seconds) || !is_amount(seconds) || seconds > schedule::in_seconds(longest_job))
    return false;
  phase.compute = schedule::from_seconds(seconds);
  return take(text, '+') && take(text, phase.volume) && is_amount(phase.volume);
}

bool read_block(std::string_view& text, schedule::Job& job) {
  uint64_t repeat = 1;
  size_t sign = text.find_first_not_of("0123456789");
  if (sign != std::string_view::npos && text[sign] == 'x' && !(take(text, repeat) && take(text, 'x')))
    return false;
  std::vector<schedule::Phase> phases;
  do {
    if (!read_phase(text, phases.emplace_back())) return false;
  } while (take(text, ','));
  job.add_block(phases, repeat);
  return repeat > 0;
}

/// In floating point, as the sum may be beyond all integers.
bool is_bearable(const schedule::Job& job) {
  if (job.phase_count() > most_phases) return false;
  double seconds = 0;
  double volume = 0;
  for (const schedule::Block& block : job.blocks) {
    for (uint32_t i = 0; i < block.count; ++i) {
      const schedule::Phase& phase = job.phases[block.first + i];
      seconds += schedule::in_seconds(phase.compute) * static_cast<double>(block.repeat);
      volume += phase.volume * static_cast<double>(block.repeat);
    }
  }
  return seconds <= schedule::in_seconds(longest_job) && std::isfinite(volume);
}

bool read_phases(std::string_view text, schedule::Job& job) {
  if (text.empty()) return true;
  do {
    if (!read_block(text, job)) return false;
  } while (take(text, ';'));
  return text.empty() && is_bearable(job);
}

bool read_field(std::string_view word, JobProfile& profile) {
  size_t sign = word.find('=');
  if (sign == std::string_view::npos) return false;
  std::string_view name = word.substr(0, sign);
  std::string_view value = word.substr(sign + 1);
  auto whole = [&value](auto& number) { return take(value, number) && value.empty(); };
  if (name == "nodes") return whole(profile.job.nodes) && profile.job.nodes > 0;
  if (name == "ranks") return whole(profile.ranks);
  if (name == "bandwidth") return whole(profile.bandwidth) && is_amount(profile.bandwidth);
  if (name == "shortened") return profile.shortened = value == "1";
  return name == "phases" && read_phases(value, profile.job);
}

}  // namespace

std::string profile_text(JobProfile profile, size_t most) {
  std::string text = whole_text(profile);
  if (text.size() <= most) return text;
  profile.shortened = true;
  schedule::Job whole = std::move(profile.job);
  profile.job = with_equal_blocks(whole);
  text = whole_text(profile);
  if (text.size() <= most) return text;
  profile.job = with_equal_phases(whole);
  return whole_text(profile);
}

std::optional<JobProfile> read_profile(std::string_view comment) {
  if (!comment.starts_with(heading)) return std::nullopt;
  comment.remove_prefix(heading.size());
  JobProfile profile;
  for (;;) {
    size_t space = std::min(comment.find(' '), comment.size());
    std::string_view word = comment.substr(0, space);
    if (!read_field(word, profile)) return std::nullopt;
    if (word.starts_with("phases=")) return profile;  // what follows is the user's own
    if (space == comment.size()) return std::nullopt;
    comment.remove_prefix(space + 1);
  }
}

std::string profile_json(const JobProfile& profile) {
  nlohmann::ordered_json json{{"nodes", profile.job.nodes}};
  if (profile.ranks > 0) json["ranks"] = profile.ranks;
  json["compute"] = schedule::in_seconds(profile.job.compute_time());
  json["volume"] = profile.job.volume();
  json["phases"] = profile.job.phase_count();
  if (profile.bandwidth > 0) json["bandwidth"] = profile.bandwidth;
  if (profile.shortened) json["shortened"] = true;
  return json.dump();
}

}  // namespace refrain::coordinate
