// Drives a report in a real browser and compares what it shows with `refrain info --json`:
// node report.mjs CHROMIUM report.html info.json [--dark]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Page } from "./browser.mjs";

const [chromium, file, infoFile, mode] = process.argv.slice(2);
const info = JSON.parse(readFileSync(infoFile, "utf8"));
let page;

const columnOf = (table, title) => page.evaluate(`[...document.querySelectorAll("#${table} th")].findIndex((h) => h.textContent === "${title}")`);
const cells = (table, column) => page.evaluate(`[...document.querySelectorAll("#${table} tbody tr")].map((r) => r.children[${column}].dataset.value).filter((v) => v !== undefined)`);
const sum = (list) => list.reduce((a, b) => a + Number(b), 0);

// Every cell of a table that the page shows, beside the same figures of `info --json`.
async function cellsAreTrue(table, names, expected) {
  const shown = await page.evaluate(`[...document.querySelectorAll("#${table} tbody tr:not(.object)")].map((r) => [...r.children].slice(0, ${names.length}).map((c) => c.dataset.value))`);
  const wanted = new Set(expected.map((row) => JSON.stringify(names.map((name) => String(row[name])))));
  assert.ok(shown.length > 0 || expected.length === 0, table);
  for (const row of shown) assert.ok(wanted.has(JSON.stringify(row)), `${table} shows ${row}`);
  if (expected.length <= shown.length) assert.equal(shown.length, expected.length);
}

async function headIsTrue() {
  const metric = (name) => page.value(`#summary [data-metric=${name}]`).then(Number);
  assert.equal(await page.text("#command"), info.command);
  assert.equal(await metric("calls"), info.outer.calls);
  assert.equal(await metric("written"), info.outer.bytes_written);
  assert.equal(await metric("read"), info.outer.bytes_read);
  assert.equal(await metric("files"), info.files.length);
  assert.equal(await metric("elapsed"), info.span_ns);
  assert.ok(await metric("io_share") >= 0 && info.busy_ns <= info.span_ns);
  assert.equal(await page.text("#summary [data-metric=calls] b"), info.outer.calls.toLocaleString("en-US"));
  const remarks = info.notes.filter((note) => /^times are estimates/.test(note) || !/^\d/.test(info.recorder)).length;
  assert.equal(await page.count("#summary .remark"), remarks);
  assert.equal(await page.count("#summary .alarm") > 0, info.notes.length > remarks || !info.complete ||
    info.processes.some((p) => p.ending === "early" || p.ended_early !== ""));
}

async function functionsAreTrue() {
  const calls = await columnOf("functions", "calls");
  await cellsAreTrue("functions", ["function", "layer", "by", "calls", "failed", "bytes_read", "bytes_written", "time_ns"],
    [...info.outer.functions.map((f) => ({ ...f, by: "the program" })), ...info.inner.functions.map((f) => ({ ...f, by: "layers above" }))]);
  const inner = info.inner.functions;
  const rows = await page.count("#functions tbody tr");
  assert.equal(rows, Math.min(100, info.outer.functions.length + inner.length));
  for (const layer of info.layer_table)
    assert.equal(sum(inner.filter((f) => f.layer === layer.layer).map((f) => f.calls)), layer.inside.calls, layer.layer);
  if (inner.length > 0) {
    await page.type("#functions input", "layers above");
    assert.equal(await page.count("#functions tbody tr"), Math.min(100, inner.length));
    if (inner.length <= 100) assert.equal(sum(await cells("functions", calls)), sum(inner.map((f) => f.calls)));
  }
  const busiest = [...info.outer.functions].sort((a, b) => b.calls - a.calls)[0];
  await page.type("#functions input", busiest.function + " " + busiest.layer + " the program");
  const found = info.outer.functions.filter((f) => f.layer === busiest.layer && f.function.endsWith(busiest.function));  // lstat for stat
  assert.equal(await page.count("#functions tbody tr"), found.length);
  assert.equal(sum(await cells("functions", calls)), sum(found.map((f) => f.calls)));
  await page.type("#functions input", "no such function");
  assert.equal(await page.count("#functions tbody tr"), 0);
  await page.type("#functions input", "");
  assert.equal(await page.count("#functions tbody tr"), rows);
}

