"use strict";
// Puts the page together: the head with one button per run, and the sections of the run that is chosen.

const report = JSON.parse(document.getElementById("data").textContent);
for (const run of report.runs) if (run.info) run.info = inRows(run.info);

function sectionsOf(run) {
  if (run.schedule) return [scheduleSection(run)];
  const of = run.info ? [headSection, timeSection, callsSection, accessSection, filesSection, ranksSection] : run.scale_free ? [freeHeadSection] : [];
  return [...of, adviceSection, lawsSection, treeSection].map((make) => make(run)).filter(Boolean);
}

function show(chosen) {
  const run = report.runs[chosen];
  document.querySelectorAll(".runs [data-run]").forEach((b) => b.setAttribute("aria-pressed", String(Number(b.dataset.run) === chosen)));
  const compared = compareSection(report.runs.filter((r) => r.info));
  const sections = [compared, ...sectionsOf(run)].filter(Boolean);
  document.getElementById("main").replaceChildren(...sections);
  document.getElementById("contents").replaceChildren(...sections.map((s) =>
    h("a", {href: "#" + s.id}, s.querySelector("h2").textContent)));
  document.body.dataset.ready = run.name;
}

document.getElementById("top").append(
  h("h1", null, report.runs.map((run) => run.name).join(", ")),
  report.runs.length < 2 ? "" : h("div", {class: "runs", role: "group", "aria-label": "Runs"}, report.runs.map((run, k) =>
    h("button", {type: "button", "data-run": k, "aria-pressed": "false", onclick: () => show(k)}, run.name))));
document.title = "Refrain: " + report.runs.map((run) => run.name).join(", ");
show(0);
