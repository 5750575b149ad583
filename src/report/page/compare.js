"use strict";
// Several runs side by side: what they come to, when they read and wrote on one scale of time, and what each function
// took in each of them.

function compareSection(runs) {
  if (runs.length < 2) return null;
  return section("compare", "Side by side", comparedMetrics(runs), comparedCurves(runs), comparedFunctions(runs));
}

function comparedMetrics(runs) {
  const all = runs.map(metricsOf);
  // Runs call some of their figures otherwise: one rank, 16 processes.
  const labels = {ranks: "ranks or processes", files: "files opened", calls: "calls", io_time: "inside I/O calls, added up"};
  const labelOf = ([name, , , label]) => labels[name] || label;
  return h("div", {class: "scroll"}, h("table", {id: "comparison"},
    h("thead", null, h("tr", null, h("th", null, ""), runs.map((run) => h("th", {scope: "col"}, run.name)))),
    h("tbody", null, all[0].map((metric, k) => h("tr", null, h("th", {scope: "row", class: "words"}, labelOf(metric)),
      all.map((metrics) => h("td", {"data-metric": metric[0], "data-value": metrics[k][1]}, metrics[k][2] || "–")))))));
}

// In bins of the widest: rates over shorter ones would stand out for that alone.
function comparedCurves(runs) {
  const timed = runs.filter((run) => run.heat && run.heat.rows.length > 0);
  if (timed.length < 2) return null;
  const width = Math.max(...timed.map(({heat}) => heat.bin_ns)), curves = timed.map(({heat}) => widened(denseHeat(heat), width));
  const scale = {end: Math.max(...curves.map((heat) => heat.bins)) * width / 1e9, most: Math.max(...curves.map(mostPerSecond))};
  return h("div", {id: "compared-curves"}, h("h3", null, "Read and written per second, on one scale"),
    h("p", {class: "soft"}, `0 is the first I/O call of each. Each step is ${durationText(width)} long.`),
    timed.map((run, k) => [h("p", null, run.name), overTime(curves[k], scale)]));
}

function widened(heat, width) {
  const bins = Math.ceil(heat.bins * heat.bin_ns / width), row = {ranks: "", count: 1};
  for (const kind of ["read", "written"]) {
    row[kind] = new Array(bins).fill(0);
    bytesOverTime(heat, kind).forEach((bytes, b) => { row[kind][Math.floor(b * heat.bin_ns / width)] += bytes; });
  }
  return {bins, bin_ns: width, rows: [row]};
}

// Functions of all layers; a run that doesn't call one has no figures of it.
function comparedFunctions(runs) {
  const rows = new Map();
  runs.forEach((run, k) => {
    for (const [by, functions] of [["the program", run.info.outer.functions], ["layers above", run.info.inner.functions]])
      for (const f of functions) {
        const key = [f.layer, f.function, by].join(" ");
        if (!rows.has(key)) rows.set(key, {function: f.function, layer: f.layer, by, of: runs.map(() => null)});
        rows.get(key).of[k] = f;
      }
  });
  const figures = [["time", "Time", (f) => f.time_ns, (f) => f.time_ns ? durationText(f.time_ns) : ""], ["calls", "Calls", (f) => f.calls, (f) => grouped(f.calls)],
    ["bytes", "Bytes", (f) => f.bytes_read + f.bytes_written, (f) => f.bytes_read + f.bytes_written ? bytesText(f.bytes_read + f.bytes_written) : ""]];
  const place = h("div"), head = h("h3");
  const buttons = figures.map(([name, title]) => h("button", {type: "button", "data-figure": name, onclick: () => show(name)}, title));
  function show(name) {
    buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.figure === name)));
    const [, title, value, text] = figures.find(([n]) => n === name);
    head.textContent = "Functions: " + title.toLowerCase();
    const most = (row) => Math.max(...row.of.map((f) => f ? value(f) : 0));
    place.replaceChildren(makeTable("compared-functions", [{title: "function", words: true, value: (r) => r.function},
      {title: "layer", words: true, value: (r) => r.layer}, {title: "called by", words: true, value: (r) => r.by},
      ...runs.map((run, k) => ({title: run.name, value: (r) => r.of[k] ? value(r.of[k]) : 0, text: (r) => r.of[k] ? text(r.of[k]) : "–"}))],
    [...rows.values()].sort((a, b) => most(b) - most(a)),
    {search: (r) => r.function + " " + r.layer + " " + r.by, searchLabel: "Search functions of all runs", atOnce: 20}));
  }
  show(runs.some((run) => run.info.outer.time_ns > 0) ? "time" : "calls");
  return [head, h("div", {class: "runs", role: "group", "aria-label": "What the functions are compared by"}, buttons), place];
}
