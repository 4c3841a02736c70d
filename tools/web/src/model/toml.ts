import type { RulesObject } from "./board-rules.js";

type Value = string | number | boolean | Value[] | { [key: string]: Value };

/**
 * Reads the part of TOML that rules files and the sources of tables need: keys, tables, lists of tables,
 * strings without escapes, literal strings of several lines, whole numbers, true and false, lists and inline
 * tables. Throws an error with line and column.
 */
export function parseToml(text: string): RulesObject {
  const reader = new Reader(text);
  const root: { [key: string]: Value } = {};
  let table = root;
  for (reader.skip(true); !reader.atEnd; reader.skip(true)) {
    if (reader.accept("[[")) {
      table = reader.element(root);
      reader.require("]]");
    } else if (reader.accept("[")) {
      table = reader.header(root);
      reader.require("]");
    } else {
      reader.pair(table);
    }
    reader.endOfLine();
  }
  return root;
}

/** Reads tokens of a text. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Skips blanks and a comment; with `lines` also line ends. */
  skip(lines: boolean): void {
    const blanks = lines ? /(?:[ \t\n]|#[^\n]*)*/y : /[ \t]*(?:#[^\n]*)?/y;
    this.#match(blanks);
  }

  accept(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  require(sign: string): void {
    if (!this.accept(sign)) throw this.error(`expected ${sign}, found ${this.#found()}`);
  }

  key(): string {
    const key = this.#match(/[A-Za-z0-9_-]+/y);
    if (key === "") throw this.error(`expected a key, found ${this.#found()}`);
    return key;
  }

  /** Reads the keys of a table's header, and returns the new table, in the tables that they name. */
  header(root: { [key: string]: Value }): { [key: string]: Value } {
    let outer = root;
    for (;;) {
      this.skip(false);
      const key = this.key();
      this.skip(false);
      if (!this.accept(".")) {
        const table = {};
        this.add(outer, key, table);
        return table;
      }
      if (!Object.hasOwn(outer, key)) this.add(outer, key, {});
      const inner = outer[key]!;
      if (typeof inner !== "object" || Array.isArray(inner)) throw this.error(`the key ${key} is no table`);
      outer = inner;
    }
  }

  /** Reads the key of a list of tables, and returns the new table at its end. */
  element(root: { [key: string]: Value }): { [key: string]: Value } {
    this.skip(false);
    const key = this.key();
    this.skip(false);
    if (!Object.hasOwn(root, key)) this.add(root, key, []);
    const list = root[key];
    if (!Array.isArray(list)) throw this.error(`the key ${key} is no list of tables`);
    const table = {};
    list.push(table);
    return table;
  }

  /** Reads `KEY = VALUE` into a table. */
  pair(table: { [key: string]: Value }): void {
    const key = this.key();
    this.skip(false);
    this.require("=");
    this.skip(false);
    this.add(table, key, this.#value(0));
  }

  add(table: { [key: string]: Value }, key: string, value: Value): void {
    if (Object.hasOwn(table, key)) throw this.error(`the key ${key} is there twice`);
    Object.defineProperty(table, key, { value, enumerable: true, writable: true, configurable: true });
  }

  endOfLine(): void {
    this.skip(false);
    if (!this.atEnd && !this.accept("\n"))
      throw this.error(`expected the end of the line, found ${this.#found()}`);
  }

  error(message: string): Error {
    const before = this.#text.slice(0, this.#at).split("\n");
    return new Error(`line ${before.length}, column ${before.at(-1)!.length + 1}: ${message}`);
  }

  #value(depth: number): Value {
    if (depth > 4) throw this.error("expected at most 4 lists within each other");
    if (this.accept("[")) return this.#list(depth);
    if (this.accept("{")) return this.#table();
    if (this.accept("'''")) {
      this.accept("\n");
      const end = this.#text.indexOf("'''", this.#at);
      if (end < 0) throw this.error("expected ''' at the end of the string, found none");
      const string = this.#text.slice(this.#at, end);
      this.#at = end + 3;
      return string;
    }
    for (const quote of ['"', "'"]) {
      if (!this.accept(quote)) continue;
      const string = this.#match(/[^"'\\\n]*/y);
      this.require(quote);
      return string;
    }
    const word = this.#match(/[A-Za-z0-9_+.-]+/y);
    if (word === "true" || word === "false") return word === "true";
    if (/^[+-]?(?:0|[1-9]\d{0,14})$/.test(word)) return Number(word);
    this.#at -= word.length;
    throw this.error(`expected a value, such as "king", true or 1; found ${this.#found()}`);
  }

  #list(depth: number): Value[] {
    const list: Value[] = [];
    for (;;) {
      this.skip(true);
      if (this.accept("]")) return list;
      list.push(this.#value(depth + 1));
      this.skip(true);
      if (this.accept(",")) continue;
      this.require("]");
      return list;
    }
  }

  #table(): { [key: string]: Value } {
    const table: { [key: string]: Value } = {};
    this.skip(false);
    if (this.accept("}")) return table;
    do {
      this.skip(false);
      this.pair(table);
      this.skip(false);
    } while (this.accept(","));
    this.require("}");
    return table;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [match = ""] = pattern.exec(this.#text) ?? [];
    this.#at += match.length;
    return match;
  }

  #found(): string {
    if (this.atEnd) return "the end of the text";
    const [word = ""] = /^(?:[^ \t\n]{1,24}|[ \t\n])/.exec(this.#text.slice(this.#at)) ?? [];
    return word === "\n" ? "the end of the line" : JSON.stringify(word);
  }
}
