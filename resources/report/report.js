"use strict";
// Tables sort by a click on a column's title; cells without a value stay last. Everything is there without this script, too.
const valueOf = (row, column) => {
  const cell = row.cells[column];
  if (!cell) return null;
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v.replace(/^(-?)inf$/, "$1Infinity"));
  const text = cell.textContent.trim();
  return text === "" || text === "–" ? null : text;
};
const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
for (const table of document.querySelectorAll("table.sort")) {
  const titles = [...table.tHead.rows[0].cells];
  titles.forEach((title, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => {
      const before = title.getAttribute("aria-sort");
      const falls = before ? before === "ascending" : title.classList.contains("n");
      titles.forEach((other) => other.removeAttribute("aria-sort"));
      title.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [row, valueOf(row, column)]);
      rows.sort(([, a], [, b]) => {
        const none = (value) => value === null || Number.isNaN(value);
        if (none(a) || none(b)) return none(a) - none(b);
        return falls ? compare(b, a) : compare(a, b);
      });
      body.append(...rows.map(([row]) => row));
    });
  });
}
// Paper cannot be unfolded; sources stay folded.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open]):not(.source)")];
  for (const part of folded) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of folded) part.open = false;
});
