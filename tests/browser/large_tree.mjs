// A tree of 100,000 nodes in a report: only rows in view are in the page, whatever is unfolded, searched or scrolled to.
// node large_tree.mjs CHROMIUM report.html large.html    (the last is written)
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { Page } from "./browser.mjs";

const [chromium, from, to] = process.argv.slice(2);
const nodes = 100000, perLoop = 99;
const loops = Array.from({ length: nodes / (perLoop + 1) }, (_, i) => ["loop i " + i, perLoop, 1000, 0,
  Array.from({ length: perLoop }, (_, j) => [`pwrite(fd0, data, 4096, ${i * perLoop + j}*4096)` + (i === 999 ? "x".repeat(400) : ""), 1, 10, 1])]);
const text = readFileSync(from, "utf8").replace(/(id="data">)(.*?)(<\/script>)/s, (_, begin, data, end) => {
  const report = JSON.parse(data);
  report.runs[0].tree = [["process 0", nodes, 1, 1, loops]];
  return begin + JSON.stringify(report) + end;
});
writeFileSync(to, text);

await Page.check(chromium, to, {}, async (page) => {
  const inPage = () => page.count(".tree [role=treeitem]");
  const rows = () => page.evaluate(`Number(document.querySelector(".tree > div").dataset.rows)`);
  const timed = (what) => page.evaluate(`(() => { const begin = performance.now(); ${what}; return performance.now() - begin; })()`);
  const unfold = await timed(`document.querySelector("#trace button:nth-of-type(1)").click()`);
  assert.equal(await rows(), nodes + 1);
  assert.ok(await inPage() < 80);
  const scroll = await timed(`{ const tree = document.querySelector(".tree"); tree.scrollTop = tree.scrollHeight; tree.dispatchEvent(new Event("scroll")); }`);
  assert.ok(await inPage() < 80);
  assert.equal(await page.evaluate(`[...document.querySelectorAll(".tree [role=treeitem]")].at(-1).dataset.row`), String(nodes));
  const search = await timed(`{ const find = document.querySelector("#trace input"); find.value = "98999*4096"; find.dispatchEvent(new Event("input")); }`);
  assert.equal(await rows(), 3);
  // Long rows keep their indentation.
  const folds = await page.evaluate(`[...document.querySelectorAll(".tree .fold")].map((e) => e.getBoundingClientRect().width)`);
  assert.ok(folds.length >= 3 && Math.min(...folds) > 15, "indentation " + folds);
  await timed(`{ const find = document.querySelector("#trace input"); find.value = ""; find.dispatchEvent(new Event("input")); }`);
  await page.show("print");
  await page.until(`document.querySelectorAll(".tree.on-paper [role=treeitem]").length === 2000`);
  assert.ok((await page.text(".tree.on-paper p")).includes("98,001 rows more are not printed"));
  console.log(`unfold ${unfold.toFixed(0)} ms, scroll ${scroll.toFixed(0)} ms, search ${search.toFixed(0)} ms`);
});
