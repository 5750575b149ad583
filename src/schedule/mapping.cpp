// The table of mappings. See mapping.hpp.
#include "schedule/mapping.hpp"

#include <fmt/core.h>

#include <array>

#include "base/check.hpp"

namespace refrain::schedule {

namespace {

constexpr std::array<MappingName, 5> mapping_table = {{
    {MappingKind::first_fit, "first-fit", "packs that fit in nodes, whatever their I/O"},
    {MappingKind::make_pack, "make-pack", "packs that fit in nodes and whose I/O fits in S"},
    {MappingKind::backfill, "make-pack+backfill", "such packs, and later jobs fill what they leave free"},
    {MappingKind::easy, "easy", "no packs: jobs start as nodes and I/O load allow, with a reservation"},
    {MappingKind::portfolio, "portfolio",
     "the best of many, none of whose stretches is worse than make-pack's"},
}};

}  // namespace

std::span<const MappingName> mapping_names() { return mapping_table; }

std::string_view name_of(MappingKind kind) {
  for (const MappingName& row : mapping_table) {
    if (row.kind == kind) return row.name;
  }
  return {};
}

Result<MappingKind> find_mapping(std::string_view name) {
  std::string names;
  for (const MappingName& row : mapping_table) {
    if (row.name == name) return row.kind;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return fail(ErrorKind::usage, "no mapping is named '" + std::string(name) + "'; there are " + names);
}

std::string mapping_text(const Mapping& mapping) {
  std::string name(name_of(mapping.kind));
  if (mapping.kind == MappingKind::first_fit) return name;
  return mapping.by_load ? name + " S=alpha" : fmt::format("{} S={}", name, mapping.sensibility);
}

double sensibility_of(const Workload& workload, const Mapping& mapping) {
  if (mapping.kind == MappingKind::first_fit) return any_load;
  return mapping.by_load ? io_load(workload) : mapping.sensibility;
}

std::unique_ptr<Mapper> mapper_of_packs(const Workload& workload, const Mapping& mapping,
                                        std::vector<Pack> packs, std::vector<std::vector<size_t>> order) {
  if (mapping.kind != MappingKind::backfill) return pack_mapper(std::move(packs), std::move(order));
  return backfill_mapper(std::move(packs), std::move(order), workload, sensibility_of(workload, mapping));
}

Plan make_plan(const Workload& workload, const Mapping& mapping) {
  REFRAIN_CHECK(mapping.kind != MappingKind::portfolio);
  double sensibility = sensibility_of(workload, mapping);
  if (mapping.kind == MappingKind::easy) return {easy_mapper(workload, sensibility)};
  Costs costs(workload);
  Plan plan{nullptr, make_packs(workload, costs, sensibility)};
  plan.mapper = mapper_of_packs(workload, mapping, plan.packs, place_packs(workload, costs, plan.packs));
  return plan;
}

}  // namespace refrain::schedule
