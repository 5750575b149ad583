"use strict";
// Charts: bars of access sizes, bytes over time (uPlot), and the heat map of time and ranks.

const legend = (...entries) => h("div", {class: "legend"}, entries.map(([kind, text]) =>
  h("span", null, h("i", {class: kind}), text)));

// Bars of reads and writes side by side, on a scale that all share.
function sizeBars(reads, writes) {
  const names = Object.keys(reads.sizes).sort((a, b) => sizeStart(a) - sizeStart(b))
    .filter((name) => reads.sizes[name] + writes.sizes[name] > 0);
  const most = Math.max(1, ...names.map((n) => Math.max(reads.sizes[n], writes.sizes[n])));
  const bar = (kind, n) => n > 0 ? h("div", null, h("span", {class: "bar " + kind, style: "width:" + Math.max(2, 260 * n / most) + "px"}),
    " ", grouped(n)) : null;
  return h("table", null, h("thead", null, h("tr", null, h("th", {scope: "col"}, "size in bytes"),
      h("th", {scope: "col", class: "words"}, "accesses"))),
    h("tbody", null, names.map((name) => h("tr", null, h("td", null, name),
      h("td", {class: "words"}, bar("read", reads.sizes[name]), bar("write", writes.sizes[name]))))));
}

function sizeStart(name) {
  const units = {K: 1e3, M: 1e6, G: 1e9};
  const match = name.match(/^(\d+)([KMG]?)/);
  return Number(match[1]) * (units[match[2]] || 1);
}

// Bytes per second over the run. `heat`: {bin_ns, bins, rows: [{ranks, count, read, written, time_ns}]}, lists over
// the bins.
function overTime(heat) {
  const bins = heat.bins;
  const sum = (kind) => Array.from({length: bins}, (_, b) => heat.rows.reduce((s, row) => s + (row[kind][b] || 0), 0) / heat.bin_ns * 1e9);
  const at = Array.from({length: bins}, (_, b) => b * heat.bin_ns / 1e9);
  const place = h("div", {class: "chart"});
  const axis = {stroke: styleOf("--soft"), grid: {stroke: styleOf("--line"), width: 1}, ticks: {stroke: styleOf("--line")}};
  const rate = (u, v) => v === null || v === undefined ? "" : bytesText(Math.round(v)) + "/s";
  const draw = () => {
    if (typeof uPlot === "undefined" || !place.isConnected) return;
    new uPlot({width: place.clientWidth || 900, height: 240, scales: {x: {time: false}},
      axes: [{...axis, space: 90, values: (u, ticks) => ticks.map((t) => durationText(t * 1e9))},
        {...axis, size: 80, values: (u, ticks) => ticks.map((t) => rate(u, t))}],
      series: [{label: "time", value: (u, v) => v === null || v === undefined ? "" : durationText(v * 1e9)},
        {label: "read", stroke: styleOf("--read"), width: 2, value: rate},
        {label: "written", stroke: styleOf("--write"), width: 2, dash: [6, 3], value: rate}]},
    [at, sum("read"), sum("written")], place);
  };
  requestAnimationFrame(draw);
  return place;
}

// From dark to light through blue and yellow: told apart in gray as well.
const heatStops = [[0, 32, 77], [50, 67, 108], [108, 110, 114], [165, 154, 112], [222, 201, 87], [255, 234, 70]];

function heatColor(part) {
  const at = part * (heatStops.length - 1), k = Math.min(heatStops.length - 2, Math.floor(at)), rest = at - k;
  return "rgb(" + heatStops[k].map((c, i) => Math.round(c + rest * (heatStops[k + 1][i] - c))).join(",") + ")";
}

// Time to the right, ranks downwards; totals of ranks at the right edge and of moments at the lower one.
function heatMap(heat, kind) {
  const bins = heat.bins, rows = heat.rows, width = 860, right = 90, bottom = 60, left = 70;
  const cellHeight = Math.max(1, Math.min(26, Math.floor(480 / rows.length)));
  const mapHeight = Math.max(40, cellHeight * rows.length), plotWidth = width - left - right;
  const canvas = h("canvas", {width, height: mapHeight + bottom, role: "img", tabindex: "0",
    "aria-label": "Heat map: time to the right, ranks downwards"});
  const value = (r, b) => rows[r][kind][b] || 0;
  const share = (ranks) => Math.max(1, ranks);
  let most = 0;
  const byRow = rows.map(() => 0), byBin = new Array(bins).fill(0);
  rows.forEach((row, r) => { for (let b = 0; b < bins; ++b) {
    const v = value(r, b);
    most = Math.max(most, v / share(row.count));
    byRow[r] += v;
    byBin[b] += v;
  } });
  const g = canvas.getContext("2d"), rowHeight = mapHeight / rows.length, cell = plotWidth / bins;
  g.font = "12px system-ui, sans-serif";
  rows.forEach((row, r) => { for (let b = 0; b < bins; ++b) {
    const v = value(r, b) / share(row.count);
    if (v === 0) continue;
    g.fillStyle = heatColor(Math.sqrt(v / most));
    g.fillRect(left + b * cell, r * rowHeight, Math.ceil(cell), Math.ceil(rowHeight));
  } });
  g.strokeStyle = styleOf("--line");
  g.strokeRect(left, 0, plotWidth, mapHeight);
  g.fillStyle = styleOf("--other");
  const mostRow = Math.max(1, ...byRow), mostBin = Math.max(1, ...byBin);
  byRow.forEach((v, r) => g.fillRect(left + plotWidth + 6, r * rowHeight, (right - 10) * v / mostRow, Math.max(1, rowHeight - 1)));
  byBin.forEach((v, b) => { const tall = 34 * v / mostBin; g.fillRect(left + b * cell, mapHeight + 6 + (34 - tall), Math.max(1, cell - 1), tall); });
  g.fillStyle = styleOf("--soft");
  g.textBaseline = "top";
  const every = Math.max(1, Math.ceil(16 / rowHeight));
  rows.forEach((row, r) => { if (r % every === 0) g.fillText(row.ranks || "", 2, r * rowHeight); });
  g.fillText("0 s", left, mapHeight + 44);
  const end = durationText(bins * heat.bin_ns);
  g.fillText(end, left + plotWidth - g.measureText(end).width, mapHeight + 44);
  const status = h("p", {class: "soft", role: "status"}, "Point at the map to read it.");
  const textOf = (v) => kind === "time_ns" ? durationText(v) : bytesText(v);
  canvas.addEventListener("mousemove", (e) => {
    const box = canvas.getBoundingClientRect(), scale = width / box.width;
    const b = Math.floor(((e.clientX - box.left) * scale - left) / cell), r = Math.floor((e.clientY - box.top) * scale / rowHeight);
    if (b < 0 || b >= bins || r < 0 || r >= rows.length) return;
    status.textContent = `rank ${rows[r].ranks}, ${durationText(b * heat.bin_ns)} to ${durationText((b + 1) * heat.bin_ns)}: ${textOf(value(r, b))}`;
  });
  const scale = h("span", {class: "scale", style: "background:linear-gradient(to right," + heatStops.map((_, k) =>
    heatColor(k / (heatStops.length - 1))).join(",") + ")"});
  return h("div", null, canvas, h("p", {class: "legend"}, "per rank and " + durationText(heat.bin_ns) + ": more than 0 ", scale, textOf(most)), status);
}
