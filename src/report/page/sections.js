"use strict";
// The sections of the report, one function each: from a run's data to an element, or null where there is nothing
// to show. Data is that of `refrain info --json` with all tables.

const section = (id, title, ...content) => h("section", {id, "aria-labelledby": id + "-title"},
  h("h2", {id: id + "-title"}, title), content);

const isIo = (f) => f.layer !== "mpi";
const lostCalls = (info) => info.processes.reduce((sum, p) => sum + Object.values(p.lost).reduce((a, b) => a + b, 0), 0);

const metricBoxes = (metrics) => h("div", {class: "metrics"}, metrics.map(([name, value, text, label]) =>
  h("div", {class: "metric", "data-metric": name, "data-value": value}, h("b", null, text || "–"), h("span", null, label))));

// What a run comes to; the rows of the head and of the comparison.
function metricsOf(run) {
  const info = run.info, outer = info.outer, elapsed = info.span_ns, who = info.nprocs || info.processes.length;
  // While somebody was in I/O; without a heat map, as long as the rank that was longest.
  const busy = info.busy_ns || Math.max(0, ...info.rank_table.groups.map((g) => g.io_ns));
  const io = outer.functions.filter(isIo).reduce((sum, f) => sum + f.time_ns, 0);
  const moved = outer.bytes_read + outer.bytes_written;
  const about = (ns) => ns ? (info.times_are_estimates ? "about " : "") + durationText(ns) : "";  // some traces have no times
  return [
    ["ranks", who, grouped(who), info.nprocs ? (who === 1 ? "rank" : "ranks") : who === 1 ? "process" : "processes"],
    ["elapsed", elapsed, about(elapsed), "from start to end"],
    ["read", outer.bytes_read, bytesText(outer.bytes_read), "read"],
    ["written", outer.bytes_written, bytesText(outer.bytes_written), "written"],
    ["files", info.file_count, (info.files_complete ? "" : "more than ") + grouped(info.file_count), info.file_count === 1 ? "file opened" : "files opened"],
    ["calls", outer.calls, grouped(outer.calls), "calls, folded into " + counted(info.nodes, "node", "nodes")],
    ["io_time", io, about(io), "inside I/O calls" + (who === 1 ? "" : info.nprocs ? ", all ranks" : ", all processes")],
    ["io_share", elapsed ? busy / elapsed : 0, elapsed ? percentText(Math.min(1, busy / elapsed)) : "", "of the time somebody did I/O"],
    ["bandwidth", busy ? moved / busy : 0, busy && moved ? rateText(moved, busy) : "", "bandwidth meanwhile"],
  ];
}

// A note says what is missing, unless it only tells where a trace comes from.
const isRemark = (note, of) => /^(times are estimates|kernel of|only files that move more than|without calls of|imported from)/.test(note) ||
  (/^\D/.test(of.recorder || "") && !note.startsWith("calls are missing: "));
const remarksOf = (of) => of.notes.filter((note) => isRemark(note, of)).map((text) => h("p", {class: "remark", role: "note"}, text));

function alarmsOf(run) {
  const info = run.info, list = [];
  if (lostCalls(info) > 0) list.push(counted(lostCalls(info), "call was", "calls were") + " lost");
  info.processes.forEach((p, k) => {
    if (p.ending === "early") list.push(`${p.ranks ? rankWords(p.ranks) : "process " + k} (${p.program}) ended early: killed, crashed, or left by _exit`);
    else if (p.ended_early) list.push(`ranks ${p.ended_early} of process ${k} ended early`);
  });
  for (const note of info.notes) if (!isRemark(note, info)) list.push(note);
  if (!info.complete && list.length === 0) list.push("the trace is not complete: totals are lower bounds");
  return list;
}

// Command, moment, place and tool, of totals or of a scale-free trace.
function originOf(of) {
  const began = of.start_ns ? new Date(of.start_ns / 1e6).toISOString().replace("T", " ").slice(0, 19) + " UTC" : "";
  return [h("p", null, h("code", {id: "command"}, of.command)),
    h("p", {class: "soft"}, [[began, of.host ? "on " + of.host : ""].filter(Boolean).join(" "),
      of.recorder && (/^\d/.test(of.recorder) ? "recorded by Refrain " : "imported from ") + of.recorder, "layers " + of.layers.join(", ")].filter(Boolean).join(", "))];
}