async function filesAreTrue() {
  // What only libraries touched shows the figures of the lowest layer.
  const files = info.file_table.files.map((f) => f.inside ? { ...f, ...f.layers[f.inside] } : f), written = await columnOf("file-table", "written");
  if (files.length === 0) return;
  await cellsAreTrue("file-table", ["path", "users", "calls", "failed", "opens", "closes", "bytes_read", "bytes_written", "time_ns"], files);
  if (files.length <= 100) assert.equal(sum(await cells("file-table", written)), sum(files.map((f) => f.bytes_written)));
  const words = `#file-table th:nth-child(${written + 1})`;
  await page.click(words + " button");
  assert.equal(await page.evaluate(`document.querySelector("${words}").getAttribute("aria-sort")`), "descending");
  const most = Math.max(...files.map((f) => f.bytes_written));
  assert.equal(Number((await cells("file-table", written))[0]), most);
  await page.click(words + " button");
  const left = files.length - 2000;
  if (left > 0) assert.match(await page.text("#files-left-out"), new RegExp(`The 2,000 largest files.* ${left.toLocaleString("en-US")} others? (is|are) left out`));
  else assert.equal(Number((await cells("file-table", written))[0]), Math.min(...files.map((f) => f.bytes_written)));
  const below = files.find((f) => f.inside);
  if (below) {
    await page.type("#file-table input", below.path);
    assert.ok((await page.text("#file-table tbody")).includes(`${below.path} (inside: ${below.inside})`));
    assert.ok((await cells("file-table", await columnOf("file-table", "calls"))).includes(String(below.calls)));
    await page.type("#file-table input", "");
  }
  const moved = (f) => f.bytes_read + f.bytes_written, largest = [...files].sort((a, b) => moved(b) - moved(a));
  const one = largest.find((f) => f.write_pattern || f.read_pattern);
  if (one) {
    await page.type("#file-table input", one.path);
    assert.ok((await page.text("#file-table tbody")).includes(one.write_pattern || one.read_pattern));
    await page.type("#file-table input", "");
  }
  const holder = files.find((f) => f.objects.length > 0);
  if (!holder) return;
  await page.type("#file-table input", holder.path);
  assert.equal(await page.count("#file-table tr.object"), 0);
  await page.click("#file-table button.more");
  const layers = Object.keys(holder.layers), rows = await page.evaluate(`[...document.querySelectorAll("#file-table tr.object")].map((r) => r.textContent)`);
  assert.equal(rows.length, layers.length + holder.objects.length);
  layers.forEach((layer, k) => assert.ok(rows[k].startsWith(`inside: ${layer}${holder.layers[layer].calls.toLocaleString("en-US")}`), rows[k]));
  assert.ok(rows[layers.length].includes(holder.objects[0].name));
  await page.click("#file-table button.more");
  await page.type("#file-table input", "");
}

// The average in words is over all ranks, also those that the page has no row for.
async function ranksAreTrue() {
  const groups = info.rank_table.groups, ranks = sum(groups.map((g) => g.count)), left = groups.length - 2000;
  if (groups.length < 2 && !info.nprocs) return assert.equal(await page.count("#ranks"), 0);
  await cellsAreTrue("rank-table", [info.nprocs ? "ranks" : "who", "count", "calls", "failed", "opens", "bytes_read", "bytes_written", "io_ns"],
    groups.map((g) => ({ ...g, who: g.ranks || "process " + g.process })));
  const bytes = info.outer.bytes_read + info.outer.bytes_written;
  if (bytes) assert.ok((await page.text("#ranks p")).startsWith(`Bytes: ${await page.evaluate(`bytesText(Math.round(${bytes / ranks}))`)} per `));
  if (left > 0) assert.match(await page.text("#ranks-left-out"), new RegExp(`^The 2,000 .*that move most; ${left.toLocaleString("en-US")} others? (is|are) left out`));
  else assert.equal(await page.count("#ranks-left-out"), 0);
}

