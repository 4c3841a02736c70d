import { html, replace } from "../../base/dom.js";
import { labelled } from "../../base/fields.js";
import { capital } from "../../base/text.js";
import { type Meaning, isMeant, lettersOn, meaningOf, meaningText, withMeaning } from "../../model/letters.js";
import type { Editor } from "./editor.js";
import type { Part } from "./part.js";

/** The meanings of any letter that are offered, in order. */
const MEANINGS: readonly Meaning[] = [
  ...[2, 3, 4, 5, 6, 7, 8].map((ground) => ({ ground })),
  { ground: "barred" },
  { cover: "full" },
  { cover: "beside" },
  { opaque: true },
  { cover: "full", opaque: true },
];

/** Creates a row for each letter on the board, in which its meaning is chosen. */
export function createLettersPanel(editor: Editor): Part {
  const element = html("div", { class: "letters" });
  let listed = "";
  return {
    element,
    show({ editor: { game } }) {
      const { rules, scenario } = game;
      const letters = lettersOn(scenario);
      const meanings = letters.map((letter) => meaningOf(rules, letter));
      const key = JSON.stringify([letters, meanings, rules.more]);
      if (key === listed) return;
      listed = key;
      const field = (letter: string, at: number): HTMLElement => {
        const ways = [letter, ...letters.filter((other) => other !== letter)].map((ways) => ({ ways }));
        const present = JSON.stringify(meanings[at]);
        const offered = ["{}", ...[...ways, ...MEANINGS].map((meaning) => JSON.stringify(meaning))];
        if (!offered.includes(present)) offered.push(present);
        const text = (meaning: string): string =>
          capital(meaningText(JSON.parse(meaning) as Meaning, letter)) ||
          (isMeant(withMeaning(rules, letter, {}), letter) ? "As the text of the rules says" : "Nothing yet");
        const select = html(
          "select",
          { change: () => editor.setRules(withMeaning(editor.state.game.rules, letter, JSON.parse(select.value) as Meaning)) },
          ...offered.map((value) => html("option", { value }, text(value))),
        );
        select.value = present;
        return labelled(`Squares ${letter}`, select);
      };
      replace(element, ...letters.map(field));
    },
  };
}
