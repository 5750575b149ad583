"use strict";
// Scale-free traces: totals as formulas in the number of ranks, and what is in doubt about them.

// Laws that are too long to print are all called the same.
const lawsText = (d) => !d.chosen ? "" : d.chosen === d.other ? "two laws, too long to show" : d.chosen + "\n" + d.other;

// Doubts that read the same stand in one row; with a number of ranks, only those that matter there.
function doubtRows(doubts) {
  const rows = new Map();
  for (const d of doubts) {
    const row = {layer: "", call: d.where, about: "", reason: d.reason, laws: lawsText(d), tell: d.would_tell, count: 1};
    const parts = d.where.split(", ");
    if (parts[0].startsWith("layer ")) row.layer = parts.shift().slice(6);
    row.about = parts.pop();
    row.call = parts.join(", ") || "loop";
    const key = JSON.stringify([d.where, row.reason, row.laws, row.tell]);
    if (rows.has(key)) ++rows.get(key).count; else rows.set(key, row);
  }
  return [...rows.values()];
}

function doubtsTable(run) {
  const all = run.scale_free.doubts, here = all.filter((d) => d.matters ?? true), ranks = run.info ? run.info.nprocs : 0;
  if (all.length === 0) return [h("h3", null, "0 doubts"), h("p", null, "Every law is certain.")];
  const others = all.length - here.length;
  const title = ranks ? counted(here.length, "doubt matters", "doubts matter") + ` at ${grouped(ranks)} ranks` : counted(here.length, "doubt", "doubts");
  const laws = (d) => d.laws ? d.laws.split("\n").map((law, k) => h("div", null, (k ? "or " : "") + law)) : "";
  return [h("h3", null, title),
    others ? h("p", {class: "soft"}, counted(others, "other makes", "others make") + " no difference there.") : null,
    here.length && run.scale_free.further_runs ? h("p", {id: "further-runs"}, run.scale_free.further_runs[0].toUpperCase() + run.scale_free.further_runs.slice(1) + ".") : null,
    here.length === 0 ? null : makeTable("doubts", [{title: "call", words: true, value: (d) => d.call + (d.layer ? ` (inside: ${d.layer})` : "")},
      {title: "what", words: true, value: (d) => d.about}, {title: "why", words: true, value: (d) => d.reason},
      {title: "either", words: true, value: (d) => d.laws, cell: laws}, {title: "what would tell", words: true, value: (d) => d.tell},
      {title: "laws", value: (d) => d.count}], doubtRows(here),
    {search: (d) => Object.values(d).join(" "), searchLabel: "Search doubts"})];
}

// Of a trace for any number of ranks, what ran is known, and what depends on them stands in the sections below.
function freeHeadSection(run) {
  const free = run.scale_free;
  const warnings = free.notes.filter((note) => !isRemark(note, free)).map((text) => h("p", {class: "alarm", role: "note"}, text));
  return section("summary", "What ran", originOf(free), warnings, remarksOf(free), metricBoxes([
    ["ranks", "P", "P ranks", "any number: refrain report --ranks N says more of one"],
    ["runs", free.sizes.length, free.sizes.join(", "), "ranks in the runs that it was made from"],
    ["laws", free.laws, grouped(free.laws), "numbers that depend on P or the rank"],
    ["doubts", free.doubts.length, grouped(free.doubts.length), free.doubts.length === 1 ? "doubt" : "doubts"],
    ["elapsed", free.elapsed, free.elapsed ? "about " + free.elapsed : "", "from start to end"]]));
}

function lawsSection(run) {
  const free = run.scale_free;
  if (!free) return null;
  return section("laws", "Any number of ranks",
    h("p", null, `Made from runs of ${free.sizes.join(", ")} ranks. P is the number of ranks; ${counted(free.laws, "number depends", "numbers depend")} on it or on the rank.`),
    makeTable("formulas", [{title: "function", words: true, value: (f) => f.function}, {title: "calls", words: true, value: (f) => f.calls},
      {title: "read", words: true, value: (f) => f.bytes_read, unless: "0"}, {title: "written", words: true, value: (f) => f.bytes_written, unless: "0"}], free.functions),
    doubtsTable(run));
}
