// Drives the report of a schedule in a real browser and compares it with `refrain schedule simulate --json`:
// node schedule.mjs CHROMIUM report.html simulated.json [--dark]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Page } from "./browser.mjs";

const [chromium, file, simulated, mode] = process.argv.slice(2);
const expected = JSON.parse(readFileSync(simulated, "utf8"));

await Page.check(chromium, file, { dark: mode === "--dark" }, async (page) => {
  const metric = (name) => page.value(`#schedule [data-metric=${name}]`).then(Number);
  assert.equal(await metric("makespan"), expected.makespan);
  assert.equal(await metric("max_stretch"), expected.max_stretch);
  const ids = await page.evaluate(`[...document.querySelectorAll("#jobs tbody tr")].map((r) => Number(r.children[0].dataset.value))`);
  assert.deepEqual(ids.sort((a, b) => a - b), expected.jobs.map((j) => j.id).sort((a, b) => a - b));
  // Every job has a box in the picture, which says when it ran.
  const boxes = await page.evaluate(`[...document.querySelectorAll("#schedule svg.drawing title")].map((t) => t.textContent)`);
  for (const job of expected.jobs)
    assert.ok(boxes.some((text) => text.startsWith(`job ${job.id} `)), `job ${job.id} is not drawn`);
  const shown = await page.evaluate(`document.querySelector("#schedule svg.drawing").getBoundingClientRect().width`);
  assert.ok(shown > 300, "the picture has no size");
  const filter = await page.evaluate(`getComputedStyle(document.querySelector("#schedule svg.drawing")).filter`);
  assert.equal(filter !== "none", mode === "--dark", "white paper is for light pages");
  await page.narrow(480);
  await page.until(`document.documentElement.scrollWidth <= 480`);
});
