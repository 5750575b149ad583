// Random programs are run at a few numbers of ranks, extrapolated, and held against what they do at others.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "compare/compare.hpp"
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

class Judge {
 public:
  int right = 0, doubtful = 0, refused = 0;

  /// Looks at programs made of so many seeds. REFRAIN_ROUNDS=1000 looks at more and says what is refused,
  /// REFRAIN_SEED=5000 looks elsewhere.
  void look_at(uint64_t rounds, const std::function<Specimen(uint64_t seed)>& make) {
    uint64_t from = number_from("REFRAIN_SEED", 1);
    talks_ = std::getenv("REFRAIN_ROUNDS") != nullptr;
    rounds = number_from("REFRAIN_ROUNDS", rounds);
    for (uint64_t seed = from; seed < from + rounds; ++seed) one(seed, make(seed));
    ::testing::Test::RecordProperty("right", right);
    ::testing::Test::RecordProperty("wrong, and in doubt", doubtful);
    ::testing::Test::RecordProperty("refused", refused);
    if (talks_)
      std::printf("right %d, wrong and in doubt %d, programs refused %d\n", right, doubtful, refused);
    EXPECT_GE(static_cast<uint64_t>(right), rounds / 2);
  }

 private:
  enum class Outcome : uint8_t { right, doubtful, wrong };

  static uint64_t number_from(const char* variable, uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
  }

  void one(uint64_t seed, const Specimen& specimen) {
    const std::vector<std::vector<uint32_t>> sets{{6, 16, 27, 32}, {4, 8, 16, 32}, {8, 18, 30, 48},
                                                  {4, 9, 16, 25},  {5, 7, 12, 20}, {5, 8, 9, 24}};
    const std::vector<uint32_t>& sizes = sets[seed % sets.size()];
    std::vector<trace::Trace> runs;
    for (uint32_t size : sizes) runs.push_back(run_of(specimen.program, size));
    auto free = extrapolate(runs, {.times = false});
    if (!free) {
      ++refused;
      if (talks_)
        std::printf("seed %d refused: %s\n%s", static_cast<int>(seed), free.error().text().c_str(),
                    specimen.text.c_str());
      return;
    }
    std::vector<uint32_t> targets{36, 100};
    if (talks_) targets.insert(targets.end(), {60, 64, 343});
    for (uint32_t target : targets) {
      std::string why;
      Outcome outcome = outcome_at(*free, specimen.program, target, why);
      EXPECT_NE(outcome, Outcome::wrong) << "seed " << seed << " from " << sizes[0] << ".." << sizes.back()
                                         << " at " << target << ": " << why << "\n"
                                         << specimen.text << text_of(*free);
      ++(outcome == Outcome::right ? right : doubtful);
    }
  }

  static Outcome outcome_at(const trace::Trace& free, const Program& program, uint32_t target,
                            std::string& why) {
    auto here = scale::at_size(free, target);
    if (!here) return Outcome::doubtful;
    auto compared = compare::compare(*here, run_of(program, target));
    if (compared && !compared->difference) return Outcome::right;
    if (!scale::doubts_at_size(free, target).empty()) return Outcome::doubtful;
    if (compared)
      why = compared->difference->calls[0] + ", not " + compared->difference->calls[1] + " on rank " +
            std::to_string(compared->difference->rank.value_or(0));
    return Outcome::wrong;
  }

  static std::string text_of(const trace::Trace& t) {
    std::string text;
    trace::print(t, {.times = false}, [&](std::string_view piece) { text += piece; });
    return text;
  }

  bool talks_ = false;
};

}  // namespace refrain::extrapolate
