// Hand-made traces; see sample.hpp. Signatures are numbered in the order of the tables below.
#include "trace/sample.hpp"

namespace refrain::trace::sample {
namespace {

using K = OperandKind;

Operand fd(int32_t thread = Operand::own_thread) { return {.kind = K::slot, .text = "fd", .thread = thread}; }
Operand path(uint32_t fields) { return {.kind = K::text, .width = fields}; }
Operand name(const char* text) { return {.kind = K::name, .text = text}; }
Operand integer(Role role = Role::plain) { return {.kind = K::integer, .role = role}; }
Operand data() { return {.kind = K::data}; }

Template literal(const char* text) {
  std::vector<int64_t> fields;
  return Template::parse(text, fields);
}

Signature call(const char* function, std::vector<Operand> operands, Operand result,
               Bracket bracket = Bracket::neither) {
  Signature s{.function = function, .layer = "posix", .site = 0x1000};
  s.bracket = bracket;
  s.operands = std::move(operands);
  s.result = std::move(result);
  return s;
}

Signature failed(Signature s, const char* error) {
  s.error = error;
  s.result = {};
  return s;
}

Process process(uint32_t pid, const char* program, Ending ending, std::vector<Node> nodes) {
  Process p{.pid = pid, .parent_pid = 1, .program = program};
  p.arguments = {program, "-v"};
  p.directory = "/home/someone";
  p.start_ns = 1'700'000'000'000'000'000 + pid;
  p.elapsed_ns = 2'500'000'000;
  p.ending = ending;
  p.streams.push_back({.nodes = std::move(nodes)});
  return p;
}

enum Calls : uint32_t {
  openat_call,
  read_call,
  write_call,
  open_call,
  pwrite_call,
  close_call,
  stat_call,
  lseek_call,
  writev_call,
  readlist_call,
  odd_call,
  fwrite_call,
  void_call,
  dup_call,
};

std::vector<Signature> signatures() {
  Signature fwrite = call("fwrite", {{.kind = K::sized_data, .role = Role::bytes_written}}, integer());
  fwrite.layer = "stdio";
  fwrite.operands.push_back({.kind = K::slot, .text = "stream"});
  return {
      call("openat", {name("AT_FDCWD"), path(0), name("O_RDONLY")}, fd(), Bracket::opens),
      call("read", {fd(), data(), integer(Role::size)}, integer(Role::bytes_read)),
      call("write", {fd(), data(), integer(Role::size)}, integer(Role::bytes_written)),
      call("open", {path(1), name("O_WRONLY|O_CREAT|O_TRUNC"), name("0644")}, fd(), Bracket::opens),
      call("pwrite", {fd(), data(), integer(Role::size), integer(Role::offset)},
           integer(Role::bytes_written)),
      call("close", {fd()}, integer(), Bracket::closes),
      failed(call("stat", {path(0), data()}, integer()), "ENOENT"),
      call("lseek", {fd(), integer(Role::offset), name("SEEK_SET")}, integer(Role::offset)),
      call("writev", {fd(), {.kind = K::list, .role = Role::size, .width = 3}}, integer(Role::bytes_written)),
      call("readlist", {fd(2), {.kind = K::long_list}}, {}),
      call("odd\nname", {path(2), name("A\"B\x01")}, {}),
      fwrite,
      call("sync", {}, {}),
      call("dup", {fd()}, fd(0)),
  };
}

std::vector<Node> copy_nodes() {
  return {
      event(openat_call, {number(0), number(0)}),
      event(openat_call, {number(1), number(1)}),
      loop(number(8), {event(read_call, {number(0), number(131072), number(131072)}, 8),
                       event(write_call, {number(1), number(131072), number(131072)}, 8)}),
      loop(number(10),
           {event(open_call, {number(2), affine(0, {1}), number(0)}, 10),
            loop(affine(1, {1}),
                 {event(pwrite_call,
                        {number(0), number(65536), affine(2048, {1048576, 65536}), number(65536)}, 55)}),
            event(close_call, {number(0), number(0)}, 10)}),
      event(stat_call, {number(3)}),
  };
}

/// Values that no other sample has: counter, running, copy, separable, column, indifferent slopes.
std::vector<Node> value_nodes() {
  Value counter{.form = Form::counter, .base = 100, .step = -7};
  Value running{.form = Form::running, .base = 0, .step = 1, .parameter = 1};
  Value copied{.form = Form::copy, .base = -4, .parameter = 2, .sibling = 0};
  Value separable = column({5, 90, 7, 6});
  separable.form = Form::separable;
  separable.base = 3, separable.slopes = {1000, 0}, separable.depth = 1;
  Value lengths = column({10, 20, 30, 7, 7, 7, 9, 1, 2, 3, 4, 0});
  Value names = column({4, 5, 4, 5, 4, 5, 5, 5, 4, 4, 4, 4});
  return {loop(number(3),
               {loop(number(4), {event(pwrite_call, {number(0), lengths, running, lengths}, 12),
                                 event(lseek_call, {number(0), copied, separable}, 12),
                                 event(odd_call, {names, affine(0, {Value::any_slope, 1}), counter}, 12)})}),
          loop(column({2}),
               {event(writev_call, {affine(0, {1}), number(1), affine(2, {1}), number(-3), number(6)}, 2)})};
}

/// A choice of a single event, a group, and a loop.
std::vector<Node> choice_nodes() {
  Node group = block(NodeKind::group, {},
                     {event(readlist_call, {number(0), number(0)}, 2),
                      event(readlist_call, {number(0), column({1, 7})}, 2), event(void_call, {}, 2)});
  Node arm = loop(number(2), {event(dup_call, {number(1), affine(2, {0, 1})}, 4)});
  Node first = event(fwrite_call, {affine(512, {64}), number(1), number(0)}, 3);
  Node choice = block(NodeKind::choice, column({0, 1, 0, 2, 1, 2, 0}), {first, group, arm});
  choice.ranks = RankSet::of({0, 4, 8, 12});
  return {loop(number(7), {choice})};
}

/// What merged ranks have: nodes of some ranks, numbers that depend on the rank in every place, lists of such
/// numbers, alternatives.
std::vector<Node> rank_nodes() {
  auto table = [](std::vector<int64_t> values) { return Number(Column::of(values)); };
  RankExpression rank = RankExpression::rank();
  Value places{.base = Number(rank * RankExpression::constant(4096)), .slopes = {Number(rank % 4), 65536}};
  Value counter{.form = Form::counter, .base = Number(rank / 4), .step = Number(rank)};
  Value running{.form = Form::running, .base = Number(rank), .step = 1, .parameter = 1};
  Value neighbors{.form = Form::separable, .base = 2, .slopes = {7}, .depth = 1};
  neighbors.entries = {Number(rank ^ RankExpression::constant(1)), 5,
                       Number(rank ^ RankExpression::constant(2))};
  Value lengths{.form = Form::column,
                .base = table({9, 2, 4, 7}),
                .column = std::make_shared<const Column>(Column::of({0, 3, 1, 8, 8, 2}))};
  Value by_rank{.form = Form::by_rank};
  by_rank.alternatives = {{RankSet::of({0, 8}), lengths}, {RankSet::of({4, 12}), number(512)}};
  by_rank.alternatives[0].value.base = table({100, 50});
  Node some =
      loop(number(2), {loop(number(3), {event(pwrite_call, {number(0), lengths, running, by_rank}, 24)})});
  some.ranks = RankSet::of({0, 4, 8, 12});
  return {
      loop(number(2), {loop(number(3), {event(pwrite_call, {number(0), places, counter, neighbors}, 96)})}),
      some};
}

/// One list per encoding of a column, in the order of their codes.
std::vector<Column> lists_of_every_encoding() {
  std::vector<int64_t> sizes, offsets, colors, mostly_small, wandering, mixed(500, 0), flags(500, 0);
  int64_t offset = 1'000'000, place = 0;
  for (int64_t k = 0; k < 60; ++k) {
    int64_t irregular = k * k * 7 % 31;
    sizes.push_back(irregular);
    offsets.push_back(offset += 4096 + 64 * irregular);
    colors.push_back(irregular % 3 == 0 ? 17 : irregular % 3 == 1 ? 5'000'000 : -40'000'000);
    mostly_small.push_back(k % 20 == 19 ? 1'000'000'007 + k : k * k * 7919 % 127);
    wandering.push_back(place += k % 13 == 5 ? 70'000 * (irregular - 15) : irregular % 5 - 2);
  }
  mixed[77] = mixed[290] = 1, mixed[300] = 9;
  for (size_t k = 0; k < 40; ++k) flags[(k * k * 113 + 31) % 500] = 4096;
  Column nested({{5, 1000, 3000, 2}, {7, 0, 2, 0}}, {{{0, 1, 3, 0}}, {{0, 100, 2, 1}}});
  std::vector<Column> lists{nested};
  for (const auto& values : {sizes, offsets, colors, mostly_small, wandering, mixed})
    lists.push_back(Column::of(values));
  lists.push_back(Column({{0, 512, 70'000, 0}, {7, 0, 9000, 0}, {-5, -1, 300, 0}}, {}));
  lists.push_back(Column::of(flags));
  return lists;
}

}  // namespace

Node event(uint32_t signature, std::vector<Value> parameters, uint64_t executions) {
  Node node{.signature = signature, .parameters = std::move(parameters)};
  for (uint64_t i = 1; i <= executions; ++i) {
    node.timing.gap.add(10 * i);
    node.timing.duration.add(i);
  }
  return node;
}

Node block(NodeKind kind, Value count, std::vector<Node> body) {
  return {.kind = kind, .count = std::move(count), .body = std::move(body)};
}

Value affine(int64_t base, const std::vector<int64_t>& slopes) {
  return {.base = base, .slopes = {slopes.begin(), slopes.end()}};
}

Value column(const std::vector<int64_t>& values) {
  return {.form = Form::column, .column = std::make_shared<const Column>(Column::of(values))};
}

Trace copy() {
  Trace t{.command = "cp big.bin copy.bin", .host = "node7", .recorder = "0.1.0"};
  t.layers = {"posix", "stdio"};
  t.templates = {literal("big.bin"), literal("copy.bin"), literal("out/part_00000.dat"), literal("missing")};
  t.signatures = signatures();
  t.processes.push_back(process(41, "/usr/bin/cp", Ending::exited, copy_nodes()));
  return t;
}

Trace everything() {
  Trace t = copy();
  t.command = "sh -c \"all of it\"\n";
  t.notes = {"process 77 could not be recorded: statically linked"};
  t.nprocs = 16;
  t.templates.push_back(literal("a{b}1_02\\"));
  t.templates.push_back(literal("c1d2\xff"));
  t.lists.push_back(Column::of({1, 2, 3, 4, 100, 50, 0, -50, 7}));
  for (Column& list : lists_of_every_encoding()) t.lists.push_back(std::move(list));

  Process worker = process(42, "/opt/bin/wor\"ker", Ending::exited, value_nodes());
  worker.ranks = RankSet::range(0, 16);
  worker.loss = {.no_space = 1, .in_handlers = 2, .abandoned = 3, .unknown = 4};
  worker.ended_early = RankSet::of({3});
  worker.losses = {{7, worker.loss}};
  worker.streams.push_back({.thread = 1, .nodes = choice_nodes()});
  worker.streams.push_back({.thread = 2, .nodes = rank_nodes()});
  worker.streams.push_back({.thread = 3, .ranks = RankSet::of({5, 6}), .nodes = {event(void_call, {}, 2)}});
  worker.streams.push_back({.thread = 0, .layer = "posix", .prefix = 2, .nodes = {event(void_call, {}, 16)}});
  t.processes.push_back(std::move(worker));
  t.processes.push_back(process(43, "/bin/true", Ending::replaced, {}));
  return t;
}

Trace scale_free() {
  using E = RankExpression;
  auto constant = [](int64_t n) { return E::constant(n); };
  Trace t{.command = "sample", .layers = {"posix"}};
  t.sizes = {4, 8};
  t.signatures.resize(3);
  t.signatures[0].function = "pwrite";
  t.signatures[0].operands = {Operand{.kind = OperandKind::integer}, Operand{.kind = OperandKind::integer}};
  t.signatures[1].function = "sync";
  Process& p = t.processes.emplace_back();
  p.ranks = RankSet::where(constant(1));
  Stream& s = p.streams.emplace_back();
  Value offset{.base = Number(E::rank() * E::quotient(constant(1 << 20), E::nprocs())), .slopes = {8}};
  auto list = std::make_shared<ListLaw>();
  list->element = E::remainder(E::index(), E::logarithm(E::nprocs()) + constant(1));
  list->length = E::nprocs();
  Node write{.parameters = {offset, Value{.form = Form::column, .law = list}}};
  Node loop{.kind = NodeKind::loop, .count = {.base = Number(E::quotient(constant(1024), E::nprocs()))}};
  loop.body.push_back(std::move(write));
  s.nodes.push_back(std::move(loop));
  s.nodes.push_back(Node{.ranks = RankSet::where(E::equal(E::rank() % 16, constant(0))), .signature = 1});
  t.signatures[2].function = "MPI_Type_create_indexed_block";
  t.signatures[2].operands = {Operand{.kind = OperandKind::law_list}, Operand{.kind = OperandKind::integer}};
  s.nodes.push_back(
      Node{.signature = 2,
           .parameters = {Value{.base = Number(E::nprocs() - constant(1))},
                          Value{.base = Number(E::index() * E::nprocs() + E::rank())}, Value::constant(7)}});
  s.nodes[0].body[0].timing = event(0, {}, 4096).timing;
  TimingLaw law;
  law.models[0].factors = {100, 2.5e6F, 0, 0};
  law.models[2].factors = {0, 0, 12, 0.5F};
  law.models[4].factors = {50000, 0, -500, 0};
  s.nodes[0].body[0].time_law = std::make_shared<const TimingLaw>(law);
  p.elapsed_law.factors = {1e9F, 8e9F, 0, 0};
  t.doubts.push_back({.where = "pwrite, argument 1",
                      .reason = "another law fits, too",
                      .chosen = E::quotient(E::nprocs(), constant(2)) + E::root(E::nprocs(), 3),
                      .other = E::grid(E::nprocs(), 2, 0) + E::divisor(E::nprocs(), constant(2))});
  return t;
}

Trace law_names() {
  using E = RankExpression;
  Trace t = scale_free();
  Signature& s = t.signatures.emplace_back();
  s.function = "MPI_Type_create_struct";
  s.layer = "mpi";
  s.operands = {Operand{.kind = OperandKind::law_list},
                Operand{.kind = OperandKind::law_names, .text = "MPI_INT, mpitype, MPI_DOUBLE", .width = 3}};
  t.processes[0].streams[0].nodes.push_back(
      Node{.signature = 3,
           .parameters = {Value{.base = Number(E::nprocs())}, Value::constant(1), Value::constant(1),
                          Value::constant(2), Value{.base = Number(E::nprocs() - E::constant(3))}}});
  return t;
}

Trace powers() {
  using E = RankExpression;
  Trace t{.command = "sample", .layers = {"posix"}, .nprocs = 4};
  t.signatures.resize(1);
  t.signatures[0].function = "pwrite";
  t.signatures[0].layer = "posix";
  t.signatures[0].operands.resize(3, Operand{.kind = OperandKind::integer});
  auto power = [](Number factor, int64_t ratio, Value rest = {}) {
    rest.form = Form::power;
    rest.step = std::move(factor);
    rest.ratio = ratio;
    return rest;
  };
  Value own = power(Number(E::rank() * E::constant(64) + E::constant(64)), 2, affine(-64, {1 << 20}));
  Value inner = power(3, 2, affine(0, {1, 8}));
  Value tables = power(Number(Column::of({1, 5, 0, 2})), 3, {.base = Number(E::power(7, E::rank()))});
  Value some{.form = Form::by_rank};
  some.alternatives = {{RankSet::of({0, 2}), power(-3, 10)}, {RankSet::of({1, 3}), number(9)}};
  Process& p = t.processes.emplace_back();
  p.ranks = RankSet::range(0, 4);
  Node turns = loop(power(1, 2), {event(0, {inner, number(8), number(8)}, 60)});
  p.streams.push_back({.nodes = {loop(number(4), {event(0, {power(16, 2), own, tables}, 16), turns,
                                                  event(0, {some, power(5, 3), number(8)}, 16)})}});
  return t;
}

Trace made_names() {
  Trace t{.command = "sample", .layers = {"posix", "hdf5"}};
  t.templates = {{{"part_\001", "\002.txt"}, {0}}, {{"folder_\001", ",", "\002/part"}, {0, 0}}};
  t.signatures.resize(3);
  const char* functions[] = {"mkstemps", "unlink", "H5Awrite"};
  for (size_t i = 0; i < 3; ++i) {
    t.signatures[i].function = functions[i];
    t.signatures[i].layer = i < 2 ? "posix" : "hdf5";
  }
  t.signatures[0].operands = {{.kind = OperandKind::text, .width = 1}, {.kind = OperandKind::integer}};
  t.signatures[0].result = {.kind = OperandKind::slot, .text = "fd"};
  t.signatures[1].operands = {{.kind = OperandKind::text, .width = 2}};
  t.signatures[2].operands = {{.kind = OperandKind::slot, .text = "attribute"},
                              {.kind = OperandKind::slot, .text = "type"},
                              {.kind = OperandKind::sized_data, .role = Role::bytes_written},
                              {.kind = OperandKind::list, .width = 3}};
  Process& p = t.processes.emplace_back();
  Node make = event(0, {number(0), affine(0, {1}), number(4), number(0)}, 5);
  Node remove = event(1, {number(1), number(7), number(2)}, 1);
  Node write = event(2, {number(0), number(1), number(48), number(2), number(-1), number(0)}, 1);
  p.streams.push_back({.nodes = {loop(number(5), {make}), remove, write}});
  return t;
}

Trace tree() {
  using E = RankExpression;
  constexpr uint32_t ranks = 20;
  Trace t{.command = "sample", .layers = {"posix"}, .nprocs = ranks};
  t.signatures.resize(1);
  t.signatures[0].function = "read";
  t.signatures[0].layer = "posix";
  t.signatures[0].operands = {{.kind = OperandKind::integer}};
  t.signatures[0].result = {.kind = OperandKind::integer};
  E left = E::constant(ranks) - E::rank();
  E rounds = E::minimum(E::logarithm(E::rank() & (E::constant(0) - E::rank())),
                        E::logarithm(left * E::constant(2) - E::constant(1)));
  E all = E::select(E::equal(E::rank(), E::constant(0)), E::constant(5), rounds);
  Process& p = t.processes.emplace_back();
  p.ranks = RankSet::range(0, ranks);
  p.streams.push_back(
      {.nodes = {loop(Value{.base = Number(all)}, {event(0, {affine(0, {1}), number(4)}, 1)})}});
  return t;
}

Trace heat() {
  Trace t = tree();
  HeatMap& ranks = t.processes[0].heat;
  ranks.width_log2 = 20;
  ranks.first_bin = 1'700'000'000'000'000'000 >> 20;
  for (uint32_t rank = 0; rank < 20; rank += 2) {
    HeatRow& row = ranks.rows.emplace_back();
    row.number = rank;
    row.cells.push_back({0, HeatKind::other, 0, 1 << 14});
    if (rank % 4 == 0) row.cells.push_back({3, HeatKind::read, 4096, 5 << 14});
    row.cells.push_back({255, HeatKind::written, rank % 4 == 0 ? 1 : uint64_t{rank} << 30, 64 << 14});
  }
  Process& alone = t.processes.emplace_back(process(7, "/bin/cp", Ending::exited, {}));
  alone.heat.first_bin = 1'700'000'000'000'000'000 >> alone.heat.width_log2;
  alone.heat.rows = {{0, {{0, HeatKind::read, 100, 1}, {0, HeatKind::written, 100, 3}}}};
  return t;
}

Trace pipeline() {
  Trace t{.command = "sample", .layers = {"posix"}};
  t.signatures.resize(1);
  t.signatures[0].function = "write";
  t.signatures[0].layer = "posix";
  t.signatures[0].operands = {{.kind = OperandKind::integer}};
  t.signatures[0].result = {.kind = OperandKind::integer, .role = Role::bytes_written};
  using enum Step::Kind;
  std::vector<Node> calls{loop(number(4), {event(0, {affine(0, {1}), number(100)}, 4)})};
  auto add = [&](const char* program, Ending ending, bool works, std::vector<Step> steps) {
    auto number = static_cast<uint32_t>(t.processes.size());
    Process& p = t.processes.emplace_back(process(100 + number, program, ending, {}));
    p.streams.clear();
    if (works) p.streams.push_back({.nodes = calls});
    p.steps = std::move(steps);
  };
  add("/bin/sh", Ending::exited, false,
      {{starts, 0, 1}, {starts, 0, 3}, {starts, 0, 5}, {awaits, 0, 5}, {awaits, 0, 1}, {awaits, 0, 3}});
  add("/bin/sh", Ending::replaced, true, {{becomes, 4, 2}});
  add("/bin/tar", Ending::exited, true, {{tells, 1, 0}, {tells, 4, 1}});
  add("/bin/sh", Ending::replaced, false, {{becomes, 0, 4}});
  add("/bin/gzip", Ending::exited, true, {{hears, 0, 0}, {hears, 3, 1}});
  add("/bin/true", Ending::exited, false, {});
  return t;
}

Trace side_by_side() {
  using E = RankExpression;
  Trace t{.command = "sample", .layers = {"mpi"}, .nprocs = 4};
  t.signatures.resize(1);
  t.signatures[0].function = "MPI_Type_create_hindexed";
  t.signatures[0].layer = "mpi";
  t.signatures[0].operands = {Operand{.kind = OperandKind::list, .width = 9}};
  std::vector<Value> parameters;
  for (int64_t k = 0; k < 3; ++k)
    parameters.push_back(column({4896 + 512 * k, 98392 + 576 * k, 201864 + 1024 * k, 377464 + 576 * k}));
  for (int64_t k = 0; k < 3; ++k) {
    Value v{.form = Form::column};
    for (int64_t i = 0; i < 4; ++i) {
      E row = E::lookup(Column::of({10016 + 512 * k, 45968 + i, 7930 * k + i}), E::rank() % 3);
      v.entries.emplace_back(row + E::rank() / 3 * E::constant(93496 + 64 * k * i));
    }
    parameters.push_back(std::move(v));
  }
  for (int64_t k = 0; k < 3; ++k) {
    Value v{.form = Form::column, .base = Number(Column::of({70000 + k, 50 * k, 91234, 1}))};
    for (int64_t i = 0; i < 4; ++i) v.entries.emplace_back(Column::of({i, 70001 * k, 5 + k, 81000 * i}));
    parameters.push_back(std::move(v));
  }
  Process& p = t.processes.emplace_back();
  p.ranks = RankSet::range(0, 4);
  p.streams.push_back({.nodes = {loop(number(4), {event(0, std::move(parameters), 4)})}});
  return t;
}

}  // namespace refrain::trace::sample