function headSection(run) {
  return section("summary", "What ran", originOf(run.info),
    alarmsOf(run).map((text) => h("p", {class: "alarm", role: "note"}, text)), remarksOf(run.info),
    metricBoxes(metricsOf(run)),
    run.info.outer.time_ns > 0 || run.info.outer.calls === 0 ? null : h("p", {class: "soft", id: "no-times"}, "The trace has no times of calls."));
}

// Cells of the heat map, [bin, kind, bytes, ns], as lists over the bins; they are looked at more than once.
function denseHeat(heat) {
  for (const row of heat.rows) {
    if (row.read) continue;
    for (const kind of ["read", "written", "time_ns"]) row[kind] = new Array(heat.bins).fill(0);
    for (const [bin, kind, bytes, ns] of row.cells) {
      if (kind < 2) row[kind === 0 ? "read" : "written"][bin] += bytes;
      row.time_ns[bin] += ns;
    }
  }
  return heat;
}

function timeSection(run) {
  if (!run.heat || run.heat.rows.length === 0) return null;
  denseHeat(run.heat);
  const place = h("div"), kinds = [["written", "Bytes written"], ["read", "Bytes read"], ["time_ns", "Time in I/O"]];
  const sumOf = (kind) => run.heat.rows.reduce((s, row) => s + row[kind].reduce((a, b) => a + b, 0), 0);
  const first = kinds.find(([kind]) => sumOf(kind) > 0) || kinds[2];
  const buttons = kinds.map(([kind, text]) => h("button", {type: "button", "data-kind": kind, "aria-pressed": "false", onclick: () => show(kind)}, text));
  function show(kind) {
    buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.kind === kind)));
    place.replaceChildren(heatMap(run.heat, kind));
  }
  show(first[0]);
  const lead = run.heat.lead_ns >= 1e6 ? `, ${durationText(run.heat.lead_ns)} after the first process began` : "";
  return section("time", "When it happened",
    h("p", {class: "soft"}, `0 is the first I/O call${lead}. Each step, and each column of the map, is ${durationText(run.heat.bin_ns)} long.`),
    h("h3", null, "Read and written per second"), overTime(run.heat),
    h("h3", null, run.info.nprocs ? "Time and ranks" : "Time and processes"), h("div", {class: "runs", role: "group", "aria-label": "What the map shows"}, buttons), place);
}

const byteColumns = [
  {title: "read", value: (r) => r.bytes_read, text: (r) => bytesText(r.bytes_read), unless: 0},
  {title: "written", value: (r) => r.bytes_written, text: (r) => bytesText(r.bytes_written), unless: 0},
];
const timeColumn = {title: "time", value: (r) => r.time_ns, text: (r) => durationText(r.time_ns), unless: 0};
const callColumns = [
  {title: "calls", value: (r) => r.calls, text: (r) => grouped(r.calls)},
  {title: "failed", value: (r) => r.failed, cell: (r) => r.failed ? h("span", {class: "failed"}, grouped(r.failed)) : "", unless: 0},
];

function callsSection(run) {
  const info = run.info;
  const rows = [...info.outer.functions.map((f) => ({...f, by: "the program"})),
    ...info.inner.functions.map((f) => ({...f, by: "layers above"}))];
  return section("calls", "Calls by layer and function",
    h("h3", null, "What a call at the top became below"), flowChart(info.layer_table, accessesByLayer(info)),
    h("h3", null, "Functions"),
    makeTable("functions", [{title: "function", words: true, value: (r) => r.function},
      {title: "layer", words: true, value: (r) => r.layer}, {title: "called by", words: true, value: (r) => r.by},
      ...callColumns, ...byteColumns, timeColumn], rows, {order: info.outer.time_ns > 0 ? 7 : 3, search: (r) => r.function + " " + r.layer + " " + r.by, searchLabel: "Search functions"}));
}

// Reads and writes that each layer saw, from wherever they came.
const accessesByLayer = (info) => ({...info.accesses.outer, ...info.accesses.layer_streams});

