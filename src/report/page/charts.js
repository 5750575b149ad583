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
  return h("div", {class: "scroll"}, h("table", null, h("thead", null, h("tr", null, h("th", {scope: "col"}, "size in bytes"),
      h("th", {scope: "col", class: "words"}, "accesses"))),
    h("tbody", null, names.map((name) => h("tr", null, h("td", null, name),
      h("td", {class: "words"}, bar("read", reads.sizes[name]), bar("write", writes.sizes[name])))))));
}

function sizeStart(name) {
  const units = {K: 1e3, M: 1e6, G: 1e9};
  const match = name.match(/^(\d+)([KMG]?)/);
  return Number(match[1]) * (units[match[2]] || 1);
}

// The curve and the map below it share their axis of time: left and right edge, and ticks at round values.
const timeLeft = 80;
const timeRight = (width) => width < 600 ? 20 : 90;

function timeTicks(endNs, pixels) {
  const least = endNs * 90 / Math.max(90, pixels) * (1 - 1e-9), hour = 3600e9;
  const clock = [10e9, 20e9, 30e9, 60e9, 120e9, 300e9, 600e9, 1200e9, 1800e9, hour, 2 * hour, 4 * hour, 6 * hour, 12 * hour, 24 * hour];
  const unit = least > 24 * hour ? 24 * hour : 1, power = unit * 10 ** Math.floor(Math.log10(least / unit));
  const step = least > 5e9 && least <= 24 * hour ? clock.find((k) => k >= least) : power * [1, 2, 5, 10].find((k) => k * power >= least);
  return Array.from({length: Math.floor(endNs / step * (1 + 1e-9)) + 1}, (_, k) => k * step);
}

// Without zeros behind the point, or behind minutes and hours: ticks are round.
function tickText(ns) {
  if (ns >= 60e9 && ns < 100e9) return `1 min ${twoDigits(ns / 1e9 - 60)} s`.replace(" 00 s", "");
  return ns === 0 ? "0" : durationText(ns).replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ").replace(/ 00 (s|min)$/, "");
}

// Draws when the element has a width, and again when it gets another, as on paper, or other colors.
function drawAtWidth(element, draw) {
  const paperWidth = 660;
  let drawn = 0;
  const at = (width) => { if (element.isConnected && width > 0 && width !== drawn) draw(drawn = width); };
  new ResizeObserver(() => requestAnimationFrame(() => at(element.clientWidth))).observe(element);
  aroundPrinting(() => at(paperWidth), () => at(element.clientWidth));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawn = 0; at(element.clientWidth); });
}

// `heat`: {bin_ns, bins, rows: [{ranks, count, read, written, time_ns}]}, lists over the bins.
const bytesOverTime = (heat, kind) => Array.from({length: heat.bins}, (_, b) => heat.rows.reduce((s, row) => s + (row[kind][b] || 0), 0));
const mostPerSecond = (heat) => Math.max(...bytesOverTime(heat, "read"), ...bytesOverTime(heat, "written")) / heat.bin_ns * 1e9;

