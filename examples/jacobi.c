// A solver that alternates computing and writing: Jacobi iterations on a 2-D grid, one block per rank, which
// exchange their borders with their neighbors. Every few iterations the whole field goes to one file, a
// frame behind the frame before, through a view of the rank's block and a collective write.
#include "checked_mpi.h"
#include "decompose.h"
#include "gate.h"
#include "options.h"

enum { dimensions = 2 };

static int edge = 32;
static int iterations = 40;
static int interval = 10;
static const char* blocks_text = "";
static int think = 0;
static const char* file_name = "jacobi.dat";
static const char* gate_path = "";
static const char* gate_name = "jacobi";

// A rank's block with a border of one cell on each side.
struct field {
  MPI_Comm grid;
  int blocks[dimensions];
  int mine[dimensions];
  int width;
  double* now;
  double* next;
  MPI_Datatype column;
  MPI_Datatype inner;
};

static double* cell(double* values, const struct field* field, int row, int column) {
  return values + row * field->width + column;
}

// The left side of the whole grid is hot, the rest cold.
static void begin(struct field* field) {
  size_t cells = (size_t)field->width * (size_t)field->width;
  field->now = check_memory(calloc(cells, sizeof(double)));
  field->next = check_memory(calloc(cells, sizeof(double)));
  if (field->mine[1] != 0) return;
  for (int row = 0; row < field->width; ++row) {
    *cell(field->now, field, row, 0) = 100.0;
    *cell(field->next, field, row, 0) = 100.0;
  }
}

