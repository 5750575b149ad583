#include "cli/headers.hpp"

#include <gtest/gtest.h>

namespace refrain::cli {
namespace {

using Names = std::vector<std::string>;

TEST(Headers, FindsPrototypesHoweverTheyAreWritten) {
  const char* text = R"(
#ifdef __cplusplus
extern "C" {
#endif
/* int MPI_Comment(void); */
OMPI_DECLSPEC  int MPI_Send(const void *buf, int count,
                            MPI_Comm comm);  // int MPI_Line(void);
int MPI_Recv(void *buf) MPICH_API_PUBLIC;
H5_DLL herr_t
H5Dwrite (hid_t id, H5D_operator_t (*op)(void *, MPI_Offset));
__attribute__((visibility("default"))) double MPI_Wtime(void) __mpi_interface_deprecated__("MPI_Old(x); was");
#define MPI_Macro(a) \
    MPI_Macro_body(a);
typedef int (MPI_Copy_function)(MPI_Comm, int);
struct MPI_Status { int (*MPI_Member)(int); };
enum { MPI_A = 1, MPI_B };
static inline int MPI_Inline(int x) { return MPI_Called(x); }
extern int PMPI_Send(const void *buf);
OMPI_DECLSPEC extern int MPI_VARIABLE;
int MPI_After(void);
#ifdef __cplusplus
}
#endif
)";
  EXPECT_EQ(declared_functions(text, "MPI_"), (Names{"MPI_After", "MPI_Recv", "MPI_Send", "MPI_Wtime"}));
  EXPECT_EQ(declared_functions(text, "H5"), (Names{"H5Dwrite"}));
}

TEST(Headers, AnyTextIsReadWithoutHarm) {
  for (const char* text : {"", "/*", "\"", "#", "}}}", "{{{", "(", "MPI_", "MPI_Send(", "\\", "//", "#\\\n"})
    EXPECT_TRUE(declared_functions(text, "MPI_").empty()) << text;
}

TEST(Headers, NoHeadersNoLibraries) { EXPECT_TRUE(installed_libraries({"/nonexistent"}).empty()); }

}  // namespace
}  // namespace refrain::cli