function accessSection(run) {
  const parts = [];
  const figures = alignmentOf(run.info);
  for (const [name, {reads, writes}] of Object.entries(accessesByLayer(run.info))) {
    const all = reads.accesses + writes.accesses;
    if (all === 0) continue;
    const consecutive = reads.consecutive + writes.consecutive, sequential = reads.sequential + writes.sequential;
    const placed = figures[name];
    const order = consecutive + sequential > 0 || (placed && placed.placed > 0)
      ? `${percentText(consecutive / all)} consecutive, ${percentText(sequential / all)} sequential`
      : "where they begin is not known in this layer";
    const words = order + (placed && placed.placed > 0
      ? `, ${percentText(placed.aligned / placed.placed)} begin at a multiple of 4096` : "");
    parts.push(h("h3", null, name), h("p", {class: "soft"}, counted(all, "access: ", "accesses: ") + words), sizeBars(reads, writes));
  }
  if (parts.length === 0) return null;
  return section("accesses", "Sizes and order of accesses", legend(["read", "reads"], ["write", "writes"]), parts);
}

// Accesses by layer of which it is known where they begin, from the files.
function alignmentOf(info) {
  const sums = {};
  const add = (layer, f) => {
    const to = sums[layer] ??= {placed: 0, aligned: 0};
    to.placed += f.placed_accesses;
    to.aligned += f.aligned_accesses;
  };
  // A file says where accesses begin, not through which layer the program made them: known if there is only one.
  const outer = Object.entries(info.accesses.outer).filter(([, l]) => l.reads.accesses + l.writes.accesses > 0);
  for (const file of [...info.file_table.files, info.file_table.left_out].filter(Boolean)) {
    if (outer.length === 1) add(outer[0][0], file);
    for (const [layer, f] of Object.entries(file.layers)) add(layer, f);
  }
  return sums;
}

// "9 writes of 13.1 KB": the mean says what a layer makes of the accesses of others.
function accessWords(n, bytes, one, many) {
  return n > 0 ? `${counted(n, one, many)} of ${bytesText(Math.round(bytes / n))}` : "";
}
const sizesOf = (f) => [accessWords(f.reads, f.bytes_read, "read", "reads"), accessWords(f.writes, f.bytes_written, "write", "writes")].filter(Boolean).join(", ");

function patternWords(file) {
  const as = file.pattern_layer ? ` (as ${file.pattern_layer} sees it)` : "";
  return [file.read_pattern ? "read: " + file.read_pattern : "", file.write_pattern ? "written: " + file.write_pattern : ""]
    .filter(Boolean).join("; ") + (file.read_pattern || file.write_pattern ? as : "");
}

// The figures of a file that only libraries touch are those of the lowest layer that did.
const asShown = (f) => f.inside ? {...f, ...f.layers[f.inside]} : f;

function filesSection(run) {
  const table = run.info.file_table, left = table.left_out;
  if (table.files.length === 0) return null;
  const who = (f) => f.users > 1 ? "shared by " + grouped(f.users) : f.ranks !== "" ? "rank " + f.ranks : "one process";
  const unlessZero = (n, text) => n ? text(n) : "";
  const objectCells = (o) => [`${o.kind} ${o.name}`, "", grouped(o.calls), unlessZero(o.failed, grouped), unlessZero(o.opens, grouped),
    unlessZero(o.closes, grouped), unlessZero(o.bytes_read, bytesText), unlessZero(o.bytes_written, bytesText), unlessZero(o.time_ns, durationText), sizesOf(o)];
  // What became of the calls of the program below them.
  const inside = (f) => f.inside ? [] : Object.entries(f.layers).map(([name, figures]) => ({...figures, kind: "inside:", name}));
  const below = (f) => [...inside(f).map(objectCells), ...f.objects.map(objectCells), ...f.objects_left_out
    ? [[`${counted(f.objects_left_out, "smaller object is", "smaller objects are")} left out; info --files --json has all`]] : []];
  const objects = (f) => f.objects.length + (f.objects_left_out || 0);
  const many = (f) => [counted(inside(f).length, "layer", "layers"), counted(objects(f), "object", "objects")].filter((text) => !text.startsWith("0 ")).join(", ");
  return section("files", "Files",
    table.complete ? null : h("p", {class: "alarm"}, "the trace is too long to be run in full: these are lower bounds"),
    left ? h("p", {id: "files-left-out"}, `The ${grouped(table.files.length)} largest files, by bytes and calls. ` +
      `${counted(left.files, "other is", "others are")} left out; refrain info --files --json has all.`) : null,
    makeTable("file-table", [{title: "file", words: true, value: (f) => f.path, text: (f) => f.path + (f.inside ? ` (inside: ${f.inside})` : "")},
      {title: "used by", words: true, value: (f) => f.users, text: who}, ...callColumns,
      {title: "opened", value: (f) => f.opens, text: (f) => grouped(f.opens), unless: 0},
      {title: "closed", value: (f) => f.closes, text: (f) => grouped(f.closes), unless: 0}, ...byteColumns, timeColumn,
      {title: "pattern", words: true, value: patternWords}], table.files.map(asShown),
    {order: 8, search: (f) => f.path + " " + patternWords(f) + " " + f.objects.map((o) => o.name).join(" "), searchLabel: "Search files, objects and patterns",
      many, below}));
}

