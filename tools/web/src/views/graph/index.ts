import { html } from "../../base/dom.js";
import type { View } from "../view.js";

export const view: View = {
  name: "graph",
  title: "Graphs",
  mount(host) {
    host.append(html("h1", {}, "Graphs"));
    return { show() {}, close() {} };
  },
};