async function treeFolds() {
  const rows = () => page.evaluate(`Number(document.querySelector(".tree > div").dataset.rows)`);
  const buttons = await page.evaluate(`[...document.querySelectorAll("#trace button")].map((b) => b.textContent)`);
  assert.deepEqual(buttons, ["Unfold all", "Fold all"]);
  await page.click("#trace button:nth-of-type(2)");
  assert.equal(await rows(), info.processes.length);
  await page.click("#trace button:nth-of-type(1)");
  const all = await rows();
  assert.ok(all > info.processes.length);
  assert.ok(await page.count(".tree [role=treeitem]") <= 60, "only rows in view are in the page");
  const name = info.outer.functions[0].function;
  await page.type("#trace input", name + "(");
  assert.ok(await rows() > 0 && await rows() <= all);
  assert.ok((await page.text(".tree mark")).toLowerCase().startsWith(name.toLowerCase()));
  await page.type("#trace input", "");
  assert.equal(await rows(), all);
  await page.evaluate(`document.querySelector(".tree").focus()`);
  await page.key("Home", 36);
  await page.key("ArrowLeft", 37);
  assert.ok(await rows() < all, "the keyboard folds");
  // What is chosen is said in full, and named for screen readers; keys go to what is inside and back.
  const told = () => page.text("#trace .detail");
  const root = await told();
  assert.match(root, /^process 0.* calls?, /);
  for (const [key, code] of [["ArrowRight", 39], ["ArrowRight", 39]]) await page.key(key, code);
  const inside = await page.evaluate(`document.getElementById(document.querySelector(".tree").getAttribute("aria-activedescendant")).querySelector(".text").textContent`);
  assert.ok((await told()).startsWith(inside) && inside !== root, inside);
  await page.key("ArrowLeft", 37);
  await page.key("ArrowLeft", 37);
  assert.equal(await told(), root);
}

async function flowAndSizesAreThere() {
  const inside = info.layer_table.filter((l) => l.inside.calls > 0);
  assert.equal(await page.count("#hidden-calls"), inside.length > 0 ? 1 : 0);
  for (const layer of inside)
    assert.ok((await page.text("#hidden-calls")).includes(`${layer.inside.calls.toLocaleString("en-US")} call${layer.inside.calls === 1 ? "" : "s"} of ${layer.layer}`));
  const label = await page.evaluate(`document.querySelector("#calls svg").getAttribute("aria-label")`);
  for (const layer of info.layer_table) if (layer.layer !== "mpi") assert.ok(label.includes(layer.layer + ":"), layer.layer);
  // Each layer's reads and writes, and what of them are more or fewer than those of the layer above.
  const transfers = (name) => ({ ...info.accesses.outer, ...info.accesses.layer_streams })[name] ?? { reads: { accesses: 0 }, writes: { accesses: 0 } };
  const numberOf = (text, what) => Number((text.match(new RegExp(`([\\d,]+) ${what}s? of`)) ?? [0, "0"])[1].replaceAll(",", ""));
  for (const layer of info.layer_table.filter((l) => l.layer !== "mpi")) {
    const text = await page.text(`#calls [data-transfers=${layer.layer}]`), { reads, writes } = transfers(layer.layer);
    assert.deepEqual([numberOf(text, "read"), numberOf(text, "write")], [reads.accesses, writes.accesses], text);
  }
  const any = Object.keys(info.accesses.outer).length + Object.keys(info.accesses.layer_streams).length > 0;
  assert.equal(await page.count("#accesses table") > 0, any);
}

