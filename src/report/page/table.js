"use strict";
// A table that sorts by a click on a heading and shows what matches a search. Columns:
// {title, value(row), text(row) or cell(row), words: true for text, unless: value that shows as nothing}.
// A row may have others below it, which a button shows: options.below(row) is a list of cells' texts, options.many(row)
// says how many and of what. Long tables grow as they are asked to, from options.atOnce rows on, so that 100,000 rows
// don't delay the page.

const rowsAtOnce = 100;
const byName = new Intl.Collator("en", {numeric: true});  // part.9 before part.10

function makeTable(id, columns, rows, options = {}) {
  let order = options.order ?? null, descending = true, search = "";
  const atFirst = options.atOnce ?? rowsAtOnce;
  let shown = atFirst;
  const unfolded = new Set();
  const body = h("tbody"), more = h("button", {type: "button"}), unprinted = h("p", {class: "soft on-paper"}), note = h("p", {class: "soft", role: "status"});
  const heads = columns.map((column, k) => h("th", {class: column.words ? "words" : null, scope: "col"},
    h("button", {type: "button", onclick: () => { descending = order === k ? !descending : !column.words; order = k; draw(); }},
      column.title)));

  function cellOf(column, row) {
    const value = column.value(row);
    const content = column.cell ? column.cell(row) : value === column.unless ? "" : column.text ? column.text(row) : value;
    return h("td", {class: column.words ? "words" : null, "data-value": value}, content);
  }

  function draw() {
    const words = search.toLowerCase();
    let matching = words ? rows.filter((row) => options.search(row).toLowerCase().includes(words)) : rows.slice();
    if (order !== null) {
      const value = columns[order].value, sign = descending ? -1 : 1;
      matching.sort((a, b) => { const x = value(a), y = value(b); return sign * (typeof x === "string" ? byName.compare(x, y) : x - y); });
    }
    heads.forEach((head, k) => head.setAttribute("aria-sort", k !== order ? "none" : descending ? "descending" : "ascending"));
    const lines = [];
    for (const row of matching.slice(0, shown)) {
      const line = h("tr", null, columns.map((column) => cellOf(column, row)));
      lines.push(line);
      const many = options.many ? options.many(row) : "";
      if (!many) continue;
      const open = unfolded.has(row);
      line.firstChild.append(" ", h("button", {type: "button", class: "more", "aria-expanded": String(open),
        onclick: () => { if (!unfolded.delete(row)) unfolded.add(row); draw(); }}, (open ? "− " : "+ ") + many));
      if (open) for (const texts of options.below(row)) lines.push(h("tr", {class: "object"}, texts.map((text) => h("td", null, text))));
    }
    body.replaceChildren(...lines);
    const left = matching.length - shown;
    more.hidden = left <= 0;
    more.textContent = `Show ${grouped(Math.min(left, 10 * rowsAtOnce))} more; ${grouped(shown)} of ${grouped(matching.length)} are shown`;
    unprinted.textContent = left > 0 ? counted(left, "row more is", "rows more are") + " not printed" : "";
    note.textContent = search ? counted(matching.length, "match", "matches") : "";
  }

  more.addEventListener("click", () => { shown += 10 * rowsAtOnce; draw(); });
  const find = options.search ? searchField(options.searchLabel, (text) => { search = text; shown = atFirst; draw(); }) : null;
  draw();
  return h("div", {id}, find, note, h("div", {class: "scroll"}, h("table", null, h("thead", null, h("tr", null, heads)), body)), more, unprinted);
}
