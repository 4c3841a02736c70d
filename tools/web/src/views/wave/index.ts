import { html } from "../../base/dom.js";
import type { View } from "../view.js";

export const view: View = {
  name: "wave",
  title: "Wave",
  mount(host) {
    host.append(html("h1", {}, "Wave"));
    return { show() {}, close() {} };
  },
};
