// The rules about parallel HDF5, each on a job that has the fault and on one that hasn't.
#include <gtest/gtest.h>

#include "advise/made_up_job.hpp"

namespace refrain::advise {
namespace {

using namespace made_up;

/// Four ranks that write a dataset of a file, a row of rows each.
struct Program {
  bool parallel = true;
  const char* mode = "H5FD_MPIO_COLLECTIVE";
  int64_t bytes = 8 * mib;
  int64_t turns = 10;
  bool alignment = true;
  int64_t offset_below = 65536;
  const char* function_below = "MPI_File_write_at_all";
  int64_t chunk = 0;      ///< rows
  int64_t rows = 1000;    ///< of each rank
  int64_t objects = 0;    ///< opened in a loop
  bool together = false;  ///< metadata
  int64_t attributes = 0;

  Names rules() const {
    Job job(4);
    std::vector<Node> nodes{
        job.call("hdf5", "H5Pcreate", {name("H5P_FILE_ACCESS")}, slot("plist", 0), 4, us)};
    auto set = [&](const char* function, std::vector<Word> arguments) {
      nodes.push_back(job.call("hdf5", function, std::move(arguments), number(0), 4, us));
    };
    if (parallel) set("H5Pset_fapl_mpio", {slot("plist", 0), name("MPI_COMM_WORLD"), name("MPI_INFO_NULL")});
    if (alignment) set("H5Pset_alignment", {slot("plist", 0), number(1), number(mib)});
    if (together) set("H5Pset_all_coll_metadata_ops", {slot("plist", 0), number(1)});
    if (together) set("H5Pset_coll_metadata_write", {slot("plist", 0), number(1)});
    nodes.push_back(job.call("hdf5", "H5Fcreate",
                             {job.path("a.h5"), name("H5F_ACC_TRUNC"), name("H5P_DEFAULT"), slot("plist", 0)},
                             slot("file", 0), 4, us));
    nodes.push_back(job.call("hdf5", "H5Pcreate", {name("H5P_DATASET_CREATE")}, slot("plist", 1), 4, us));
    if (chunk > 0) set("H5Pset_chunk", {slot("plist", 1), number(2), list({constant(chunk), constant(100)})});
    nodes.push_back(job.call("hdf5", "H5Dcreate2",
                             {slot("file", 0), job.path("/data"), name("H5T_NATIVE_DOUBLE"), slot("space", 9),
                              name("H5P_DEFAULT"), slot("plist", 1), name("H5P_DEFAULT")},
                             slot("dataset", 0), 4, us));
    nodes.push_back(job.call("hdf5", "H5Dget_space", {slot("dataset", 0)}, slot("space", 0), 4, us));
    set("H5Sselect_hyperslab", {slot("space", 0), name("H5S_SELECT_SET"), list({by_rank(rows), constant(0)}),
                                name("NULL"), list({constant(rows), constant(100)}), name("NULL")});
    nodes.push_back(job.call("hdf5", "H5Pcreate", {name("H5P_DATASET_XFER")}, slot("plist", 2), 4, us));
    if (*mode != 0) set("H5Pset_dxpl_mpio", {slot("plist", 2), name(mode)});
    auto calls = static_cast<uint64_t>(4 * turns);
    nodes.push_back(loop(turns, {job.call("hdf5", "H5Dwrite",
                                          {slot("dataset", 0), name("H5T_NATIVE_DOUBLE"), name("H5S_ALL"),
                                           slot("space", 0), slot("plist", 2), data_written(bytes)},
                                          number(0), calls, 200 * ms)}));
    if (objects > 0)
      nodes.push_back(loop(
          objects,
          {job.call("hdf5", "H5Dopen2", {slot("file", 0), job.path("/d", by_turn(1)), name("H5P_DEFAULT")},
                    slot("dataset", 1), static_cast<uint64_t>(4 * objects), 100 * ms)}));
    if (attributes > 0) {
      nodes.push_back(job.call("hdf5", "H5Acreate2",
                               {slot("file", 0), job.path("time"), name("H5T_NATIVE_DOUBLE"),
                                slot("space", 9), name("H5P_DEFAULT"), name("H5P_DEFAULT")},
                               slot("attribute", 0), 4, us));
      nodes.push_back(loop(
          attributes,
          {job.call("hdf5", "H5Awrite", {slot("attribute", 0), name("H5T_NATIVE_DOUBLE"), data_written(8)},
                    number(0), static_cast<uint64_t>(4 * attributes), 100 * ms)}));
    }
    job.outer(std::move(nodes));
    job.inside(
        "mpiio",
        {job.call("mpiio", "MPI_File_open", {name("MPI_COMM_WORLD"), job.path("a.h5"), name("MPI_MODE_RDWR")},
                  slot("fh", 0), 4, us),
         loop(turns,
              {job.call("mpiio", function_below,
                        {slot("fh", 0), offset(by_rank(offset_below, 4 * offset_below)), data_written(bytes)},
                        nothing(), calls, 150 * ms)})});
    job.inside("posix",
               {job.call("posix", "open", {job.path("a.h5")}, slot("fd", 0), 4, us),
                loop(turns, {job.call("posix", "pwrite",
                                      {slot("fd", 0), offset(by_rank(offset_below, 4 * offset_below))},
                                      written(bytes), calls, 100 * ms)})});
    return job.rules();
  }
};

TEST(Hdf5Rules, NothingIsSaidWhereNothingIsWrong) {
  EXPECT_EQ(Program{}.rules(), Names{});
  EXPECT_EQ((Program{.chunk = 500, .objects = 500, .together = true}.rules()), Names{});
}

TEST(Hdf5Rules, IndependentTransfers) {
  EXPECT_EQ(
      (Program{
          .mode = "H5FD_MPIO_INDEPENDENT", .bytes = mib, .turns = 100, .function_below = "MPI_File_write_at"}
           .rules()),
      Names{"independent-transfers"});
  EXPECT_EQ((Program{.mode = "", .bytes = mib, .turns = 100, .function_below = "MPI_File_write_at"}.rules()),
            Names{"independent-transfers"});
  EXPECT_EQ(
      (Program{.mode = "", .bytes = 64 * mib, .turns = 100, .function_below = "MPI_File_write_at"}.rules()),
      Names{});
  EXPECT_EQ(Program{.attributes = 5000}.rules(), Names{}) << "have no transfer property list";
  EXPECT_EQ((Program{.parallel = false, .mode = "", .bytes = mib, .turns = 100}.rules()), Names{});
}

TEST(Hdf5Rules, BrokenCollectives) {
  EXPECT_EQ((Program{.function_below = "MPI_File_write_at"}.rules()), Names{"broken-collectives"});
}

TEST(Hdf5Rules, UnalignedObjects) {
  EXPECT_EQ((Program{.alignment = false, .offset_below = 5000}.rules()), Names{"unaligned-objects"});
  EXPECT_EQ((Program{.alignment = true, .offset_below = 5000}.rules()), Names{});
  EXPECT_EQ((Program{.alignment = false, .offset_below = 65536}.rules()), Names{});
}

TEST(Hdf5Rules, CrossedChunks) {
  EXPECT_EQ((Program{.chunk = 300}.rules()), Names{"crossed-chunks"});
  EXPECT_EQ((Program{.chunk = 1000}.rules()), Names{});
  EXPECT_EQ((Program{.chunk = 250}.rules()), Names{});
}

TEST(Hdf5Rules, IndependentMetadata) {
  EXPECT_EQ((Program{.objects = 500}.rules()), Names{"independent-metadata"});
  EXPECT_EQ((Program{.objects = 5}.rules()), Names{});
}

}  // namespace
}  // namespace refrain::advise
