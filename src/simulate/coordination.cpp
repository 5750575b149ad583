// See coordination.hpp. Asking in the order of the I/O nodes keeps applications from waiting for each other
// in a circle.
#include "simulate/coordination.hpp"

#include <string>

namespace refrain::simulate {

namespace {

coordinate::Settings settings_for(const schedule::Policy& policy, uint32_t io_nodes, double bandwidth) {
  coordinate::Settings settings{.policy = &policy, .lease = schedule::longest_time};
  settings.io_nodes.assign(io_nodes, {bandwidth, 1});
  return settings;
}

/// Where answers go: the application and the place of the I/O node in its list.
std::string address(uint32_t application, size_t place) {
  return std::to_string(application) + "." + std::to_string(place);
}

}  // namespace

Coordination::Coordination(const schedule::Policy& policy, uint32_t io_nodes, double bandwidth,
                           std::vector<Application> applications)
    : coordinator_(settings_for(policy, io_nodes, bandwidth), 0) {
  for (Application& application : applications) members_.push_back({.application = std::move(application)});
}

void Coordination::join(uint32_t application, double now_s) {
  const Application& a = members_[application].application;
  for (size_t i = 0; i < a.io_nodes.size(); ++i) {
    coordinate::Register message{.job = application,
                                 .io_node = a.io_nodes[i],
                                 .client = i + 1,
                                 .nodes = a.nodes,
                                 .name = a.name,
                                 .profile = a.profile};
    coordinator_.receive(schedule::from_seconds(now_s), address(application, i), message);
  }
}

void Coordination::ask_next(uint32_t application, schedule::Time now) {
  Member& member = members_[application];
  coordinator_.receive(now, address(application, member.held.size()), coordinate::Ask{member.phase, 0});
}

void Coordination::ask(uint32_t application, double now_s) {
  if (members_[application].asking) return;
  members_[application].asking = true;
  ask_next(application, schedule::from_seconds(now_s));
}

void Coordination::end(uint32_t application, double now_s) {
  Member& member = members_[application];
  for (size_t i = 0; i < member.held.size(); ++i) {
    coordinator_.receive(schedule::from_seconds(now_s), address(application, i),
                         coordinate::End{member.phase, member.held[i], 0});
    leases_.push_back({application, member.application.io_nodes[i], member.granted_s[i], now_s});
  }
  if (!member.held.empty()) ++member.phase;
  member.held.clear();
  member.granted_s.clear();
  member.asking = false;
}

void Coordination::leave(uint32_t application, double now_s) {
  end(application, now_s);
  for (size_t i = 0; i < members_[application].application.io_nodes.size(); ++i)
    coordinator_.receive(schedule::from_seconds(now_s), address(application, i), coordinate::Leave{});
}

void Coordination::granted(uint32_t application, const coordinate::Granted& message, double now_s,
                           std::vector<uint32_t>& complete) {
  Member& member = members_[application];
  member.held.push_back(message.lease);
  member.granted_s.push_back(now_s);
  if (member.held.size() == member.application.io_nodes.size())
    complete.push_back(application);
  else
    ask_next(application, schedule::from_seconds(now_s));
}

std::vector<uint32_t> Coordination::settle(double now_s) {
  std::vector<uint32_t> complete;
  while (true) {
    coordinator_.settle(schedule::from_seconds(now_s));
    std::vector<coordinate::Outgoing> messages = coordinator_.take_messages();
    coordinator_.take_events();
    bool any = false;
    for (const coordinate::Outgoing& sent : messages) {
      const auto* message = std::get_if<coordinate::Granted>(&sent.message);
      if (message == nullptr) continue;
      any = true;
      granted(static_cast<uint32_t>(std::stoul(sent.address)), *message, now_s, complete);
    }
    if (!any) return complete;
  }
}

}  // namespace refrain::simulate
