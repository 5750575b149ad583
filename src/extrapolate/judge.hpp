// Random programs are run at a few numbers of ranks, extrapolated, and held against what they do at others.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "compare/compare.hpp"
#include "extrapolate/advise.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"
#include "trace/text.hpp"

namespace refrain::extrapolate {

/// A random program, and what it is in words.
struct Specimen {
  Program program{};
  std::string text{};
};

/// What must come out, of all targets.
struct Gate {
  int certain = 0;  ///< percent at least that are right, and no doubt is named
  int right = 0;    ///< percent at least that are right
};

class Judge {
 public:
  /// Looks at programs made of so many seeds. REFRAIN_ROUNDS=1000 looks at more, at more targets, and prints
  /// a table; REFRAIN_SEED=5000 looks elsewhere; REFRAIN_SET="4 9 23 36" takes runs of so many ranks only;
  /// REFRAIN_WHY=1 shows what isn't certain; REFRAIN_ADVICE=1 also counts the runs that it takes until the
  /// result is certain if the advice is followed.
  void look_at(uint64_t rounds, const Gate& gate, const std::function<Specimen(uint64_t seed)>& make) {
    uint64_t from = number_from("REFRAIN_SEED", 1);
    talks_ = std::getenv("REFRAIN_ROUNDS") != nullptr;
    rounds = number_from("REFRAIN_ROUNDS", rounds);
    for (uint64_t seed = from; seed < from + rounds; ++seed) {
      Specimen specimen = make(seed);
      one(seed, specimen);
      if (std::getenv("REFRAIN_ADVICE")) follow_advice(seed, specimen);
    }
    Tally all{};
    for (const auto& [set, tally] : by_set_)
      for (size_t i = 0; i < tally.size(); ++i) all[i] += tally[i];
    if (talks_) print(all);
    if (talks_) return;  // other seeds than those that the gate was set for
    EXPECT_GE(all[certain] * 100, gate.certain * sum(all));
    EXPECT_GE((all[certain] + all[right]) * 100, gate.right * sum(all));
  }

 private:
  enum Outcome : uint8_t { certain, right, doubtful, refused, silent };
  using Tally = std::array<int, 5>;

  static uint64_t number_from(const char* variable, uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
  }
  static std::vector<uint32_t> numbers_in(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<uint32_t>(in), {}};
  }
  static int sum(const Tally& tally) {
    int n = 0;
    for (int x : tally) n += x;
    return n;
  }
  static std::string text_of(const std::vector<uint32_t>& sizes) {
    std::string text;
    for (uint32_t size : sizes) text += (text.empty() ? "" : " ") + std::to_string(size);
    return text;
  }

  Result<trace::Trace> laws_of(const Program& program, const std::vector<uint32_t>& sizes) {
    std::vector<trace::Trace> runs;
    for (uint32_t size : sizes) runs.push_back(run_of(program, size));
    return extrapolate(runs, {.times = false});
  }

  void one(uint64_t seed, const Specimen& specimen) {
    const std::vector<std::vector<uint32_t>> sets{{6, 16, 27, 32}, {4, 8, 16, 32}, {8, 18, 30, 48},
                                                  {4, 9, 16, 25},  {5, 7, 12, 20}, {5, 8, 9, 24}};
    const char* given = std::getenv("REFRAIN_SET");
    const std::vector<uint32_t> sizes = given ? numbers_in(given) : sets[seed % sets.size()];
    std::vector<uint32_t> targets{36, 100};
    if (talks_) targets.insert(targets.end(), {60, 64, 343});
    std::erase_if(targets,
                  [&](uint32_t p) { return std::find(sizes.begin(), sizes.end(), p) != sizes.end(); });
    Tally& tally = by_set_[text_of(sizes)];
    auto free = laws_of(specimen.program, sizes);
    if (!free) {
      tally[refused] += static_cast<int>(targets.size());
      if (talks_)
        std::printf("seed %d refused: %s\n%s", static_cast<int>(seed), free.error().text().c_str(),
                    specimen.text.c_str());
      return;
    }
    for (uint32_t target : targets) {
      std::string why;
      Outcome outcome = outcome_at(*free, specimen.program, target, why);
      EXPECT_NE(outcome, silent) << "seed " << seed << " from " << text_of(sizes) << " at " << target << ": "
                                 << why << "\n"
                                 << specimen.text << text_of(*free);
      ++tally[outcome];
      bool wrong = outcome == doubtful || outcome == silent;
      auto& [all, wrong_ones] = by_doubts_[number_of_doubts(*free, target)];
      ++all;
      wrong_ones += wrong ? 1 : 0;
      if (std::getenv("REFRAIN_WHY") && outcome != certain)
        std::printf("seed %d at %d is %s\n%s%s%s", static_cast<int>(seed), static_cast<int>(target),
                    outcome == right ? "right" : "wrong", specimen.text.c_str(),
                    doubts_of(*free, target).c_str(), text_of(*free).c_str());
    }
  }