async function timeIsTrue() {
  if (!info.heat_map) return assert.equal(await page.count("#time"), 0);
  const shown = await page.evaluate(`(() => { const heat = report.runs[0].heat, sum = (kind) => heat.rows.reduce((s, r) => s + r[kind].reduce((a, b) => a + b, 0), 0);
    return {read: sum("read"), written: sum("written"), bins: heat.bins}; })()`);
  const sums = (kind) => info.heat_map.over_time[kind].bytes.reduce((a, b) => a + b, 0);
  assert.equal(shown.written, sums("written"));
  assert.equal(shown.read, sums("read"));
  await page.click("#time [data-kind=time_ns]");
  assert.equal(await page.evaluate(`document.querySelector("#time [data-kind=time_ns]").getAttribute("aria-pressed")`), "true");
  assert.equal(await page.count("#time canvas[role=img]"), 1);
  await page.until(`document.querySelectorAll("#time .u-wrap").length === 1`);
  await page.until(`(() => { const c = document.querySelector("#time canvas[role=img]");
    return c.getContext("2d").getImageData(80, 0, c.width - 170, c.height - 62).data.filter((v, i) => i % 4 === 3 && v > 0).length > 100; })()`);
  assert.match(await page.text("#time .soft"), /^0 is the first I\/O call/);
  assert.match(await page.text("#time .u-legend"), /read.* in all.*written.* in all/, "the legend has totals");
  assert.match(await page.text("#time p.legend"), /^time in I\/O per .*square root/);
  await axesOfTimeAgree();
  await mapIsReadByKeys();
}

async function axesOfTimeAgree() {
  const [curve, map] = await page.evaluate(`(() => {
    const over = document.querySelector("#time .u-over").getBoundingClientRect(), canvas = document.querySelector("#time canvas[role=img]").getBoundingClientRect();
    return [[over.left, over.right], [canvas.left + timeLeft, canvas.right - timeRight(canvas.width)]]; })()`);
  curve.forEach((edge, k) => assert.ok(Math.abs(edge - map[k]) <= 1, `curve ${curve}, map ${map}`));
  assert.deepEqual(await page.evaluate(`[timeTicks(1e9, 900).map(tickText), timeTicks(7.3e6, 270).map(tickText)]`),
    [["0", "100 ms", "200 ms", "300 ms", "400 ms", "500 ms", "600 ms", "700 ms", "800 ms", "900 ms", "1 s"], ["0", "5 ms"]]);
  assert.deepEqual(await page.evaluate(`[timeTicks(130e9, 400).map(tickText), timeTicks(3 * 3600e9, 400).map(tickText)]`),
    [["0", "30 s", "1 min", "1 min 30 s", "2 min"], ["0", "1 h", "2 h", "3 h"]]);
  assert.deepEqual(await page.evaluate(`[99e9, 100e9, 7260e9].map(durationText)`), ["99.0 s", "1 min 40 s", "2 h 01 min"]);
}

async function mapIsReadByKeys() {
  const status = () => page.text("#time [role=status]");
  await page.evaluate(`document.querySelector("#time canvas[role=img]").focus()`);
  await page.key("ArrowRight", 39);
  const first = await status();
  assert.match(first, /^(ranks?|process) [0-9.]+, 0 ns to .*: .* n?u?m?s$/);
  await page.key("ArrowRight", 39);
  assert.notEqual(await status(), first);
  await page.key("ArrowLeft", 37);
  assert.equal(await status(), first);
  assert.ok(await page.evaluate(`document.querySelector("#time .mark").offsetWidth > 0`), "the cell is marked");
}

// Of several runs, the first is the one that is checked.
async function comparisonIsTrue() {
  const runs = await page.evaluate("report.runs.length");
  assert.equal(await page.count("#compare"), runs > 1 ? 1 : 0);
  if (runs < 2) return;
  assert.equal(await page.count("#compared-curves .u-wrap"), runs);
  const functions = [...info.outer.functions.map((f) => ({ ...f, by: "the program" })), ...info.inner.functions.map((f) => ({ ...f, by: "layers above" }))];
  for (const [figure, name] of [["time", "time_ns"], ["calls", "calls"]]) {
    await page.click(`#compare [data-figure=${figure}]`);
    const rows = await page.evaluate(`[...document.querySelectorAll("#compared-functions tbody tr")].map((r) => [...r.children].map((c) => c.dataset.value))`);
    assert.equal(rows.length, 20);
    for (const [called, layer, by, value] of rows) {
      const f = functions.find((f) => f.function === called && f.layer === layer && f.by === by);
      assert.equal(Number(value), f ? f[name] : 0, called);
    }
  }
  await page.click("#compared-functions > button");
  assert.ok(await page.count("#compared-functions tbody tr") > 20);
}

