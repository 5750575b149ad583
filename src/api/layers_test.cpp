#include "api/layers.hpp"

#include <gtest/gtest.h>

#include "api/names.hpp"
#include "api/steps.hpp"
#include "api/table.hpp"

namespace refrain::api {
namespace {

TEST(Layers, ReferToEachOther) {
  for (const LayerFacts& layer : layers) {
    EXPECT_TRUE(is_layer(layer.home)) << layer.name;
    EXPECT_TRUE(is_layer(layer.stream)) << layer.name;
    EXPECT_FALSE(layer.check.empty()) << layer.name;
  }
  EXPECT_EQ(layer_named("mpiio").home, "mpi");
  EXPECT_EQ(layer_named("mpi").stream, "mpiio");
  EXPECT_EQ(layer_named("nonsense").name, "");
  EXPECT_FALSE(is_layer(""));
}

TEST(Layers, AreFoundByTheirFunctions) {
  EXPECT_EQ(layer_of_symbol("MPI_File_open"), "mpiio");
  EXPECT_EQ(layer_of_symbol("MPI_Init"), "mpi");
  EXPECT_EQ(layer_of_symbol("H5Fopen"), "hdf5");
  EXPECT_EQ(layer_of_symbol("open"), "");
  for (const Row& row : rows()) {
    const LayerFacts& found = layer_named(layer_of_symbol(row.name));
    bool of_library = row.is_function && !layer_named(row.layer).prefix.empty();
    EXPECT_TRUE(!of_library || found.home == layer_named(row.layer).home) << row.name;
  }
}

TEST(Layers, HaveAModeThatOnlyReadsWhereFilesHaveAFormat) {
  for (const LayerFacts& layer : layers) {
    EXPECT_EQ(layer.has_format, !layer.reading_mode.empty()) << layer.name;
    EXPECT_FALSE(layer.has_format && layer.has_positions) << layer.name;
  }
  EXPECT_EQ(value_of(Kind::h5_access, layer_named("hdf5").reading_mode), 0);
  EXPECT_EQ(value_of(Kind::nc_open_mode, layer_named("pnetcdf").reading_mode), 0);
}

TEST(Traits, AreThoseThatRowsName) {
  for (size_t i = 0; i < static_cast<size_t>(Trait::end); ++i) {
    bool named = false;
    for (const Row& row : rows()) named |= row.is(static_cast<Trait>(i));
    EXPECT_TRUE(named) << "trait " << i << " of traits.def is no function's";
  }
  EXPECT_TRUE(traits_of("unlink").has(Trait::removes_file));
  EXPECT_TRUE(traits_of("rename").has_any({Trait::removes_file, Trait::renames_file}));
  EXPECT_FALSE(traits_of("nonsense").has(Trait::removes_file));
}

TEST(Steps, AreOfFunctionsThatHaveARow) {
#define STEPS(function, check, text, replayed) EXPECT_NE(find_row(#function), nullptr) << #function;
#include "api/layers.def"
  EXPECT_EQ(steps_of("fread").check, "STDIO_ITEMS_READ");
  EXPECT_EQ(steps_of("pwrite").text, "");
}

}  // namespace
}  // namespace refrain::api
