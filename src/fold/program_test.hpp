// Random programs: nested loops with fixed, dependent and random trip counts (zero and one included),
// conditionals, shared signatures, and parameters that are affine, running, periodic or random.
#pragma once

#include <vector>

#include "fold/acceptance.hpp"

namespace refrain::fold {

class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {}

  acceptance::Recording run(size_t limit) {
    limit_ = limit;
    std::vector<Statement> program;
    for (int64_t n = 1 + random_.below(5); n > 0; --n) program.push_back(statement(0));
    for (int repeat = 0; repeat < 2; ++repeat) execute(program);
    return std::move(out_);
  }

 private:
  enum class Kind { call, loop, branch };
  struct Statement {
    Kind kind;
    uint32_t call;
    int64_t trips, variant, modulus;
    int64_t coefficient[6];
    std::vector<Statement> body;
  };

  Statement statement(int depth) {
    Statement s{};
    int64_t dice = random_.below(24);
    s.kind = depth >= 4 || dice >= 11 ? Kind::call : dice < 8 ? Kind::loop : Kind::branch;
    s.call = static_cast<uint32_t>(acceptance::numbered + random_.below(12));
    s.trips = 1 + random_.below(depth == 0 ? 30 : 9);
    s.variant = random_.below(6);
    s.modulus = 2 + random_.below(5);
    for (int64_t& c : s.coefficient) c = random_.below(1000) - 200;
    if (s.kind != Kind::call)
      for (int64_t n = 1 + random_.below(4); n > 0; --n) s.body.push_back(statement(depth + 1));
    return s;
  }

  void execute(const std::vector<Statement>& body) {
    for (const Statement& s : body) {
      if (out_.size() >= limit_) return;
      if (s.kind == Kind::call) out_.add(s.call, {value(s)});
      if (s.kind == Kind::branch && taken(s)) execute(s.body);
      if (s.kind != Kind::loop) continue;
      int64_t trips = s.variant == 0 && !index_.empty() ? index_.back() % 5
                      : s.variant == 1                  ? random_.below(4)
                                                        : s.trips;
      index_.push_back(0);
      for (; index_.back() < trips; ++index_.back()) execute(s.body);
      index_.pop_back();
    }
  }

  bool taken(const Statement& s) {
    if (s.variant < 2) return !index_.empty() && index_.back() % s.modulus == 0;
    return s.variant < 4 ? random_.below(4) == 0 : !index_.empty() && index_[0] > 3;
  }

  int64_t value(const Statement& s) {
    int64_t v = s.coefficient[0];
    switch (s.variant) {
      case 0:
      case 1:
      case 2:
        for (size_t d = 0; d < index_.size() && d < 5; ++d) v += s.coefficient[d + 1] * index_[d];
        return v;
      case 3:
        return offset_ += s.coefficient[1];
      case 4:
        return random_.below(1000);
      default:
        return index_.empty() ? 0 : index_.back() * 37 % 11;
    }
  }

  acceptance::Random random_;
  acceptance::Recording out_;
  std::vector<int64_t> index_;
  int64_t offset_ = 0;
  size_t limit_ = 0;
};

}  // namespace refrain::fold