async function adviceIsWhole() {
  const found = await page.evaluate(`report.runs[0].advice.findings.length`);
  if (found === 0) return;
  const labels = await page.evaluate(`[...document.querySelectorAll("#advice li:first-child dt")].map((e) => e.textContent)`);
  for (const label of ["where", "figures", "cost", "change"]) assert.ok(labels.includes(label), label);
  if (await page.evaluate(`report.runs[0].advice.findings[0].time_ns`)) assert.match(await page.text("#advice li p"), /% of the time in I\/O\)/);
}

// When colors change, on screen or for paper, the map is drawn anew: in both, cells with much stand out from the page.
async function mapFollowsColors() {
  if (!info.heat_map) return;
  const strongest = () => page.evaluate(`(() => { const c = document.querySelector("#time canvas[role=img]"), ends = [...getComputedStyle(c.parentElement.parentElement.querySelector(".scale")).backgroundImage.matchAll(/rgb\\((\\d+), (\\d+), (\\d+)\\)/g)];
    return ends.at(-1).slice(1).map(Number).reduce((a, b) => a + b, 0); })()`);
  const light = (dark) => page.until(`matchMedia("(prefers-color-scheme: dark)").matches === ${dark}`);
  await page.color("light");
  await light(false);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const onWhite = await strongest();
  await page.color("dark");
  await light(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const onBlack = await strongest();
  assert.ok(onWhite < 150 && onBlack > 500, `${onWhite} on white, ${onBlack} on black`);
  await page.color(mode === "--dark" ? "dark" : "light");
}

// On paper headings stay, and the tree has all its unfolded rows.
async function prints() {
  await page.show("print");
  await page.until(`document.querySelectorAll(".tree.on-paper [role=treeitem]").length > 0`);
  const heads = await page.evaluate(`[...document.querySelectorAll("#functions th")].map((e) => e.innerText.trim())`);
  assert.ok(heads.length > 0 && heads.every(Boolean), "headings are printed: " + heads);
  assert.equal(await page.count(".tree.on-paper [role=treeitem]"), Number(await page.evaluate(`document.querySelector(".tree > div").dataset.rows`)));
  assert.ok(await page.evaluate(`document.querySelector(".tree.on-paper").offsetHeight > 0 && document.querySelector(".tree").offsetHeight === 0`));
  // A4 between Chromium's margins: nothing is cut off at the right.
  await page.narrow(718);
  await page.until(`document.documentElement.scrollWidth <= 718`);
  await page.show("screen");
  await page.until(`document.querySelectorAll(".tree.on-paper [role=treeitem]").length === 0`);
}

async function fitsNarrowScreens() {
  await page.narrow(480);
  await page.until(`document.documentElement.scrollWidth <= 480`);
}

async function isLegible() {
  const contrast = await page.evaluate(`(() => {
    const channel = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    const light = (color) => { const [r, g, b] = color.match(/\\d+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
    const style = getComputedStyle(document.body), soft = getComputedStyle(document.querySelector(".soft"));
    const paper = light(style.backgroundColor);
    return [style.color, soft.color].map((c) => { const x = light(c); return (Math.max(x, paper) + 0.05) / (Math.min(x, paper) + 0.05); });
  })()`);
  for (const ratio of contrast) assert.ok(ratio >= 4.5, "contrast " + ratio);
}

await Page.check(chromium, file, { dark: mode === "--dark" }, async (opened) => {
  page = opened;
  assert.ok(await page.evaluate("document.body.dataset.ready"));
  for (const check of [headIsTrue, functionsAreTrue, filesAreTrue, ranksAreTrue, timeIsTrue, flowAndSizesAreThere, comparisonIsTrue, adviceIsWhole, treeFolds, mapFollowsColors, isLegible, prints, fitsNarrowScreens]) await check();
});
