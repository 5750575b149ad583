"use strict";
// Numbers as people read them: the same as those of `refrain info`.

const grouped = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");

// Three digits and a unit.
function scaled(n, units, step) {
  let unit = 0;
  while (unit + 1 < units.length && n >= step) { n /= step; ++unit; }
  const digits = n >= 100 ? 0 : n >= 10 ? 1 : 2;
  return n.toFixed(digits) + " " + units[unit];
}

const bytesText = (n) => n < 1000 ? n + " B" : scaled(n, ["B", "KB", "MB", "GB", "TB", "PB", "EB"], 1000);
const durationText = (ns) => ns < 1000 ? Math.round(ns) + " ns" : scaled(ns, ["ns", "us", "ms", "s"], 1000);
const percentText = (part) => (100 * part).toFixed(part < 0.1 ? 1 : 0) + " %";
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
