// Drives the report of a scale-free trace in a real browser and compares it with `refrain info --json`:
// node laws.mjs CHROMIUM report.html info.json [warnings.txt]
// warnings.txt: what `refrain info --ranks N` warns of, if the report is of N ranks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Page } from "./browser.mjs";

const [chromium, file, infoFile, sized] = process.argv.slice(2);
const info = JSON.parse(readFileSync(infoFile, "utf8"));

await Page.check(chromium, file, {}, async (page) => {
  const columns = await page.evaluate(`[...document.querySelectorAll("#doubts th")].map((e) => e.innerText)`);
  assert.deepEqual(columns, ["call", "what", "why", "either", "what would tell", "laws"]);
  while (await page.evaluate(`(() => { const more = document.querySelector("#doubts > button"); if (!more.hidden) more.click(); return !more.hidden; })()`));
  const rows = await page.evaluate(`[...document.querySelectorAll("#doubts tbody tr")].map((r) => [...r.children].map((c) => c.textContent))`);
  const has = (...words) => assert.ok(rows.some((row) => words.every((word) => row.join(" ").includes(word))), words.join(" "));
  const shown = (doubt) => has(doubt.reason, doubt.would_tell, ...(doubt.chosen === doubt.other ? [] : [doubt.chosen, doubt.other]));
  if (!sized) {
    assert.equal(await page.text("#command"), info.command);
    assert.ok((await page.text("#summary")).includes(info.sizes.join(", ")));
    for (const name of ["laws", "doubts"]) assert.equal(Number(await page.value(`#summary [data-metric=${name}]`)), name === "laws" ? info.laws : info.doubts.length);
    assert.equal(await page.value("#summary [data-metric=elapsed]"), info.elapsed);
    info.doubts.forEach(shown);
    const laws = rows.reduce((sum, row) => sum + Number(row[5]), 0);
    assert.equal(laws, info.doubts.length);
    assert.ok((await page.text("#laws")).includes(laws === 1 ? "1 doubt" : `${laws} doubts`));
    return;
  }
  const doubts = await page.evaluate("report.runs[0].scale_free.doubts");
  const lineOf = (d) => `: ${d.where}: ${d.reason}${d.chosen ? `: ${d.chosen}, ${d.other}` : ""}; ${d.would_tell}`;
  const lines = readFileSync(sized, "utf8").split("\n").filter((line) => line.includes(": not certain at "));
  assert.ok(lines.length > 0);
  for (const line of lines) {
    const doubt = doubts.find((d) => d.matters && line.endsWith(lineOf(d)));
    assert.ok(doubt, line);
    shown(doubt);
  }
});
