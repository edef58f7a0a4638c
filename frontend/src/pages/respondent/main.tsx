/** The respondent page's entry. What it says comes after all code: so both compress better. */

import { start } from "./start.tsx";
import "./page.css";
import "./figures.css";
import en from "../../i18n/en.json";
import ko from "../../i18n/ko.json";
import words from "../../wire/words.json";

const root = document.getElementById("app");
if (root !== null)
  start(root, {
    en: { sentences: en, words: words.en },
    ko: { sentences: ko, words: words.ko },
  });
