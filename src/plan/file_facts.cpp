#include "plan/file_facts.hpp"

#include <algorithm>

namespace refrain::plan {

void FileFacts::use(Actor actor) {
  if (made_by_ == actor) return;
  used_ = true;
  deeds_[actor].used_first = true;
}

void FileFacts::make(Actor actor, bool surely) {
  Deeds& d = deeds_[actor];
  if (surely || d.gone) {
    d.made_anew = true;
    d.written = d.appended = 0;
  }
  d.gone = false;
  if (made_by_ != actor) made_unseen_ |= !d.used_first;
  made_by_ = actor;
  if (first_maker_ == nobody)
    first_maker_ = actor;
  else if (first_maker_ != actor)
    other_maker_ = actor;
}

void FileFacts::remove(Actor actor) {
  use(actor);
  Deeds& d = deeds_[actor];
  d.gone = true;
  d.written = d.appended = 0;
}

void FileFacts::write(Actor actor, uint64_t end) {
  Deeds& d = deeds_[actor];
  d.written = std::max(d.written, end);
  d.furthest = std::max(d.furthest, end);
}

void FileFacts::append(Actor actor, uint64_t bytes) {
  Deeds& d = deeds_[actor];
  d.appended += bytes;
  d.furthest = unmeasured;
}

bool FileFacts::reach(Actor actor, uint64_t end) {
  Deeds& d = deeds_[actor];
  if (end <= d.appended || end <= d.written) return false;
  d.found = std::max(d.found, end - d.appended);
  return true;
}

void FileFacts::need(Actor actor, uint32_t signature, size_t operand, Awaited what) {
  if (made_by_ != actor) users_.insert({signature, operand, what, actor});
}

uint64_t FileFacts::written_by_others(Actor actor) const {
  uint64_t furthest = 0;
  for (const auto& [other, d] : deeds_)
    if (other != actor) furthest = std::max(furthest, d.furthest);
  return furthest;
}

bool FileFacts::holds_unwritten() const {
  return std::any_of(deeds_.begin(), deeds_.end(), [&](const auto& of) {
    const auto& [actor, d] = of;
    return !d.made_anew && d.found > 0 && d.found > written_by_others(actor);
  });
}

bool FileFacts::is_input(bool complete) const {
  if (!is_made()) return used_;
  return !made_unseen_ || (complete && holds_unwritten());
}

uint64_t FileFacts::size() const {
  uint64_t most = 0;
  for (const auto& [actor, d] : deeds_)
    if (!d.made_anew || !is_made()) most = std::max(most, d.found);
  return most;
}

bool FileFacts::made_anew_by_others(Actor actor) const {
  auto own = deeds_.find(actor);
  return (own == deeds_.end() || !own->second.made_anew) &&
         std::any_of(deeds_.begin(), deeds_.end(), [](const auto& of) { return of.second.made_anew; });
}

void FileFacts::await(AwaitedPaths& awaited, bool in_turns) const {
  bool any = false;
  for (const auto& [signature, operand, what, actor] : users_) {
    if (!others_make(actor) || (what == Awaited::end_of_writing && !made_anew_by_others(actor))) continue;
    Awaited how = in_turns && what == Awaited::file ? Awaited::end_of_turn : what;
    auto [found, fresh] = awaited.try_emplace({signature, operand}, how);
    if (!fresh && found->second != Awaited::turn)
      found->second = how;  // the call opens another file in turns
    any = true;
  }
  if (any && in_turns)
    for (const auto& argument : openings) awaited[argument] = Awaited::turn;
}

bool FileFacts::is_changed() const {
  return std::any_of(openers.begin(), openers.end(), [](const auto& of) { return of.second; });
}

bool FileFacts::is_open_at_once() const {
  for (const Span& a : spans) {
    if (a.opened == a.closed) continue;  // otherwise it is the other one that passes a barrier
    for (const Span& b : spans)
      if (a.actor != b.actor && (a.alone || b.alone) && a.opened < b.closed && b.opened < a.closed)
        return true;
  }
  return false;
}

void FileFacts::await_turns(AwaitedPaths& awaited) const {
  if (is_changed() && openers.size() > 1)
    for (const auto& argument : openings) awaited[argument] = Awaited::turn;
}

void FileFacts::contend(const Attempt& attempt) { attempts_.insert(attempt); }

template <class Does>
bool FileFacts::others(Actor actor, Does does) const {
  return std::any_of(attempts_.begin(), attempts_.end(),
                     [&](const Attempt& a) { return a.actor != actor && does(a); });
}

void FileFacts::find_races(trace::Races& races, AwaitedPaths& awaited) const {
  for (const auto& [actor, signature] : told_ends_)
    if (written_by_others(actor) > 0) races.try_emplace(signature, trace::Race::position);
  for (const Attempt& a : attempts_) {
    bool removed = others(a.actor, [](const Attempt& b) { return b.how == Contest::remove && !b.failed; });
    bool contended =
        a.how != Contest::ask && others(a.actor, [&](const Attempt& b) { return b.how == a.how; });
    if (contended || (a.opens && !a.failed && removed)) races.try_emplace(a.signature, trace::Race::outcome);
    if (a.how == Contest::ask && (a.failed || !a.opens)) {
      auto waiting = awaited.find({a.signature, a.operand});
      if (removed && waiting != awaited.end() && waiting->second == Awaited::file)
        waiting->second = Awaited::moment;
      if (removed || (a.failed && others_make(a.actor)))
        races[a.signature] = trace::Race::attempt;
      else if (others_make(a.actor))
        races.try_emplace(a.signature, trace::Race::question);
    }
    if (a.how == Contest::remove && a.failed && removed) awaited[{a.signature, a.operand}] = Awaited::absence;
  }
}

}  // namespace refrain::plan
