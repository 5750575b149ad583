"use strict";
// What calls at the top became below: a box per layer, the highest on top, with what the program called of it to
// the left and what layers above made of it in the middle. Factors compare a layer with the nearest one above.

function flowChart(layers) {
  const used = layers.filter((l) => l.program.calls + l.inside.calls > 0 && (l.layer !== "mpi" || layers.length === 1));
  const width = 860, box = 64, step = 118, left = 330, boxWidth = 300;
  const height = used.length * step - (step - box) + 10;
  const moved = (t) => t.bytes_read + t.bytes_written;
  const both = (l) => ({calls: l.program.calls + l.inside.calls, bytes: moved(l.program) + moved(l.inside)});
  const words = (t) => counted(t.calls, "call", "calls") + (moved(t) ? ", " + bytesText(moved(t)) : "");
  const svg = h("svg", {viewBox: `0 0 ${width} ${height}`, width: "100%", style: `max-width:${width}px`, role: "img", "aria-label": used.map((l) =>
    `${l.layer}: the program ${words(l.program)}, layers above ${words(l.inside)}`).join("; ")});
  used.forEach((layer, k) => {
    const y = k * step + 4, all = both(layer);
    svg.append(h("rect", {x: left, y, width: boxWidth, height: box, rx: 6, fill: "var(--panel)", stroke: "var(--line)"}),
      h("text", {x: left + 14, y: y + 26, "font-weight": "600"}, layer.layer),
      h("text", {x: left + 14, y: y + 47, class: "soft"}, words({calls: all.calls, bytes_read: all.bytes, bytes_written: 0})));
    if (layer.program.calls > 0) {
      svg.append(h("text", {x: 4, y: y + 26}, "the program"),
        h("text", {x: 4, y: y + 47, class: "soft"}, words(layer.program)),
        arrow(left - 110, y + box / 2, left - 6, y + box / 2));
    }
    const above = used.slice(0, k).reverse().find((other) => other.height > layer.height);
    if (layer.inside.calls > 0 && above) {
      const from = used.indexOf(above), top = from * step + 4 + box, x = left + boxWidth / 2 + (k - from - 1) * 40;
      const up = both(above);
      const factor = (a, b) => b > 0 ? "×" + (a / b >= 100 ? grouped(a / b) : (a / b).toFixed(2)) : "";
      const factors = [factor(layer.inside.calls, up.calls) + " calls", up.bytes ? factor(moved(layer.inside), up.bytes) + " bytes" : ""];
      svg.append(arrow(x, top, x, y - 2),
        h("text", {x: x + 12, y: y - 30}, words(layer.inside)),
        h("text", {x: x + 12, y: y - 12, class: "soft"}, factors.filter(Boolean).join(", ") + " of " + above.layer));
    }
  });
  return svg;
}

function arrow(x1, y1, x2, y2) {
  const down = y2 - y1 > x2 - x1;
  const tip = down ? `${x2 - 5},${y2 - 8} ${x2 + 5},${y2 - 8} ${x2},${y2}` : `${x2 - 8},${y2 - 5} ${x2 - 8},${y2 + 5} ${x2},${y2}`;
  return h("g", null, h("line", {x1, y1, x2: down ? x2 : x2 - 6, y2: down ? y2 - 6 : y2, stroke: "var(--soft)", "stroke-width": 2}),
    h("polygon", {points: tip, fill: "var(--soft)"}));
}