// Ranks in groups that did the same; from the heat map, what each of them took.
function ranksSection(run) {
  const info = run.info, groups = info.rank_table.groups;
  if (groups.length < 2 && !info.nprocs) return null;
  const one = info.nprocs ? "rank" : "process", nameOf = (g) => g.ranks || "process " + g.process;
  const left = info.rank_table.left_out;
  const total = groups.reduce((n, g) => n + g.count, left ? left.count : 0);
  const bytes = (g) => g.bytes_read + g.bytes_written;
  const mean = groups.reduce((n, g) => n + g.count * bytes(g), left ? bytes(left) : 0) / total;
  const most = groups.reduce((a, g) => bytes(g) > bytes(a) ? g : a, groups[0]);
  const words = [mean > 0 ? `Bytes: ${bytesText(Math.round(mean))} per ${one} on average; most on ${rankWords(nameOf(most))}: ` +
    `${bytesText(bytes(most))}, ${(bytes(most) / mean).toFixed(2)} times that.` : `No ${one} moves data.`];
  if (run.heat && run.heat.rows.length > 1) words.push(timesOfRanks(denseHeat(run.heat), info.nprocs));
  return section("ranks", info.nprocs ? "Ranks" : "Processes", words.map((text) => h("p", null, text)),
    left ? h("p", {id: "ranks-left-out"}, `The ${grouped(groups.length)} ${info.nprocs ? "groups of ranks" : "processes"} that move most; ` +
      `${counted(left.groups, "other is", "others are")} left out; refrain info --by-rank --json has all.`) : null,
    makeTable("rank-table", [{title: info.nprocs ? "ranks, each" : "process", words: true, value: nameOf},
      {title: "how many", value: (g) => g.count, text: (g) => grouped(g.count)}, ...callColumns,
      {title: "opened", value: (g) => g.opens, text: (g) => grouped(g.opens), unless: 0},
      ...byteColumns, {title: "in I/O, about", value: (g) => g.io_ns, text: (g) => durationText(g.io_ns), unless: 0}], groups));
}

function timesOfRanks(heat, ranks) {
  const times = heat.rows.map((row) => ({ranks: row.ranks, ns: row.time_ns.reduce((a, b) => a + b, 0) / Math.max(1, row.count)}));
  times.sort((a, b) => b.ns - a.ns);
  const slow = times[0], fast = times[times.length - 1], mean = heat.rows.reduce((s, row) => s + row.time_ns.reduce((a, b) => a + b, 0), 0) / Math.max(ranks, times.length);
  return `Time in I/O: longest on ${rankWords(slow.ranks)} (${durationText(slow.ns)}), shortest on ${rankWords(fast.ranks)} (${durationText(fast.ns)}); ` +
    `the slowest takes ${(mean > 0 ? slow.ns / mean : 1).toFixed(2)} times the average.`;
}

