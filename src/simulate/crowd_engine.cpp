// An engine for thousands of flows at a time. SimGrid divides a host anew among all that compute on it
// whenever one of them comes or goes: with n flows of different sizes that is n steps for each. But flows on
// a stage differ in their weights only, so one counter tells how far all of them are: the service given per
// unit of weight since the stage was last empty. A flow with s seconds of work and weight w that comes when
// the counter stands at c is done when it reaches c + s/w; the order of ends never changes, and a heap holds
// them.
//
// Example: A (4 s, weight 1) comes at 0, B (2 s, weight 2) at 1. The counter is 1 then; B will be done at 2,
// A at 4. Together they weigh 3, so the counter gets from 1 to 2 in 3 s: B is done at 4. A needs 2 s more,
// alone: it is done at 6.
#include <algorithm>
#include <queue>

#include "simulate/engine.hpp"

namespace refrain::simulate {

namespace {

/// Points in time closer than this part of them are the same.
constexpr double time_tolerance = 1e-13;

class CrowdEngine : public Engine {
 public:
  CrowdEngine(uint32_t stages, const FlowHandler& handler) : handler_(handler), stages_(stages) {}

  double now() const override { return now_; }

  void start(size_t flow, double delay_s, double least_s, std::vector<Work> works) override {
    if (flows_.size() <= flow) flows_.resize(flow + 1);
    flows_[flow] = {std::move(works), least_s, 0};
    at(now_ + std::max(0.0, delay_s), What::begin, flow);
  }

  void run() {
    std::vector<size_t> done;
    handler_(*this, done);
    while (!events_.empty()) {
      now_ = std::max(now_, events_.top().time);
      double until = now_ * (1 + time_tolerance);
      while (!events_.empty() && events_.top().time <= until) {
        Event event = events_.top();
        events_.pop();
        carry_out(event);
      }
      if (done_.empty()) continue;
      done.clear();
      std::swap(done, done_);
      handler_(*this, done);
    }
  }

 private:
  enum class What : uint8_t { begin, served, rested };

  struct Event {
    double time;
    uint64_t number;  ///< events at the same time happen in their order
    What what;
    size_t subject;  ///< flow, or stage
    uint64_t version;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };

  struct End {
    double counter;
    uint64_t number;
    size_t flow;
    double weight;
    bool operator>(const End& other) const {
      return counter != other.counter ? counter > other.counter : number > other.number;
    }
  };

  struct Stage {
    double counter = 0;
    double weight = 0;
    double since = 0;      ///< until when the counter counts
    uint64_t version = 0;  ///< of its next end; older events are void
    std::priority_queue<End, std::vector<End>, std::greater<>> ends{};
  };

  struct Flow {
    std::vector<Work> works{};
    double least_s = 0;
    size_t open = 0;  ///< works, and the rest
  };

  void at(double time, What what, size_t subject, uint64_t version = 0) {
    events_.push({time, ++number_, what, subject, version});
  }

  void carry_out(const Event& event) {
    switch (event.what) {
      case What::begin:
        return begin(event.subject);
      case What::rested:
        return close(event.subject);
      case What::served:
        if (stages_[event.subject].version == event.version) serve(event.subject);
    }
  }

  void begin(size_t number) {
    Flow& flow = flows_[number];
    flow.open = 1;
    for (const Work& work : flow.works) {
      if (!(work.seconds > 0)) continue;
      ++flow.open;
      Stage& stage = stages_[work.stage];
      catch_up(stage);
      stage.ends.push({stage.counter + work.seconds / work.weight, ++number_, number, work.weight});
      stage.weight += work.weight;
      forecast(work.stage);
    }
    if (flow.least_s > 0) return at(now_ + flow.least_s, What::rested, number);
    close(number);
  }

  void catch_up(Stage& stage) const {
    if (stage.weight > 0) stage.counter += (now_ - stage.since) / stage.weight;
    stage.since = now_;
  }

  void forecast(size_t number) {
    Stage& stage = stages_[number];
    ++stage.version;
    if (stage.ends.empty()) return;
    double left = std::max(0.0, stage.ends.top().counter - stage.counter) * stage.weight;
    at(now_ + left, What::served, number, stage.version);
  }

  /// The first on the stage is done, and with it whoever ends at the same time.
  void serve(size_t number) {
    Stage& stage = stages_[number];
    stage.counter = std::max(stage.counter, stage.ends.top().counter);
    stage.since = now_;
    double until = stage.counter * (1 + time_tolerance);
    while (!stage.ends.empty() && stage.ends.top().counter <= until) {
      stage.weight -= stage.ends.top().weight;
      close(stage.ends.top().flow);
      stage.ends.pop();
    }
    if (stage.ends.empty()) stage.counter = stage.weight = 0;
    forecast(number);
  }

  void close(size_t flow) {
    if (--flows_[flow].open == 0) done_.push_back(flow);
  }

  const FlowHandler& handler_;
  double now_ = 0;
  uint64_t number_ = 0;
  std::vector<Stage> stages_;
  std::vector<Flow> flows_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<size_t> done_;
};

}  // namespace

void run_crowd(uint32_t stages, const FlowHandler& handler) { CrowdEngine(stages, handler).run(); }

}  // namespace refrain::simulate
