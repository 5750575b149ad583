// The names and their order follow Darshan 3.4's darshan-posix-log-format.h, darshan-mpiio-log-format.h and
// darshan-stdio-log-format.h.
#include "exchange/darshan_counters.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "api/table.hpp"

namespace refrain::exchange {

using namespace trace;
using api::Trait;

namespace {

constexpr size_t most_sizes = 32;  ///< as many as Darshan keeps while a program runs
constexpr const char* not_in_traces = "-1";

/// Darshan's names of the classes: "0_100", "100_1K", …, "1G_PLUS".
std::string class_name(size_t k) {
  std::string name = measure::size_class_names()[k];
  std::replace(name.begin(), name.end(), '-', '_');
  if (name.ends_with('+')) name.replace(name.size() - 1, 1, "_PLUS");
  return name;
}

std::string seconds(uint64_t ns) { return fmt::format("{:.6f}", static_cast<double>(ns) / 1e9); }

class CounterList {
 public:
  void put(std::string name, std::string value) { list_.push_back({std::move(name), std::move(value)}); }
  void put(std::string name, uint64_t value) { put(std::move(name), std::to_string(value)); }
  void not_known(std::initializer_list<const char*> names) {
    for (const char* name : names) put(name, not_in_traces);
  }
  void sizes(const std::string& prefix, const measure::AccessTotals& totals) {
    for (size_t k = 0; k < totals.sizes.size(); ++k) put(prefix + class_name(k), totals.sizes[k]);
  }
  void times(uint64_t read_ns, uint64_t write_ns, uint64_t meta_ns) {
    put("F_READ_TIME", seconds(read_ns));
    put("F_WRITE_TIME", seconds(write_ns));
    put("F_META_TIME", seconds(meta_ns));
  }
  std::vector<DarshanRecord::Counter> take() { return std::move(list_); }