function adviceSection(run) {
  if (!run.advice) return null;
  const {findings, io_time_ns: io, complete} = run.advice;
  const figure = (f) => `${f.name} ${f.unit === "B" ? bytesText(f.value) : f.unit === "ns" ? durationText(f.value) : grouped(f.value) + (f.unit ? " " + f.unit : "")}`;
  const time = (f) => f.time_ns ? `: ${durationText(f.time_ns)}` + (io ? ` (${Math.round(100 * f.time_ns / io)} % of the time in I/O)` : "") : "";
  const stream = (p) => `process ${p.process}` + (p.thread ? `, thread ${p.thread}` : "") + (p.layer ? `, inside ${p.layer}` : "");
  const entry = (name, ...content) => [h("dt", null, name), h("dd", null, content)];
  const item = (f) => h("li", {"data-rule": f.rule}, h("p", null, h("b", null, f.title), ` [${f.rule}]`, time(f)),
    h("dl", null, f.file ? entry("file", f.file) : null,
      entry("where", stream(f.place), h("pre", {class: "scroll"}, f.place.lines.map((line, k) => "  ".repeat(k) + line).join("\n"))),
      entry("figures", f.figures.map(figure).join(", ")), entry("cost", f.cost), entry("change", f.change)));
  return section("advice", "Advice", findings.length ? h("ol", null, findings.map(item)) : h("p", null, "Nothing to advise: no rule found a fault."),
    complete ? null : h("p", {class: "soft"}, "Some figures are estimates: the trace is too irregular to be added up in full."));
}

// What libraries called in turn has streams of its own, which the tree leaves out.
function hiddenCalls(run) {
  const inside = run.info ? run.info.layer_table.filter((l) => l.inside.calls > 0) : [];
  const what = run.info ? inside.map((l) => counted(l.inside.calls, "call", "calls") + " of " + l.layer).join(", ")
    : run.tree_layers.length ? "calls of " + run.tree_layers.join(", ") : "";
  return what ? h("p", {class: "soft", id: "hidden-calls"}, `Not shown: ${what} that layers above made; refrain dump --layer-streams prints them.`) : null;
}

function treeSection(run) {
  return section("trace", "The trace", h("p", {class: "soft"}, "Loops fold; arguments are expressions over loop indices and the rank. Arrow keys move, Enter folds."),
    run.tree_cut ? h("p", {class: "alarm"}, `only the first ${grouped(run.tree_cut)} nodes are shown; refrain dump prints all`) : null,
    hiddenCalls(run), new Tree(run.tree).element);
}

// Jobs that share I/O nodes: the picture is drawn by the program.
function scheduleSection(run) {
  const s = run.schedule, seconds = (t) => t >= 100 || t === 0 ? grouped(t) + " s" : durationText(1e9 * t);
  const named = s.jobs.some((j) => j.name);
  const picture = new DOMParser().parseFromString(run.picture, "image/svg+xml").documentElement;
  picture.setAttribute("class", "drawing");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", "When and where each job ran");
  return section("schedule", "Schedule",
    h("p", null, [s.policy || s.sharing, s.mapping].filter(Boolean).join(", ")),
    metricBoxes([["makespan", s.makespan, seconds(s.makespan), "until the last job ends"],
      ["max_stretch", s.max_stretch, s.max_stretch.toFixed(3), "stretch at most"],
      ["mean_stretch", s.mean_stretch, s.mean_stretch.toFixed(3), "stretch on average"],
      ["io_load", s.io_load, s.io_load.toFixed(3), "I/O load"]]),
    h("div", {class: "scroll"}, document.importNode(picture, true)),
    makeTable("jobs", [{title: "job", value: (j) => j.id}, ...(named ? [{title: "name", words: true, value: (j) => j.name || ""}] : []),
      {title: "nodes", value: (j) => j.nodes, text: (j) => grouped(j.nodes)}, {title: "partition", value: (j) => j.partition},
      {title: "start", value: (j) => j.start, text: (j) => seconds(j.start)}, {title: "end", value: (j) => j.end, text: (j) => seconds(j.end)},
      {title: "stretch", value: (j) => j.stretch, text: (j) => j.stretch.toFixed(3)}], s.jobs,
    {order: named ? 6 : 5, search: (j) => j.id + " " + (j.name || ""), searchLabel: "Search jobs"}));
}