static struct field make_field(int ranks) {
  struct field field = {.width = edge + 2};
  const int periods[dimensions] = {0, 0};
  int rank = 0;
  choose_blocks(blocks_text, ranks, dimensions, field.blocks);
  check_mpi(MPI_Cart_create(MPI_COMM_WORLD, dimensions, field.blocks, periods, 0, &field.grid),
            "MPI_Cart_create");
  check_mpi(MPI_Comm_rank(field.grid, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Cart_coords(field.grid, rank, dimensions, field.mine), "MPI_Cart_coords");

  int sizes[dimensions] = {field.width, field.width};
  int part[dimensions] = {edge, edge};
  int starts[dimensions] = {1, 1};
  check_mpi(MPI_Type_vector(edge, 1, field.width, MPI_DOUBLE, &field.column), "MPI_Type_vector");
  check_mpi(MPI_Type_commit(&field.column), "MPI_Type_commit");
  check_mpi(MPI_Type_create_subarray(dimensions, sizes, part, starts, MPI_ORDER_C, MPI_DOUBLE, &field.inner),
            "MPI_Type_create_subarray");
  check_mpi(MPI_Type_commit(&field.inner), "MPI_Type_commit");
  begin(&field);
  return field;
}

static void exchange_borders(struct field* field) {
  for (int d = 0; d < dimensions; ++d) {
    int before = MPI_PROC_NULL;
    int behind = MPI_PROC_NULL;
    check_mpi(MPI_Cart_shift(field->grid, d, 1, &before, &behind), "MPI_Cart_shift");
    int count = d == 0 ? edge : 1;
    MPI_Datatype type = d == 0 ? MPI_DOUBLE : field->column;
    double* first = cell(field->now, field, 1, 1);
    double* last = d == 0 ? cell(field->now, field, edge, 1) : cell(field->now, field, 1, edge);
    double* above = d == 0 ? cell(field->now, field, 0, 1) : cell(field->now, field, 1, 0);
    double* below = d == 0 ? cell(field->now, field, edge + 1, 1) : cell(field->now, field, 1, edge + 1);
    check_mpi(MPI_Sendrecv(last, count, type, behind, 0, above, count, type, before, 0, field->grid,
                           MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    check_mpi(MPI_Sendrecv(first, count, type, before, 1, below, count, type, behind, 1, field->grid,
                           MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }
}

// Returns how much the field has changed.
static double iterate(struct field* field) {
  double change = 0.0;
  for (int row = 1; row <= edge; ++row) {
    for (int column = 1; column <= edge; ++column) {
      double value =
          0.25 * (*cell(field->now, field, row - 1, column) + *cell(field->now, field, row + 1, column) +
                  *cell(field->now, field, row, column - 1) + *cell(field->now, field, row, column + 1));
      double difference = value - *cell(field->now, field, row, column);
      change += difference * difference;
      *cell(field->next, field, row, column) = value;
    }
  }
  double* before = field->now;
  field->now = field->next;
  field->next = before;
  return change;
}

static MPI_File open_frames(const struct field* field, MPI_Datatype* block) {
  int sizes[dimensions] = {field->blocks[0] * edge, field->blocks[1] * edge};
  int part[dimensions] = {edge, edge};
  int starts[dimensions] = {field->mine[0] * edge, field->mine[1] * edge};
  check_mpi(MPI_Type_create_subarray(dimensions, sizes, part, starts, MPI_ORDER_C, MPI_DOUBLE, block),
            "MPI_Type_create_subarray");
  check_mpi(MPI_Type_commit(block), "MPI_Type_commit");
  MPI_File file = MPI_FILE_NULL;
  check_mpi(MPI_File_open(field->grid, file_name, MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file),
            "MPI_File_open");
  check_mpi(MPI_File_set_size(file, 0), "MPI_File_set_size");
  return file;
}

static void write_frame(MPI_File file, struct field* field, MPI_Datatype block, int frame) {
  MPI_Offset frame_bytes =
      (MPI_Offset)field->blocks[0] * field->blocks[1] * edge * edge * (MPI_Offset)sizeof(double);
  MPI_Status status;
  check_mpi(MPI_File_set_view(file, frame * frame_bytes, MPI_DOUBLE, block, "native", MPI_INFO_NULL),
            "MPI_File_set_view");
  check_mpi(MPI_File_write_all(file, field->now, 1, field->inner, &status), "MPI_File_write_all");
  check_count(&status, field->inner, 1, "MPI_File_write_all");
}

int main(int argc, char** argv) {
  const struct option_row rows[] = {
      {"edge", "rows and columns of a rank's block", &edge, 1, NULL},
      {"dims", "blocks along each dimension, as in 4x2; 0 or nothing: chosen for you", NULL, 0, &blocks_text},
      {"iterations", "iterations to compute", &iterations, 0, NULL},
      {"interval", "iterations from one frame to the next", &interval, 1, NULL},
      {"file", "the file to write", NULL, 0, &file_name},
      {"think", "microseconds to sleep in each iteration, for more computing than there is", &think, 0, NULL},
      {"gate", "socket of somebody who grants I/O; see gate.h", NULL, 0, &gate_path},
      {"gate-name", "what to call ourselves there", NULL, 0, &gate_name},
      {NULL, NULL, NULL, 0, NULL}};
  read_options(argc, argv, "Jacobi iterations on a 2-D grid, the field written now and then", rows);
  if (edge > 8192) refuse(argv[0], "more than this example is for", "--edge");
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  int rank = 0;
  int ranks = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");

  int gate = rank == 0 ? open_gate(argv[0], gate_path, gate_name) : -1;
  struct field field = make_field(ranks);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_File file = open_frames(&field, &block);
  double change = 0.0;
  int frames = 0;
  for (int i = 1; i <= iterations; ++i) {
    exchange_borders(&field);
    double mine = iterate(&field);
    check_mpi(MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_SUM, field.grid), "MPI_Allreduce");
    if (think > 0) usleep((useconds_t)think);
    if (i % interval != 0) continue;
    if (rank == 0) enter_gate(gate);
    if (gate_path[0] != '\0') check_mpi(MPI_Barrier(field.grid), "MPI_Barrier");
    write_frame(file, &field, block, frames++);
    if (rank == 0) leave_gate(gate);
  }
  check_mpi(MPI_File_close(&file), "MPI_File_close");
  check_mpi(MPI_Type_free(&block), "MPI_Type_free");
  check_mpi(MPI_Type_free(&field.inner), "MPI_Type_free");
  check_mpi(MPI_Type_free(&field.column), "MPI_Type_free");
  check_mpi(MPI_Comm_free(&field.grid), "MPI_Comm_free");
  free(field.now);
  free(field.next);
  if (rank == 0) printf("%d frames written to %s; the last change was %.3e\n", frames, file_name, change);
  check_mpi(MPI_Finalize(), "MPI_Finalize");
  return 0;
}
