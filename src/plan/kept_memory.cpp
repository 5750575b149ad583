#include "plan/kept_memory.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::plan {
namespace {

struct KeptRow {
  std::string_view function, argument;
  Kept kept;
};

constexpr KeptRow kept_rows[] = {
    {"H5Tencode", "buf", Kept::encoded_type},
    {"H5Tencode", "nalloc", Kept::length},
    {"H5Tdecode", "buf", Kept::encoded_type},
    {"H5Sencode", "buf", Kept::encoded_space},
    {"H5Sencode", "nalloc", Kept::length},
    {"H5Sdecode", "buf", Kept::encoded_space},
    {"H5Pencode", "buf", Kept::encoded_list},
    {"H5Pencode", "nalloc", Kept::length},
    {"H5Pdecode", "buf", Kept::encoded_list},
    {"H5Rcreate", "ref", Kept::object_reference},
    {"H5Rdereference1", "ref", Kept::object_reference},
    {"H5Rdereference2", "ref", Kept::object_reference},
    {"H5Rget_name", "ref", Kept::object_reference},
    {"H5Rget_obj_type1", "ref", Kept::object_reference},
    {"H5Rget_obj_type2", "ref", Kept::object_reference},
    {"H5Rget_region", "ref", Kept::object_reference},
    {"H5Lget_val", "buf", Kept::link_value},
    {"H5Lget_val_by_idx", "buf", Kept::link_value},
    {"H5Lunpack_elink_val", "ext_linkval", Kept::link_value},
};

}  // namespace

Kept kept_memory(const trace::Signature& signature, std::string_view argument) {
  if (signature.layer != "hdf5") return Kept::none;
  const auto* row = std::find_if(std::begin(kept_rows), std::end(kept_rows), [&](const KeptRow& r) {
    return r.function == signature.function && r.argument == argument;
  });
  if (row == std::end(kept_rows)) return Kept::none;
  bool of_region = std::any_of(signature.operands.begin(), signature.operands.end(), [](const auto& o) {
    return o.kind == trace::OperandKind::name && o.text == "H5R_DATASET_REGION";
  });
  return row->kept == Kept::object_reference && of_region ? Kept::region_reference : row->kept;
}

}  // namespace refrain::plan
