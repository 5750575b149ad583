// librefrain-trace.so: the functions of refrain.h. Nothing is thrown into C; errors are kept per thread.
#include <fmt/core.h>

#include <exception>
#include <memory>
#include <string>

#include "api/layers.hpp"
#include "c_api/refrain.h"
#include "exchange/operations.hpp"
#include "format/file.hpp"
#include "scale/at_size.hpp"

namespace {

using namespace refrain;

struct Opened {
  trace::Trace trace{};
  std::vector<exchange::CallFacts> facts{};
  uint64_t ranks = 0;
};

thread_local std::string last_error;

/// What `body()` returns, or `failed` if it throws, as it does without memory.
template <class T, class Body>
T guarded(T failed, Body body) noexcept {
  try {
    last_error.clear();
    return body();
  } catch (const std::exception& e) {
    try {
      last_error = e.what();
    } catch (...) {
    }
  } catch (...) {
  }
  return failed;
}

Result<trace::Trace> read_at(const char* path, uint64_t ranks) {
  Result<trace::Trace> whole = format::read_file(path);
  if (!whole) return whole;
  if (!whole->scale_free()) {
    if (ranks != 0 && ranks != exchange::rank_count(*whole))
      return fail(ErrorKind::usage,
                  fmt::format("not scale-free: a trace of {} ranks", exchange::rank_count(*whole)), path);
    return whole;
  }
  if (ranks == 0 || ranks > trace::RankSet::most_listed)
    return fail(ErrorKind::usage, "a scale-free trace: say for how many ranks", path);
  Result<trace::Trace> here = scale::at_size(*whole, static_cast<uint32_t>(ranks));
  if (!here) return within(path, here.error());
  return here;
}

}  // namespace

struct refrain_trace {
  std::shared_ptr<const Opened> opened;
};

struct refrain_rank {
  std::shared_ptr<const Opened> opened;
  std::unique_ptr<exchange::RankOperations> operations;
};

extern "C" {

int refrain_api_version(void) { return REFRAIN_API_VERSION; }

const char* refrain_error(void) { return last_error.c_str(); }

refrain_trace* refrain_open(const char* path, uint64_t ranks) {
  return guarded<refrain_trace*>(nullptr, [&]() -> refrain_trace* {
    if (path == nullptr) {
      last_error = "no path was given";
      return nullptr;
    }
    Result<trace::Trace> trace = read_at(path, ranks);
    if (!trace) {
      last_error = trace.error().text();
      return nullptr;
    }
    auto opened = std::make_shared<Opened>();
    opened->trace = std::move(*trace);
    opened->facts = exchange::call_facts(opened->trace);
    opened->ranks = exchange::rank_count(opened->trace);
    return new refrain_trace{std::move(opened)};
  });
}

uint64_t refrain_ranks(const refrain_trace* trace) { return trace == nullptr ? 0 : trace->opened->ranks; }

const char* refrain_command(const refrain_trace* trace) {
  return trace == nullptr ? "" : trace->opened->trace.command.c_str();
}

void refrain_close(refrain_trace* trace) { delete trace; }

refrain_rank* refrain_rank_open(const refrain_trace* trace, uint64_t rank, const char* layer,
                                uint64_t max_block) {
  return guarded<refrain_rank*>(nullptr, [&]() -> refrain_rank* {
    std::string name = layer == nullptr ? "" : layer;
    if (trace == nullptr)
      last_error = "no trace was given";
    else if (rank >= trace->opened->ranks)
      last_error = fmt::format("there is no rank {}: the trace has {}", rank, trace->opened->ranks);
    else if (!name.empty() && !api::is_layer(name))
      last_error = "there is no layer '" + name + "'";
    if (!last_error.empty()) return nullptr;
    auto made = std::make_unique<refrain_rank>();
    made->opened = trace->opened;
    made->operations = std::make_unique<exchange::RankOperations>(
        made->opened->trace, made->opened->facts, static_cast<uint32_t>(rank),
        exchange::OperationOptions{std::move(name), max_block});
    return made.release();
  });
}

int refrain_next(refrain_rank* rank, struct refrain_operation* operation) {
  return guarded<int>(-1, [&] {
    *operation = {};
    if (rank == nullptr) {
      last_error = "no rank was given";
      return -1;
    }
    using Kind = exchange::Operation::Kind;
    exchange::Operation next = rank->operations->next();
    if (next.kind == Kind::end) {
      if (!rank->operations->damaged()) return 0;
      last_error = "the trace is damaged: operations are missing";
      return -1;
    }
    static constexpr int32_t kinds[] = {REFRAIN_END,  REFRAIN_PAUSE, REFRAIN_OPEN,   REFRAIN_CLOSE,
                                        REFRAIN_READ, REFRAIN_WRITE, REFRAIN_BARRIER};
    operation->kind = kinds[static_cast<size_t>(next.kind)];
    operation->flags =
        (next.is_placed ? 0 : REFRAIN_UNPLACED) | (next.is_collective ? REFRAIN_COLLECTIVE : 0);
    operation->file = next.file;
    operation->offset = next.offset;
    operation->bytes = next.bytes;
    operation->pause_ns = next.pause_ns;
    operation->path = next.path.empty() ? nullptr : next.path.data();
    return 1;
  });
}

void refrain_rank_close(refrain_rank* rank) { delete rank; }

}  // extern "C"