 private:
  std::vector<DarshanRecord::Counter> list_;
};

}  // namespace

void DarshanRecord::Direction::merge(const Direction& other) {
  bytes += other.bytes;
  max = std::max(max, other.max);
  totals.add(other.totals);
  for (size_t i = 0; i < manners.size(); ++i) manners[i] += other.manners[i];
  time_ns += other.time_ns;
}

void DarshanRecord::merge(const DarshanRecord& other) {
  read_.merge(other.read_);
  written_.merge(other.written_);
  opens_ += other.opens_;
  shared_opens_ += other.shared_opens_;
  seeks_ += other.seeks_;
  switches_ += other.switches_;
  stats_ += other.stats_;
  maps_ += other.maps_;
  syncs_ += other.syncs_;
  data_syncs_ += other.data_syncs_;
  views_ += other.views_;
  flushes_ += other.flushes_;
  meta_ns_ += other.meta_ns_;
  for (const auto& [size, count] : other.sizes_)
    if (sizes_.size() < most_sizes || sizes_.contains(size)) sizes_[size] += count;
}

/// How a transfer of MPI-IO is made: what gives a request doesn't wait, what has neither request nor status
/// is the first half of a split one.
DarshanRecord::Manner DarshanRecord::manner_of(const Call& call, const Access& access) {
  const api::Row* row = api::find_row(call.signature->function);
  bool request = false, status = false;
  if (row != nullptr)
    for (const api::Argument& a : row->arguments) {
      request |= a.kind == api::Kind::new_request;
      status |= a.kind == api::Kind::io_status;
    }
  if (request) return Manner::nonblocking;
  if (!status && access.together) return Manner::split;
  return access.together ? Manner::collective : Manner::independent;
}

void DarshanRecord::open(const Call& call) {
  bool alone =
      std::any_of(call.signature->operands.begin(), call.signature->operands.end(),
                  [](const Operand& o) { return o.kind == OperandKind::name && o.text == "MPI_COMM_SELF"; });
  ++opens_;
  shared_opens_ += !alone;
}

void DarshanRecord::transfer(const Call& call, const Access& access) {
  bool writes = access.kind == Access::Kind::write;
  Direction& d = writes ? written_ : read_;
  d.bytes += access.bytes;
  d.time_ns += call.duration_ns;
  ++d.manners[static_cast<size_t>(manner_of(call, access))];
  ++d.totals.accesses;
  ++d.totals.sizes[measure::size_class(access.bytes)];
  switches_ += moved_ && writes != wrote_last_;
  moved_ = true;
  wrote_last_ = writes;
  if (sizes_.size() < most_sizes || sizes_.contains(access.bytes)) ++sizes_[access.bytes];
  if (!access.offset) return;
  d.totals.sequential += *access.offset > d.last;
  d.totals.consecutive += *access.offset == d.last + 1;
  d.last = *access.offset + static_cast<int64_t>(access.bytes) - 1;
  d.max = std::max(d.max, d.last);
}

void DarshanRecord::add(const Call& call, const CallFacts& facts, const Access& access) {
  if (access.is_data()) return transfer(call, access);
  if (access.kind == Access::Kind::open) open(call);
  seeks_ += facts.rule.effect == measure::AccessRule::Effect::seek;
  api::Traits traits = api::traits_of(call.signature->function);
  stats_ += traits.has(Trait::tells_attributes);
  maps_ += traits.has(Trait::maps_file);
  syncs_ += traits.has(Trait::syncs_file);
  data_syncs_ += traits.has(Trait::syncs_data);
  views_ += traits.has(Trait::sets_view);
  flushes_ += traits.has(Trait::flushes_stream);
  // Darshan counts waiting for the disk as writing.
  bool writes =
      traits.has(Trait::syncs_file) || traits.has(Trait::syncs_data) || traits.has(Trait::flushes_stream);
  (writes ? written_.time_ns : meta_ns_) += call.duration_ns;
}

std::vector<DarshanRecord::Counter> DarshanRecord::counters(std::string_view module) const {
  CounterList list;
  std::vector<std::pair<uint64_t, uint64_t>> common(sizes_.begin(), sizes_.end());
  std::stable_sort(common.begin(), common.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  common.resize(4);
  auto accesses = [&] {
    for (size_t i = 0; i < 4; ++i) list.put(fmt::format("ACCESS{}_ACCESS", i + 1), common[i].first);
    for (size_t i = 0; i < 4; ++i) list.put(fmt::format("ACCESS{}_COUNT", i + 1), common[i].second);
  };
  auto manner = [](const Direction& d, Manner m) { return d.manners[static_cast<size_t>(m)]; };
  if (module == "POSIX") {
    list.put("OPENS", opens_);
    list.not_known({"FILENOS", "DUPS"});
    list.put("READS", read_.totals.accesses);
    list.put("WRITES", written_.totals.accesses);
    list.put("SEEKS", seeks_);
    list.put("STATS", stats_);
    list.put("MMAPS", maps_);
    list.put("FSYNCS", syncs_);
    list.put("FDSYNCS", data_syncs_);
    list.not_known({"RENAME_SOURCES", "RENAME_TARGETS", "RENAMED_FROM", "MODE"});
    list.put("BYTES_READ", read_.bytes);
    list.put("BYTES_WRITTEN", written_.bytes);
    list.put("MAX_BYTE_READ", static_cast<uint64_t>(read_.max));
    list.put("MAX_BYTE_WRITTEN", static_cast<uint64_t>(written_.max));
    list.put("CONSEC_READS", read_.totals.consecutive);
    list.put("CONSEC_WRITES", written_.totals.consecutive);
    list.put("SEQ_READS", read_.totals.sequential);
    list.put("SEQ_WRITES", written_.totals.sequential);
    list.put("RW_SWITCHES", switches_);
    list.not_known({"MEM_NOT_ALIGNED", "MEM_ALIGNMENT", "FILE_NOT_ALIGNED", "FILE_ALIGNMENT",
                    "MAX_READ_TIME_SIZE", "MAX_WRITE_TIME_SIZE"});
    list.sizes("SIZE_READ_", read_.totals);
    list.sizes("SIZE_WRITE_", written_.totals);
    list.not_known({"STRIDE1_STRIDE", "STRIDE2_STRIDE", "STRIDE3_STRIDE", "STRIDE4_STRIDE", "STRIDE1_COUNT",
                    "STRIDE2_COUNT", "STRIDE3_COUNT", "STRIDE4_COUNT"});
    accesses();
  } else if (module == "MPI-IO") {
    list.put("INDEP_OPENS", opens_ - shared_opens_);
    list.put("COLL_OPENS", shared_opens_);
    list.put("INDEP_READS", manner(read_, Manner::independent));
    list.put("INDEP_WRITES", manner(written_, Manner::independent));
    list.put("COLL_READS", manner(read_, Manner::collective));
    list.put("COLL_WRITES", manner(written_, Manner::collective));
    list.put("SPLIT_READS", manner(read_, Manner::split));
    list.put("SPLIT_WRITES", manner(written_, Manner::split));
    list.put("NB_READS", manner(read_, Manner::nonblocking));
    list.put("NB_WRITES", manner(written_, Manner::nonblocking));
    list.put("SYNCS", syncs_);
    list.not_known({"HINTS"});
    list.put("VIEWS", views_);
    list.not_known({"MODE"});
    list.put("BYTES_READ", read_.bytes);
    list.put("BYTES_WRITTEN", written_.bytes);
    list.put("RW_SWITCHES", switches_);
    list.not_known({"MAX_READ_TIME_SIZE", "MAX_WRITE_TIME_SIZE"});
    list.sizes("SIZE_READ_AGG_", read_.totals);
    list.sizes("SIZE_WRITE_AGG_", written_.totals);
    accesses();
  } else {
    list.put("OPENS", opens_);
    list.not_known({"FDOPENS"});
    list.put("READS", read_.totals.accesses);
    list.put("WRITES", written_.totals.accesses);
    list.put("SEEKS", seeks_);
    list.put("FLUSHES", flushes_);
    list.put("BYTES_WRITTEN", written_.bytes);
    list.put("BYTES_READ", read_.bytes);
    list.put("MAX_BYTE_READ", static_cast<uint64_t>(read_.max));
    list.put("MAX_BYTE_WRITTEN", static_cast<uint64_t>(written_.max));
  }
  list.times(read_.time_ns, written_.time_ns, meta_ns_);
  return list.take();
}

}  // namespace refrain::exchange
