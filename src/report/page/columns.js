"use strict";
// Lists of alike objects come column by column, as src/report/columns.hpp and packed_column.hpp say.

function inRows(json) {
  if (Array.isArray(json)) return json.map(inRows);
  if (json === null || typeof json !== "object" || isPacked(json)) return json;
  const {"=": count, "=?": absent, ...rest} = json;
  const entries = Object.entries(rest).map(([key, value]) => [key.startsWith("=") ? key.slice(1) : key, inRows(value)]);
  if (count === undefined) return Object.fromEntries(entries);
  const columns = entries.map(([key, column]) => [key, unpacked(column, count)]);
  const rows = Array.from({length: count}, (_, row) => Object.fromEntries(
    columns.filter(([, column]) => column[row] !== null).map(([key, column]) => [key, column[row]])));
  for (const row of absent || []) rows[row] = null;
  return rows;
}

const isPacked = (json) => "=:" in json || "=~" in json || "=@" in json;

function unpacked(column, count) {
  if (Array.isArray(column)) return column;
  const each = (value) => Array.from({length: count}, (_, row) => value(row));
  if ("=:" in column) return each(() => inRows(column["=:"]));
  if ("=@" in column) return each((row) => inRows(column["=@"][column["=i"][row]]));
  const [first, ...texts] = column["=~"];
  const number = (k, row) => String(column["=#"][k][row + 1]).padStart(column["=#"][k][0], "0");
  return each((row) => texts.reduce((text, next, k) => text + number(k, row) + next, first));
}