// Bytes per second over the run; `scale`, if several are compared: {end, most}, in seconds and bytes per second.
function overTime(heat, scale) {
  const bins = heat.bins, whole = bins * heat.bin_ns / 1e9, end = scale ? scale.end : whole;
  const read = bytesOverTime(heat, "read"), written = bytesOverTime(heat, "written");
  const rates = (list) => [...list, list[bins - 1]].map((n) => n / heat.bin_ns * 1e9);  // a step ends where the next begins
  const at = Array.from({length: bins + 1}, (_, b) => b * heat.bin_ns / 1e9);
  const total = (list) => bytesText(list.reduce((a, b) => a + b, 0)) + " in all";
  const rate = (v) => bytesText(Math.round(v)) + "/s";
  // Without a pointer on the curve, the legend has the totals.
  const series = (label, list, color, dash) => ({label, stroke: styleOf(color), width: 2, dash, paths: uPlot.paths.stepped({align: 1}),
    points: {show: false}, value: (u, v, s, k) => k === null || k === undefined ? total(list) : rate(v)});
  const place = h("div", {class: "chart"});
  let chart = null;
  drawAtWidth(place, (width) => {
    const axis = {stroke: styleOf("--soft"), grid: {stroke: styleOf("--line"), width: 1}, ticks: {stroke: styleOf("--line")}};
    const ticks = timeTicks(end * 1e9, width - timeLeft - timeRight(width));
    if (chart) chart.destroy();
    chart = new uPlot({width, height: scale ? 160 : 240, padding: [10, timeRight(width), 0, 0], cursor: {drag: {x: false, y: false}},
      scales: {x: {time: false, range: () => [0, end]}, ...scale && {y: {range: () => [0, 1.05 * Math.max(1, scale.most)]}}},
      axes: [{...axis, splits: () => ticks.map((ns) => ns / 1e9), values: () => ticks.map(tickText)},
        {...axis, size: timeLeft, values: (u, values) => values.map(rate)}],
      series: [{label: "time", value: (u, v, s, k) => k === null || k === undefined ? durationText(whole * 1e9) + " in all" : durationText(v * 1e9)},
        series("read", read, "--read"), series("written", written, "--write", [6, 3])]},
    [at, rates(read), rates(written)], place);
  });
  return place;
}

// Between blue and yellow: told apart in gray as well. Much is what stands out from the paper, dark on white and
// bright on black, and a little still differs from nothing.
const heatStops = [[0, 32, 77], [50, 67, 108], [108, 110, 114], [165, 154, 112], [222, 201, 87], [255, 234, 70]];
const leastHeat = 0.12;

function heatColor(part, onBlack) {
  const strong = leastHeat + (1 - leastHeat) * part, at = (onBlack ? strong : 1 - strong) * (heatStops.length - 1);
  const k = Math.min(heatStops.length - 2, Math.floor(at)), rest = at - k;
  return "rgb(" + heatStops[k].map((c, i) => Math.round(c + rest * (heatStops[k + 1][i] - c))).join(",") + ")";
}

