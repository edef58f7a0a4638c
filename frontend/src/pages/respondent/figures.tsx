/** The wheel and the coins, drawn to the manifest's integers. */

import type { Mechanism } from "../../privacy/mechanisms/mechanism.ts";
import { bright, percent } from "./odds.ts";
import type { Translate } from "./text.ts";

const RADIUS = 45;
const DRAWN = 2 ** 32;

/** The outline of the bright part: from the top clockwise, exactly this share of the turn. */
export function sector(share: number): string {
  const angle = 2 * Math.PI * share;
  const x = 50 + RADIUS * Math.sin(angle);
  const y = 50 - RADIUS * Math.cos(angle);
  return `M50 50V${50 - RADIUS}A${RADIUS} ${RADIUS} 0 ${share > 0.5 ? 1 : 0} 1 ${x} ${y}Z`;
}

interface WheelProps {
  readonly t: Translate;
  readonly mechanism: Mechanism;
  /** The word drawn, where the pointer stops; without one the wheel has not been turned. */
  readonly word?: number;
  /** The box whose wheel this is, where each has one. */
  readonly label?: string;
}

/** A wheel whose bright part is exactly num of 2^32, turned so that the pointer is at the word drawn. */
export function Wheel({ t, mechanism, word, label }: WheelProps) {
  const share = bright(mechanism);
  const said = t("$wheel", { percent: percent(share) });
  return (
    <svg class="wheel" viewBox="0 0 100 104" role="img" aria-label={label ? `${label}: ${said}` : said}>
      <g class="disc">
        <g transform={`rotate(${((word ?? 0) / DRAWN) * -360} 50 50)`}>
          <Disc share={share} />
        </g>
      </g>
      <circle class="w-hub" cx="50" cy="50" r="5" />
      {word !== undefined && <path class="w-hub" d="M43 0h14l-7 15z" />}
    </svg>
  );
}

function Disc({ share }: { readonly share: number }) {
  return (
    <>
      <circle class="w-dark" cx="50" cy="50" r={RADIUS} />
      <path class="w-bright" d={sector(share)} />
      <circle class="w-rim" cx="50" cy="50" r={RADIUS} />
    </>
  );
}

/** The small wheel of the wordmark. */
export function Mark() {
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true">
      <Disc share={0.75} />
    </svg>
  );
}

interface CoinsProps {
  readonly t: Translate;
  /** True: heads. */
  readonly faces: readonly boolean[];
  /** Together they mean "own answer". */
  readonly own: boolean;
}

/** Coins as they fell, in the order of their tosses. */
export function Coins({ t, faces, own }: CoinsProps) {
  const names = faces.map((heads) => t(heads ? "$heads" : "$tails"));
  return (
    <div class="row" role="img" aria-label={names.join(", ")}>
      {names.map((name, at) => (
        <svg key={at} class="coin" viewBox="0 0 100 100" aria-hidden="true">
          <circle class={own ? "c-own" : "c-other"} cx="50" cy="50" r={RADIUS} />
          <text x="50" y="57">
            {name}
          </text>
        </svg>
      ))}
    </div>
  );
}

/** The tosses of a word: its bits from the most significant on, 0 is heads, so that one head of one means "own". */
export function facesOf(word: number, tosses: number): readonly boolean[] {
  return Array.from({ length: tosses }, (_, at) => Math.floor(word / 2 ** (tosses - 1 - at)) % 2 === 0);
}

/** Whether things may be seen moving. */
export function mayMove(): boolean {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Turns the wheels and tosses the coins on the page until they rest as drawn. */
export function setMoving(root: Element, rested: () => void): void {
  root.querySelectorAll(".disc, .coin").forEach((part, at) => {
    const frames = part.matches(".disc") ? ["rotate(-1980deg)", "none"] : ["none", "scaleX(0)", "none"];
    const moving = part.animate(
      { transform: frames },
      { duration: 2400, easing: "cubic-bezier(.15,.6,.15,1)" },
    );
    if (at === 0) moving.onfinish = rested;
  });
}
