/** The staff pages' entry: plain forms work without it; it only makes them quicker. */
import "./base.css";
import "./forms.css";
import "./survey.css";
import "./results.css";
import "./console.css";
import { sourceConsole } from "./console.ts";
import "./panels.css";
import { copyButtons } from "./copy.ts";
import { passkeyErrors } from "./passkeys.ts";
import { planner } from "./planner.ts";
import { questionForm } from "./question.ts";
import { warnings } from "./warnings.ts";

copyButtons(document);
questionForm(document);
planner(document);
warnings(document);
passkeyErrors(document);
sourceConsole(document);