// Time to the right, ranks downwards; totals of ranks at the right edge and of moments at the lower one. The pointer or
// the arrow keys choose a cell, which is put into words below.
function heatMap(heat, kind) {
  const bins = heat.bins, rows = heat.rows, bottom = 60;
  const rowHeight = Math.max(40 / rows.length, Math.max(1, Math.min(26, Math.floor(480 / rows.length))));
  const mapHeight = rowHeight * rows.length;
  const byRow = rows.map((row) => row[kind].reduce((a, b) => a + b, 0));
  const byBin = Array.from({length: bins}, (_, b) => rows.reduce((s, row) => s + row[kind][b], 0));
  const perRank = (r, b) => rows[r][kind][b] / Math.max(1, rows[r].count);
  const most = rows.reduce((m, row) => Math.max(m, ...row[kind].map((v) => v / Math.max(1, row.count))), 0);
  const canvas = h("canvas", {role: "img", tabindex: "0", onkeydown: key, onmousemove: point,
    "aria-label": "Heat map: time to the right, ranks downwards; arrow keys read its cells"});
  const mark = h("div", {class: "mark", hidden: ""}), place = h("div", {class: "map"}, canvas, mark);
  const status = h("p", {class: "soft", role: "status", "data-hint": ""}, "Point at the map to read it, or move over it with the arrow keys.");
  const scale = h("span", {class: "scale"});
  const textOf = (v) => kind === "time_ns" ? durationText(v) : bytesText(v);
  let plotWidth = 0, chosen = null;

  drawAtWidth(place, (width) => {
    const right = timeRight(width);
    plotWidth = width - timeLeft - right;
    const dots = Math.max(1, devicePixelRatio);  // of the screen per pixel of the page
    canvas.width = width * dots;
    canvas.height = (mapHeight + bottom) * dots;
    canvas.style.width = width + "px";
    const g = canvas.getContext("2d"), cell = plotWidth / bins, onBlack = styleOf("--map") === "on-black";
    g.scale(dots, dots);
    g.font = "12px system-ui, sans-serif";
    for (let r = 0; r < rows.length; ++r) for (let b = 0; b < bins; ++b) {
      const v = perRank(r, b);
      if (v === 0) continue;
      g.fillStyle = heatColor(Math.sqrt(v / most), onBlack);
      const x = Math.round(timeLeft + b * cell);  // on whole pixels, or neighbors would have a seam
      g.fillRect(x, r * rowHeight, Math.max(1, Math.round(timeLeft + (b + 1) * cell) - x), Math.ceil(rowHeight));
    }
    g.strokeStyle = styleOf("--line");
    g.strokeRect(timeLeft, 0, plotWidth, mapHeight);
    g.fillStyle = styleOf("--other");
    const mostRow = Math.max(1, ...byRow), mostBin = Math.max(1, ...byBin);
    byRow.forEach((v, r) => g.fillRect(timeLeft + plotWidth + 6, r * rowHeight, (right - 10) * v / mostRow, rowHeight > 6 ? rowHeight - 1 : Math.max(1, rowHeight)));
    byBin.forEach((v, b) => { const tall = 34 * v / mostBin; g.fillRect(timeLeft + b * cell, mapHeight + 6 + (34 - tall), Math.max(1, cell - 1), tall); });
    g.fillStyle = styleOf("--soft");
    g.textBaseline = "top";
    const every = Math.max(1, Math.ceil(16 / rowHeight));
    rows.forEach((row, r) => { if (r % every === 0) g.fillText(row.ranks || "", 2, r * rowHeight, timeLeft - 6); });
    g.textAlign = "center";
    for (const ns of timeTicks(bins * heat.bin_ns, plotWidth)) {
      const x = timeLeft + plotWidth * ns / (bins * heat.bin_ns);
      g.fillRect(x, mapHeight + 40, 1, 4);
      g.fillText(tickText(ns), x, mapHeight + 46);
    }
    scale.style.background = `linear-gradient(to right,${heatStops.map((_, k) => heatColor(k / (heatStops.length - 1), onBlack)).join(",")})`;
    if (chosen) choose(...chosen);
  });

  function choose(r, b) {
    chosen = [r, b];
    const cell = plotWidth / bins;
    mark.hidden = false;
    mark.style = `left:${timeLeft + b * cell - 2}px;top:${r * rowHeight - 2}px;width:${Math.ceil(cell) + 4}px;height:${Math.ceil(rowHeight) + 4}px`;
    status.textContent = `${rankWords(rows[r].ranks)}, ${durationText(b * heat.bin_ns)} to ${durationText((b + 1) * heat.bin_ns)}: ${textOf(rows[r][kind][b])}`;
  }

  function point(event) {
    const box = canvas.getBoundingClientRect();
    const b = Math.floor((event.clientX - box.left - timeLeft) / plotWidth * bins), r = Math.floor((event.clientY - box.top) / rowHeight);
    if (b >= 0 && b < bins && r >= 0 && r < rows.length) choose(r, b);
  }

  function key(event) {
    const moves = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0], Home: [0, -bins], End: [0, bins]};
    if (!(event.key in moves)) return;
    event.preventDefault();
    const within = (n, length) => Math.max(0, Math.min(length - 1, n)), [down, along] = moves[event.key];
    if (chosen) choose(within(chosen[0] + down, rows.length), within(chosen[1] + along, bins));
    else choose(0, event.key === "End" ? bins - 1 : 0);
  }

  const each = rows.every((row) => /^\d/.test(row.ranks)) ? "rank" : "process";
  const what = {written: "bytes written", read: "bytes read", time_ns: "time in I/O"}[kind];
  return h("div", null, place, h("p", {class: "legend"}, `${what} per ${each} and ${durationText(heat.bin_ns)}: more than 0 `, scale,
    textOf(most), ` (colors follow the square root); bars: totals by ${each} and over time`), status);
}
