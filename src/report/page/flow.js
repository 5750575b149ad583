"use strict";
// What calls at the top became below: a box per layer, the highest on top, with what the program called of it to
// the left and what layers above made of it in the middle. Factors compare a layer with the nearest one above: of reads
// and writes, because other calls (selections, attributes) have nothing that they become.

function flowChart(layers, accesses) {
  const used = layers.filter((l) => l.program.calls + l.inside.calls > 0 && (l.layer !== "mpi" || layers.length === 1));
  const width = 860, box = 84, step = 144, left = 330, boxWidth = 500;
  const height = used.length * step - (step - box) + 10;
  const moved = (t) => t.bytes_read + t.bytes_written;
  const both = (l) => ({calls: l.program.calls + l.inside.calls, bytes_read: l.program.bytes_read + l.inside.bytes_read,
    bytes_written: l.program.bytes_written + l.inside.bytes_written});
  const words = (t) => counted(t.calls, "call", "calls") + (moved(t) ? ", " + bytesText(moved(t)) : "");
  const transfersOf = (l) => ({reads: 0, writes: 0, ...l.layer in accesses &&
    {reads: accesses[l.layer].reads.accesses, writes: accesses[l.layer].writes.accesses}});
  const transfers = (l) => sizesOf({...both(l), ...transfersOf(l)}) || "no data";
  const svg = h("svg", {viewBox: `0 0 ${width} ${height}`, width: "100%", style: `min-width:34rem;max-width:${width}px`, role: "img", "aria-label": used.map((l) =>
    `${l.layer}: the program ${words(l.program)}, layers above ${words(l.inside)}, ${transfers(l)}`).join("; ")});
  used.forEach((layer, k) => {
    const y = k * step + 4;
    svg.append(h("rect", {x: left, y, width: boxWidth, height: box, rx: 6, fill: "var(--panel)", stroke: "var(--line)"}),
      h("text", {x: left + 14, y: y + 25, style: "font-weight:600"}, layer.layer),
      h("text", {x: left + 14, y: y + 47, "data-transfers": layer.layer}, transfers(layer)),
      h("text", {x: left + 14, y: y + 68, class: "soft"}, words(both(layer))));
    if (layer.program.calls > 0) {
      svg.append(h("text", {x: 4, y: y + box / 2 - 6}, "the program"),
        h("text", {x: 4, y: y + box / 2 + 15, class: "soft"}, words(layer.program)),
        arrow(left - 110, y + box / 2, left - 6, y + box / 2));
    }
    const above = used.slice(0, k).reverse().find((other) => other.height > layer.height);
    if (layer.inside.calls > 0 && above) {
      const from = used.indexOf(above), top = from * step + 4 + box, x = left + 40 + (k - from - 1) * 40;
      svg.append(arrow(x, top, x, y - 2),
        h("text", {x: x + 12, y: y - 32}, words(layer.inside)),
        h("text", {x: x + 12, y: y - 13, class: "soft", "data-factors": layer.layer}, factorsOf(layer, above)));
    }
  });
  return h("div", {class: "scroll"}, svg);

  // What the program itself calls of the lower layer has no part in what became of the upper one.
  function factorsOf(layer, above) {
    const count = (l) => transfersOf(l).reads + transfersOf(l).writes;
    const own = layer.layer in accesses && layer.program.calls > 0 && moved(layer.program) > 0;
    const factor = (a, b) => "×" + (a / b >= 100 ? grouped(a / b) : (a / b).toFixed(2));
    const parts = [];
    if (!own && count(above) > 0 && count(layer) > 0) parts.push(factor(count(layer), count(above)) + " reads and writes");
    if (moved(both(above)) > 0) parts.push(factor(moved(layer.inside), moved(both(above))) + " bytes");
    return (parts.length > 0 ? parts.join(", ") : factor(layer.inside.calls, both(above).calls) + " calls") + " of " + above.layer;
  }
}

function arrow(x1, y1, x2, y2) {
  const down = y2 - y1 > x2 - x1;
  const tip = down ? `${x2 - 5},${y2 - 8} ${x2 + 5},${y2 - 8} ${x2},${y2}` : `${x2 - 8},${y2 - 5} ${x2 - 8},${y2 + 5} ${x2},${y2}`;
  return h("g", null, h("line", {x1, y1, x2: down ? x2 : x2 - 6, y2: down ? y2 - 6 : y2, stroke: "var(--soft)", "stroke-width": 2}),
    h("polygon", {points: tip, fill: "var(--soft)"}));
}
