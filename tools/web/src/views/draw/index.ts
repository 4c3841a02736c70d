import { html } from "../../base/dom.js";
import type { View } from "../view.js";

export const view: View = {
  name: "draw",
  title: "Draw",
  mount(host) {
    host.append(html("h1", {}, "Draw"));
    return { show() {}, close() {} };
  },
};