  /// How many runs it takes.
  void follow_advice(uint64_t seed, const Specimen& specimen) {
    constexpr uint32_t target = 100;
    constexpr size_t most_runs = 8;
    static const std::vector<uint32_t> first = advise({});
    std::vector<uint32_t> sizes = first;
    std::string last;
    for (; sizes.size() <= most_runs; std::sort(sizes.begin(), sizes.end())) {
      auto free = laws_of(specimen.program, sizes);
      std::string why;
      Outcome outcome = free ? outcome_at(*free, specimen.program, target, why) : refused;
      EXPECT_NE(outcome, silent) << "seed " << seed << " from " << text_of(sizes) << " at " << target << ": "
                                 << why << "\n"
                                 << specimen.text << text_of(*free);
      if (outcome == certain || outcome == silent) {
        ++(outcome == certain ? runs_needed_[sizes.size()] : misled_);
        return;
      }
      last = free ? doubts_of(*free, target) : free.error().text() + "\n";
      std::vector<uint32_t> next;
      if (free)
        next = further_runs(*free, {}, target).sizes;
      else if (uint32_t one = further_run(sizes, {}); one > 0)
        next = {one};
      if (next.empty()) break;
      sizes.push_back(next[0]);
    }
    ++runs_needed_[0];
    std::printf("seed %d not certain after %s\n%s%s", static_cast<int>(seed), text_of(sizes).c_str(),
                specimen.text.c_str(), last.c_str());
  }

  static Outcome outcome_at(const trace::Trace& free, const Program& program, uint32_t target,
                            std::string& why) {
    bool doubt = !scale::doubts_at_size(free, target).empty();
    auto here = scale::at_size(free, target);
    if (!here) return doubtful;
    auto compared = compare::compare(*here, run_of(program, target));
    if (compared && !compared->difference) return doubt ? right : certain;
    if (doubt) return doubtful;
    if (compared)
      why = compared->difference->calls[0] + ", not " + compared->difference->calls[1] + " on rank " +
            std::to_string(compared->difference->rank.value_or(0));
    return silent;
  }

  static std::string doubts_of(const trace::Trace& free, uint32_t target) {
    std::string text;
    for (const std::string& doubt : scale::doubts_at_size(free, target)) text += "  " + doubt + "\n";
    return text;
  }

  static std::string text_of(const trace::Trace& t) {
    std::string text;
    trace::print(t, {.times = false}, [&](std::string_view piece) { text += piece; });
    return text;
  }

  /// How many doubts there are of a trace, in classes: 0, 1, 2 to 3, 4 to 7 …, by their logarithm.
  static int number_of_doubts(const trace::Trace& free, uint32_t target) {
    return static_cast<int>(std::bit_width(scale::doubts_at_size(free, target).size()));
  }

  /// Doubts are of use if more of them say that more is wrong.
  void print_calibration() const {
    for (const auto& [bits, tally] : by_doubts_) {
      int least = bits == 0 ? 0 : 1 << (bits - 1);
      std::printf("%d doubts or more: %d wrong of %d, %.1f%%\n", least, tally.second, tally.first,
                  100.0 * tally.second / tally.first);
    }
  }

  void print(const Tally& all) {
    print_calibration();
    by_set_["all"] = all;
    for (const auto& entry : by_set_) {
      const std::string& set = entry.first;
      const Tally& tally = entry.second;
      auto percent = [&](Outcome which) { return 100.0 * tally[which] / std::max(1, sum(tally)); };
      std::printf(
          "%-12s certain %.1f%%, right but in doubt %.1f%%, wrong and in doubt %.1f%%, refused %.1f%%, "
          "silent %d of %d\n",
          set.c_str(), percent(certain), percent(right), percent(doubtful), percent(refused), tally[silent],
          sum(tally));
    }
    for (const auto& [runs, often] : runs_needed_)
      std::printf("runs to certainty %d: %d programs\n", static_cast<int>(runs), often);
    if (!runs_needed_.empty()) std::printf("misled: %d programs\n", misled_);
  }

  std::map<std::string, Tally> by_set_;
  std::map<int, std::pair<int, int>> by_doubts_;  ///< extrapolations, and how many of them are wrong
  std::map<size_t, int> runs_needed_;             ///< programs by number of runs; 0: never
  int misled_ = 0;
  bool talks_ = false;
};

}  // namespace refrain::extrapolate
