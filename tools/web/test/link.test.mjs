import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/modules.mjs";

const { linkTo, readLink } = await load("model/link.ts");

test("a link has the written form of its version", () => {
  const link = linkTo(["table", "my yard/é"], { police: "7,1;0,0", turn: "police", level: undefined });
  assert.equal(link, "#1/table/my%20yard%2F%C3%A9?police=7,1;0,0&turn=police");
});

test("a link that was written once leads to its place for ever", () => {
  const { path, parameters } = readLink("#1/table/my%20yard%2F%C3%A9?police=7,1;0,0&turn=police");
  assert.deepEqual(path, ["table", "my yard/é"]);
  assert.deepEqual([...parameters], [["police", "7,1;0,0"], ["turn", "police"]]);
  assert.equal(readLink(""), undefined);
});

test("a link of another version and a broken one are refused", () => {
  assert.throws(() => readLink("#2/table"), /expected #1\//);
  assert.throws(() => readLink("#table"), /expected #1\//);
  assert.throws(() => readLink("#1/table/%E9"), /percent-encoded/);
});
