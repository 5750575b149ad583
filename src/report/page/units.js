"use strict";
// Numbers as people read them: the same as those of `refrain info`.

const grouped = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");

// Three digits and a unit: 999.5 would print as 1000 in its own unit.
function scaled(n, units) {
  let unit = 0;
  while (unit + 1 < units.length && n >= 999.5) { n /= 1000; ++unit; }
  return (unit === 0 ? Math.round(n) : n.toFixed(n < 9.995 ? 2 : n < 99.95 ? 1 : 0)) + " " + units[unit];
}

const bytesText = (n) => scaled(n, ["B", "KB", "MB", "GB", "TB", "PB", "EB"]);
const percentText = (part) => part > 0 && part < 0.0005 ? "< 0.1 %" : (100 * part).toFixed(part < 0.1 ? 1 : 0) + " %";
const twoDigits = (n) => String(n).padStart(2, "0");

function durationText(ns) {
  if (ns < 100e9) return scaled(ns, ["ns", "us", "ms", "s"]);
  const seconds = Math.floor(ns / 1e9), minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min ${twoDigits(seconds % 60)} s` : `${hours} h ${twoDigits(minutes % 60)} min`;
}
const rateText = (bytes, ns) => ns > 0 ? bytesText(Math.round(bytes / ns * 1e9)) + "/s" : "";
const counted = (n, one, many) => grouped(n) + " " + (n === 1 ? one : many);

// An element: h("p", {class: "soft"}, "text", child). Attributes that begin with "on" are listeners.
function h(name, attributes, ...children) {
  const svg = ["svg", "g", "rect", "text", "path", "line", "title", "polygon"].includes(name);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) element.append(child);
  return element;
}

// A field to search in, with its name before it; `searched` gets what is typed.
const searchField = (label, searched) =>
  h("label", {class: "find"}, label, " ", h("input", {type: "search", oninput: (e) => searched(e.target.value)}));

// Calls `before` when the page is about to be printed and `after` when it is not any more.
function aroundPrinting(before, after) {
  matchMedia("print").addEventListener("change", (e) => e.matches ? before() : after());
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
}

// "rank 3", "ranks 0..7", "process 5": rows of a run without ranks are called after their process.
const rankWords = (ranks) => /^\d+$/.test(ranks) ? "rank " + ranks : /^\d/.test(ranks) ? "ranks " + ranks : ranks;

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
