"use strict";
// Lists of alike objects come column by column, as src/report/columns.hpp says.

function inRows(json) {
  if (Array.isArray(json)) return json.map(inRows);
  if (json === null || typeof json !== "object") return json;
  const {"=": count, "=?": absent, ...rest} = json;
  const entries = Object.entries(rest).map(([key, value]) => [key.startsWith("=") ? key.slice(1) : key, inRows(value)]);
  if (count === undefined) return Object.fromEntries(entries);
  const rows = Array.from({length: count}, (_, row) => Object.fromEntries(
    entries.filter(([, column]) => column[row] !== null).map(([key, column]) => [key, column[row]])));
  for (const row of absent || []) rows[row] = null;
  return rows;
}
