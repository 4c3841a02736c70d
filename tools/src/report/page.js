"use strict";
// Cards are still a table to those who hear the page, though its style sheet shows none.
const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
for (const part of document.querySelectorAll(".cards, .cards :is(thead, tbody, tr, td, th)")) {
  part.setAttribute("role", roles[part.tagName] ?? (part.scope === "col" ? "columnheader" : "rowheader"));
}

const body = document.querySelector(".boards tbody");
const rows = [...body.rows];

// Sorting: a click on a title sorts by it, the next click turns the order round. What has no value stays at
// the end.
const heads = [...document.querySelectorAll(".boards thead th")];
for (const head of heads) {
  head.firstElementChild.addEventListener("click", () => {
    const before = head.getAttribute("aria-sort");
    const falling = before ? before === "ascending" : "falling" in head.dataset;
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const value = (row) => row.cells[head.cellIndex].dataset.v;
    rows.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
      const order = x - y || x.localeCompare(y, undefined, { numeric: true });
      return falling ? -order : order;
    });
    body.append(...rows);
  });
}

// Filtering by name and by what became of the board.
const search = document.querySelector("[type=search]");
const boxes = [...document.querySelectorAll("[type=checkbox]")];
const output = document.querySelector("output");
const filter = () => {
  const words = search.value.toLowerCase().split(/\s+/);
  const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let shown = 0;
  for (const row of rows) {
    const name = row.cells[1].dataset.v.toLowerCase();
    row.hidden = !(wanted.has(row.dataset.status) && words.every((word) => name.includes(word)));
    shown += !row.hidden;
  }
  output.textContent = `${shown} of ${rows.length} boards`;
};
search.addEventListener("input", filter);
for (const box of boxes) box.addEventListener("change", filter);
filter();

// Pictures, enlarged.
const dialog = document.querySelector("dialog");
body.addEventListener("click", (event) => {
  const picture = event.target.closest(".picture");
  if (!picture) return;
  const row = picture.closest("tr");
  const large = picture.cloneNode(true);
  large.removeAttribute("title");
  large.disabled = true;
  dialog.querySelector(".large").replaceChildren(large);
  dialog.querySelector("figcaption").textContent = `${row.cells[1].dataset.v}: ${row.querySelector(".view").textContent}`;
  dialog.showModal();
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
