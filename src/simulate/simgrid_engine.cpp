// The engine on SimGrid. A stage is a host that computes one unit per second, work on it is an execution with
// a priority, and SimGrid shares hosts among executions by max-min fairness.
//
// Ranks are no actors: one actor, the driver, calls the handler, and a pool of workers carries out flows. A
// worker sleeps, starts the executions of its flow, waits for them and tells the driver, which goes on when
// all workers that are done at this time have told it. So the cost is that of the flows, not of the ranks.
// The order matters to SimGrid.
// clang-format off
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
// clang-format on

#include <memory>
#include <string>

#include "simulate/simgrid_engine.hpp"

namespace refrain::simulate {

namespace {

namespace s4u = simgrid::s4u;

constexpr int stack_kib = 64;

/// Differences between versions of SimGrid.
template <class Body>
void add_actor(s4u::Engine& engine, const std::string& name, s4u::Host* host, Body body) {
#if SIMGRID_VERSION >= 40100
  (void)engine;
  host->add_actor(name, body);
#elif SIMGRID_VERSION >= 40000
  engine.add_actor(name, host, body);
#else
  (void)engine;
  s4u::Actor::create(name, host, body);
#endif
}

s4u::NetZone* add_zone(s4u::Engine& engine) {
#if SIMGRID_VERSION >= 40000
  return engine.get_netzone_root()->add_netzone_full("machine");
#else
  (void)engine;
  return s4u::create_full_zone("machine");
#endif
}

s4u::Host* add_host(s4u::NetZone* zone, const std::string& name) {
#if SIMGRID_VERSION >= 40000
  return zone->add_host(name, 1.0);
#else
  return zone->create_host(name, 1.0);
#endif
}

void set_precision() {
#if SIMGRID_VERSION >= 33400
  s4u::Engine::set_config("precision/timing:1e-12");
  s4u::Engine::set_config("precision/work-amount:1e-12");
#else
  s4u::Engine::set_config("surf/precision:1e-12");
  s4u::Engine::set_config("maxmin/precision:1e-12");
#endif
}

struct Flow {
  size_t number = 0;
  double delay_s = 0;
  double least_s = 0;
  std::vector<Work> works{};
};

class SimGridEngine : public Engine {
 public:
  SimGridEngine(s4u::Engine& engine, std::vector<s4u::Host*> hosts, const FlowHandler& handler)
      : engine_(engine), hosts_(std::move(hosts)), handler_(handler), told_(s4u::Semaphore::create(0)) {}

  double now() const override { return s4u::Engine::get_clock(); }

  void start(size_t flow, double delay_s, double least_s, std::vector<Work> works) override {
    if (idle_.empty()) {
      size_t number = workers_.size();
      workers_.push_back(std::make_unique<Worker>(s4u::Semaphore::create(0)));
      idle_.push_back(number);
      add_actor(engine_, "worker", hosts_.front(), [this, number] { work(*workers_[number], number); });
    }
    size_t chosen = idle_.back();
    idle_.pop_back();
    workers_[chosen]->flow = {flow, delay_s, least_s, std::move(works)};
    ++running_;
    workers_[chosen]->wake->release();
  }

  void drive() {
    std::vector<size_t> done;
    handler_(*this, done);
    while (running_ > 0) {
      told_->acquire();
      // Others that are done at this time come first.
      s4u::this_actor::yield();
      done.clear();
      std::swap(done, done_);
      if (done.empty()) continue;
      running_ -= done.size();
      handler_(*this, done);
    }
    ended_ = true;
    for (auto& worker : workers_) worker->wake->release();
  }

 private:
  struct Worker {
    explicit Worker(s4u::SemaphorePtr semaphore) : wake(std::move(semaphore)) {}
    s4u::SemaphorePtr wake;
    Flow flow{};
    std::vector<s4u::ExecPtr> executions{};
  };

  void work(Worker& worker, size_t number) {
    while (true) {
      worker.wake->acquire();
      if (ended_) return;
      carry_out(worker);
      done_.push_back(worker.flow.number);
      idle_.push_back(number);
      told_->release();
    }
  }

  void carry_out(Worker& worker) {
    if (worker.flow.delay_s > 0) s4u::this_actor::sleep_for(worker.flow.delay_s);
    double began = now();
    for (const Work& work : worker.flow.works) {
      if (!(work.seconds > 0)) continue;
      // Not Host::exec_init, which in version 3.32 computes on the host of the caller.
      s4u::ExecPtr execution = s4u::Exec::init();
      execution->set_flops_amount(work.seconds);
      execution->set_host(hosts_[work.stage]);
      execution->set_priority(work.weight);
      execution->start();
      worker.executions.push_back(std::move(execution));
    }
    for (s4u::ExecPtr& execution : worker.executions) execution->wait();
    worker.executions.clear();
    double left = began + worker.flow.least_s - now();
    if (left > 0) s4u::this_actor::sleep_for(left);
  }

  s4u::Engine& engine_;
  std::vector<s4u::Host*> hosts_;
  const FlowHandler& handler_;
  s4u::SemaphorePtr told_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<size_t> idle_;
  std::vector<size_t> done_;
  size_t running_ = 0;
  bool ended_ = false;
};

}  // namespace

}  // namespace refrain::simulate

__attribute__((visibility("default"))) void refrain_run_simgrid(
    uint32_t stages, const refrain::simulate::FlowHandler& handler) {
  using namespace refrain::simulate;
  std::string program = "refrain";
  std::string quiet = "--log=root.thresh:error";
  char* arguments[] = {program.data(), quiet.data(), nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments);
  s4u::Engine::set_config("contexts/stack-size:" + std::to_string(stack_kib));
  set_precision();
  s4u::NetZone* zone = add_zone(engine);
  std::vector<s4u::Host*> hosts;
  for (uint32_t i = 0; i < stages || i < 1; ++i) hosts.push_back(add_host(zone, "stage" + std::to_string(i)));
  zone->seal();
  SimGridEngine driver(engine, std::move(hosts), handler);
  add_actor(engine, "driver", engine.get_all_hosts().front(), [&driver] { driver.drive(); });
  engine.run();
}
