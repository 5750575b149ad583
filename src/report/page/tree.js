"use strict";
// The trace as loops that fold. A node is [text, calls, time_ns, gap_ns, children]. Only rows in view are in the
// page: a tree of 100,000 nodes scrolls like one of ten.

const rowPixels = 22;
const rowsOnPaper = 2000;

class Tree {
  constructor(roots) {
    this.open = new Set();
    this.search = "";
    this.current = 0;
    this.rows = [];
    this.roots = roots;
    this.nodes = 0;
    this.number(roots, null, 0);
    this.openFirst();
    this.scroller = h("div", {class: "tree", role: "tree", tabindex: "0", "aria-label": "Calls and loops",
      onscroll: () => this.draw(), onkeydown: (e) => this.key(e), onclick: (e) => this.click(e)});
    this.space = h("div");
    this.scroller.append(this.space);
    this.note = h("p", {class: "soft", role: "status"});
    const find = searchField("Search calls", (text) => { this.search = text.toLowerCase(); this.scroller.scrollTop = 0; this.update(); });
    this.element = h("div", null, find, " ",
      h("button", {type: "button", onclick: () => { this.openAll(); this.update(); }}, "Unfold all"), " ",
      h("button", {type: "button", onclick: () => { this.open.clear(); this.update(); }}, "Fold all"),
      this.note, this.scroller, this.detail = h("p", {class: "detail", role: "status", "data-hint": ""}), this.paper = h("div", {class: "tree on-paper"}));
    aroundPrinting(() => this.layOut(), () => this.paper.replaceChildren());
    this.update();
  }

  // Nodes get their parent and depth as further elements.
  number(nodes, parent, depth) {
    for (const node of nodes) {
      node[5] = parent;
      node[6] = depth;
      ++this.nodes;
      if (node[4]) this.number(node[4], node, depth + 1);
    }
  }

  openFirst() {
    let left = 60;
    const visit = (nodes) => {
      for (const node of nodes) if (node[4] && (left -= node[4].length) > 0) { this.open.add(node); visit(node[4]); }
    };
    visit(this.roots);
  }

  openAll() {
    const visit = (nodes) => { for (const node of nodes) if (node[4]) { this.open.add(node); visit(node[4]); } };
    visit(this.roots);
  }

  // Which rows there are: what is unfolded, or what matches with all that is around it.
  update() {
    this.rows = [];
    let matches = 0;
    if (this.search) {
      const kept = new Set();
      const visit = (nodes) => {
        for (const node of nodes) {
          if (node[0].toLowerCase().includes(this.search)) {
            ++matches;
            for (let at = node; at && !kept.has(at); at = at[5]) kept.add(at);
          }
          if (node[4]) visit(node[4]);
        }
      };
      visit(this.roots);
      const list = (nodes) => { for (const node of nodes) if (kept.has(node)) { this.rows.push(node); if (node[4]) list(node[4]); } };
      list(this.roots);
    } else {
      const list = (nodes) => { for (const node of nodes) { this.rows.push(node); if (node[4] && this.open.has(node)) list(node[4]); } };
      list(this.roots);
    }
    this.note.textContent = this.search ? counted(matches, "match", "matches") : counted(this.nodes, "node", "nodes");
    this.current = Math.min(this.current, Math.max(0, this.rows.length - 1));
    this.space.dataset.rows = this.rows.length;
    this.space.style.height = this.rows.length * rowPixels + "px";
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowPixels) - 10);
    const last = Math.min(this.rows.length, first + Math.ceil((this.scroller.clientHeight || 480) / rowPixels) + 20);
    const rows = [];
    for (let k = first; k < last; ++k) rows.push(this.row(this.rows[k], k));
    this.space.replaceChildren(...rows);
    this.tell();
  }

  // The chosen row in full, which may be longer than there is room for; screen readers hear it.
  tell() {
    const node = this.rows[this.current];
    this.scroller.setAttribute("aria-activedescendant", node ? "row-" + this.current : "");
    if (!node || node === this.told) return;
    this.told = node;
    const [text, calls, time, gap, children] = node;
    const figures = [calls ? counted(calls, "call", "calls") : "", time ? durationText(time) + " in all" : "",
      !children && calls > 1 && time ? durationText(time / calls) + " each" : "", !children && gap ? durationText(gap / calls) + " since the call before" : ""];
    this.detail.replaceChildren(h("code", null, text), h("span", {class: "soft"}, " " + figures.filter(Boolean).join(", ")));
  }

  // On paper, where nothing scrolls: all rows that are unfolded, as far as they are not too many.
  layOut() {
    if (!this.element.isConnected) return;
    const left = this.rows.length - rowsOnPaper;
    this.paper.replaceChildren(...this.rows.slice(0, rowsOnPaper).map((node) => this.row(node, null)),
      left > 0 ? h("p", {class: "soft"}, counted(left, "row more is", "rows more are") + " not printed; refrain dump prints all") : "");
  }

  row(node, k) {
    const [text, calls, time, gap, children] = node;
    const unfolded = children && (this.search || this.open.has(node));
    return h("div", {id: k === null ? null : "row-" + k, role: "treeitem", "aria-selected": String(k === this.current), "aria-level": node[6] + 1, "aria-expanded": children ? String(Boolean(unfolded)) : null,
        class: k === this.current ? "current" : null, style: "top:" + k * rowPixels + "px;padding-left:" + node[6] * 1.2 + "rem",
        "data-row": k, title: text},
      h("span", {class: "fold", "aria-hidden": "true"}, children ? (unfolded ? "−" : "+") : ""),
      h("span", {class: "text"}, this.marked(text)),
      h("span", {class: "figure"}, calls ? counted(calls, "call", "calls") : ""),
      h("span", {class: "figure", title: children ? "time inside all calls below" : "time inside the call; gap before it " +
        durationText(calls ? gap / calls : 0)}, time ? durationText(time) : ""));
  }

  marked(text) {
    const at = this.search ? text.toLowerCase().indexOf(this.search) : -1;
    if (at < 0) return text;
    const end = at + this.search.length;
    return [text.slice(0, at), h("mark", null, text.slice(at, end)), text.slice(end)];
  }

  toggle(k) {
    const node = this.rows[k];
    if (!node || !node[4] || this.search) return;
    if (!this.open.delete(node)) this.open.add(node);
    this.update();
  }

  click(event) {
    const row = event.target.closest("[data-row]");
    if (!row) return;
    this.current = Number(row.dataset.row);
    this.toggle(this.current);
    this.draw();
  }

  key(event) {
    const node = this.rows[this.current], isOpen = node && this.open.has(node);
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9};
    if (event.key in moves) this.current = Math.max(0, Math.min(this.rows.length - 1, this.current + moves[event.key]));
    else if (event.key === "Enter" || event.key === " ") this.toggle(this.current);
    else if (event.key === "ArrowRight" && node && node[4]) { if (isOpen || this.search) ++this.current; else this.toggle(this.current); }
    else if (event.key === "ArrowLeft" && isOpen && !this.search) this.toggle(this.current);
    else if (event.key === "ArrowLeft" && node && node[5]) this.current = this.rows.indexOf(node[5]);
    else return;
    event.preventDefault();
    const top = this.current * rowPixels, height = this.scroller.clientHeight;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    if (top + rowPixels > this.scroller.scrollTop + height) this.scroller.scrollTop = top + rowPixels - height;
    this.draw();
  }
}
