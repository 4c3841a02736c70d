import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Runs a command in the folder of the package and returns what it prints. */
function run(command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: PACKAGE, encoding: "utf8", ...options });
  assert.equal(status, 0, stderr);
  return stdout;
}

test("the code blocks of README.md print the text below them", () => {
  const examples = [...README.matchAll(/```js\n(.*?)```\n+```\n(.*?)```/gs)];
  assert.ok(examples.length > 3, `${examples.length}`);
  // The folder lies in the package, so that the name of the package resolves to the package itself.
  const folder = mkdtempSync(`${PACKAGE}/dist/readme-`);
  try {
    for (const [k, [, source, printed]] of examples.entries()) {
      const file = `${folder}/${k}.mjs`;
      writeFileSync(file, source);
      assert.equal(run(process.execPath, [file]), printed, source);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the console session of README.md prints what it shows", () => {
  const sessions = [...README.matchAll(/```console\n\$ (.*?)\n(.*?)```/gs)];
  assert.ok(sessions.length > 0);
  for (const [, command, printed] of sessions) assert.equal(run("sh", ["-c", command]), printed, command);
});

test("the page of README.md uses names that the package exports", async () => {
  const dragnet = await import("dragnet-probe");
  const pages = [...README.matchAll(/```html\n(.*?)```/gs)];
  assert.ok(pages.length > 0);
  for (const [, page] of pages) {
    for (const [, names] of page.matchAll(/import \{ (.*?) \} from "dragnet-probe"/g)) {
      for (const name of names.split(", ")) assert.ok(name in dragnet, name);
    }
  }
});
