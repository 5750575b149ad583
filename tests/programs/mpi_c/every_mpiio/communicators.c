// Groups and communicators by every constructor, and files that are open on some of the ranks only.
#include "every_mpiio.h"

// Every rank of the communicator writes its number; the file is called after the first of them in the world.
static void use(const char* what, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  int mine = 0;
  int size = 0;
  int first = rank;
  MUST(MPI_Comm_rank(comm, &mine));
  MUST(MPI_Comm_size(comm, &size));
  MUST(MPI_Bcast(&first, 1, MPI_INT, 0, comm));
  char name[64];
  snprintf(name, sizeof name, "comm_%s_%d", what, first);
  MPI_File file = open_fresh(comm, name);
  MUST(MPI_File_write_at_all(file, mine * (MPI_Offset)sizeof mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
  MUST(MPI_File_close(&file));
  note("%s: rank %d of %d, first %d", what, mine, size, first);
}

static void describe_group(const char* what, MPI_Group* group) {
  int size = 0;
  int mine = 0;
  MUST(MPI_Group_size(*group, &size));
  MUST(MPI_Group_rank(*group, &mine));
  note("group %s: %d members, I am %d", what, size, mine == MPI_UNDEFINED ? -1 : mine);
  MUST(MPI_Group_free(group));
}

void make_groups(void) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group first = MPI_GROUP_NULL;
  MPI_Group rest = MPI_GROUP_NULL;
  MPI_Group made = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  const int zero = 0;
  int even[1][3] = {{0, ranks - 1, 2}};
  MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
  MUST(MPI_Group_incl(world, 1, &zero, &first));
  MUST(MPI_Group_excl(world, 1, &zero, &rest));
  MUST(MPI_Group_range_excl(world, 1, even, &made));
  describe_group("odd", &made);
  MUST(MPI_Group_union(rest, first, &made));
  int order = 0;
  MUST(MPI_Group_compare(made, world, &order));
  int translated = 0;
  MUST(MPI_Group_translate_ranks(first, 1, &zero, made, &translated));
  note("the first is %d in the union, which is the world: %d", translated, order != MPI_UNEQUAL);
  describe_group("union", &made);
  MUST(MPI_Group_intersection(first, rest, &made));
  describe_group("intersection", &made);
  MUST(MPI_Group_difference(world, first, &made));
  describe_group("difference", &made);

  MUST(MPI_Group_range_incl(world, 1, even, &made));
  MUST(MPI_Comm_create(MPI_COMM_WORLD, made, &comm));
  use("create", comm);
  if (comm != MPI_COMM_NULL) MUST(MPI_Comm_free(&comm));
  if (rank % 2 == 0) {
    MUST(MPI_Comm_create_group(MPI_COMM_WORLD, made, 3, &comm));
    use("create_group", comm);
    MUST(MPI_Comm_free(&comm));
  }
  describe_group("even", &made);
  MUST(MPI_Group_free(&rest));
  MUST(MPI_Group_free(&first));
  MUST(MPI_Group_free(&world));
}

// Every rank knows the whole graph: each is a neighbor of the next.
static void ring(void) {
  MPI_Comm graph = MPI_COMM_NULL;
  int* ends = malloc((size_t)ranks * sizeof *ends);
  int* edges = malloc((size_t)ranks * sizeof *edges);
  if (ends == NULL || edges == NULL) MPI_Abort(MPI_COMM_WORLD, 4);
  for (int r = 0; r < ranks; ++r) {
    ends[r] = r + 1;
    edges[r] = (r + 1) % ranks;
  }
  MUST(MPI_Graph_create(MPI_COMM_WORLD, ranks, ends, edges, 0, &graph));
  use("graph", graph);
  MUST(MPI_Comm_free(&graph));
  free(edges);
  free(ends);
}

static void topologies(void) {
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Comm row = MPI_COMM_NULL;
  MPI_Comm graph = MPI_COMM_NULL;
  int dims[2] = {0, 0};
  const int periods[2] = {1, 0};
  const int keep[2] = {0, 1};
  int coordinates[2];
  MUST(MPI_Dims_create(ranks, 2, dims));
  MUST(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
  MUST(MPI_Cart_coords(grid, rank, 2, coordinates));
  MUST(MPI_Cart_sub(grid, keep, &row));
  note("grid %d x %d, at %d, %d", dims[0], dims[1], coordinates[0], coordinates[1]);
  use("cart", grid);
  use("cart_sub", row);
  MUST(MPI_Comm_free(&row));
  MUST(MPI_Comm_free(&grid));
  const int next = (rank + 1) % ranks;
  const int before = (rank + ranks - 1) % ranks;
  const int weight = 1;
  MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &weight, 1, &next, &weight, MPI_INFO_NULL,
                                      0, &graph));
  use("dist_graph", graph);
  MUST(MPI_Comm_free(&graph));
  const int degree = 1;
  MUST(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &next, &weight, MPI_INFO_NULL, 0, &graph));
  use("dist_graph_of_all", graph);
  MUST(MPI_Comm_free(&graph));
  ring();
}

// Even and odd ranks on the two sides of a bridge, and merged again.
static void two_sides(void) {
  if (ranks < 2) return;
  MPI_Comm side = MPI_COMM_NULL;
  MPI_Comm bridge = MPI_COMM_NULL;
  MPI_Comm merged = MPI_COMM_NULL;
  int there = 0;
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &side));
  MUST(MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - rank % 2, 8, &bridge));
  MUST(MPI_Comm_remote_size(bridge, &there));
  MUST(MPI_Intercomm_merge(bridge, rank % 2, &merged));
  note("%d on the other side", there);
  use("merged", merged);
  MUST(MPI_Comm_free(&merged));
  MUST(MPI_Comm_free(&bridge));
  MUST(MPI_Comm_free(&side));
}

void make_communicators(void) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  int order = 0;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_name(comm, "a copy of the world"));
  MUST(MPI_Comm_get_name(comm, name, &length));
  MUST(MPI_Comm_compare(comm, MPI_COMM_WORLD, &order));
  note("%s: congruent %d", name, order == MPI_CONGRUENT);
  use("dup", comm);
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm));
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request));
  MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
  use("idup", comm);
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &comm));
  use("split", comm);
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &comm));
  use("split_without_0", comm);
  if (comm != MPI_COMM_NULL) MUST(MPI_Comm_free(&comm));
  MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm));
  use("node", comm);
  MUST(MPI_Comm_free(&comm));
  topologies();
  two_sides();
  use("self", MPI_COMM_SELF);
}
