// The mappings: which jobs run where and with whom. Each has a mapper of its own, made by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "schedule/packs.hpp"
#include "schedule/simulation.hpp"

namespace refrain::schedule {

enum class MappingKind : uint8_t { first_fit, make_pack, backfill, easy, portfolio };

struct Mapping {
  MappingKind kind = MappingKind::make_pack;
  double sensibility = 1;  ///< S of the paper: the I/O load that may come together, 1 is all the bandwidth
  bool by_load = false;    ///< S is the workload's own load α instead
  bool operator==(const Mapping&) const = default;
};

struct MappingName {
  MappingKind kind;
  std::string_view name;
  std::string_view summary;
};

std::span<const MappingName> mapping_names();
std::string_view name_of(MappingKind kind);
Result<MappingKind> find_mapping(std::string_view name);

/// "make-pack S=1", "easy S=1.5", "make-pack S=alpha", "first-fit"
std::string mapping_text(const Mapping& mapping);

/// A mapper, and its packs if it makes any. Not for `portfolio`, which is a choice among several runs.
struct Plan {
  std::unique_ptr<Mapper> mapper;
  std::vector<Pack> packs{};
};
Plan make_plan(const Workload& workload, const Mapping& mapping);

/// S as a number: that of the mapping, the load of the workload, or `any_load`.
double sensibility_of(const Workload& workload, const Mapping& mapping);
/// The mapper of a mapping with packs that exist already.
std::unique_ptr<Mapper> mapper_of_packs(const Workload& workload, const Mapping& mapping,
                                        std::vector<Pack> packs, std::vector<std::vector<size_t>> order);

/// Packs one after another on each partition, in the given order (see place_packs); the next pack starts when
/// all jobs of the one before have ended and all its own are released.
std::unique_ptr<Mapper> pack_mapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order);
/// The same, and jobs of packs that have not started yet fill nodes and bandwidth that the running pack
/// leaves free, if they should end before it.
std::unique_ptr<Mapper> backfill_mapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order,
                                        const Workload& workload, double sensibility);
/// No packs: see easy.cpp.
std::unique_ptr<Mapper> easy_mapper(const Workload& workload, double sensibility);

}  // namespace refrain::schedule
