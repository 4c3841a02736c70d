import { html } from "../../base/dom.js";
import type { View } from "../view.js";

export const view: View = {
  name: "table",
  title: "Tables",
  mount(host) {
    host.append(html("h1", {}, "Tables"));
    return { show() {}, close() {} };
  },
};
