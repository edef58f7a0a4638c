/** The wheel and the coins, drawn to the manifest's integers. */

import { Component, createRef } from "preact";
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
  /** Called when the wheel has come to rest; with it, the wheel is seen turning. */
  readonly rested?: (() => void) | undefined;
}

/** A wheel whose bright part is exactly num of 2^32, turned so that the pointer is at the word drawn. */
export class Wheel extends Component<WheelProps> {
  private readonly disc = createRef<SVGGElement>();

  override componentDidMount(): void {
    const { rested } = this.props;
    if (rested !== undefined) move(this.disc.current, turning, 2600, rested);
  }

  override render({ t, mechanism, word }: WheelProps) {
    const share = bright(mechanism);
    const label = t("wheel", { percent: percent(share) });
    return (
      <svg class="wheel" viewBox="0 0 100 104" role="img" aria-label={label}>
        <g class="disc" ref={this.disc}>
          <g transform={`rotate(${((word ?? 0) / DRAWN) * -360} 50 50)`}>
            <circle class="w-dark" cx="50" cy="50" r={RADIUS} />
            <path class="w-bright" d={sector(share)} />
            <circle class="w-rim" cx="50" cy="50" r={RADIUS} />
          </g>
        </g>
        <circle class="w-hub" cx="50" cy="50" r="5" />
        {word !== undefined && <path class="w-hub" d="M43 0h14l-7 15z" />}
      </svg>
    );
  }
}

interface CoinsProps {
  readonly t: Translate;
  /** True: heads. */
  readonly faces: readonly boolean[];
  /** Together they mean "own answer". */
  readonly own: boolean;
  readonly rested?: (() => void) | undefined;
}

/** Coins as they fell, in the order of their tosses. */
export class Coins extends Component<CoinsProps> {
  private readonly row = createRef<HTMLDivElement>();

  override componentDidMount(): void {
    const { rested } = this.props;
    if (rested === undefined) return;
    const coins = Array.from(this.row.current?.children ?? []);
    coins.forEach((coin, at) => {
      move(coin, tossing, 900 + 250 * at, at === coins.length - 1 ? rested : () => {});
    });
  }

  override render({ t, faces, own }: CoinsProps) {
    const names = faces.map((heads) => t(heads ? "heads" : "tails"));
    return (
      <div class="row" role="img" aria-label={names.join(", ")} ref={this.row}>
        {names.map((name, at) => (
          <svg key={at} class="coin" viewBox="0 0 100 100" aria-hidden="true">
            <circle class={own ? "c-own" : "c-other"} cx="50" cy="50" r="45" />
            <text class="c-text" x="50" y="57">
              {name}
            </text>
          </svg>
        ))}
      </div>
    );
  }
}

/** The tosses of a word: its bits from the most significant on, 0 is heads, so that one head of one means "own". */
export function facesOf(word: number, tosses: number): readonly boolean[] {
  return Array.from({ length: tosses }, (_, at) => Math.floor(word / 2 ** (tosses - 1 - at)) % 2 === 0);
}

/** The small wheel of the wordmark. */
export function Mark() {
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true">
      <circle class="w-dark" cx="50" cy="50" r={RADIUS} />
      <path class="w-bright" d={sector(0.75)} />
      <circle class="w-rim" cx="50" cy="50" r={RADIUS} />
    </svg>
  );
}

/** Whether things may be seen moving. */
export function mayMove(): boolean {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const turning: Keyframe[] = [{ transform: "rotate(-1980deg)" }, { transform: "rotate(0)" }];
const tossing: Keyframe[] = [
  { transform: "translateY(0) scaleX(1)" },
  { transform: "translateY(-1.5rem) scaleX(0)", offset: 0.4 },
  { transform: "translateY(-1.5rem) scaleX(1)", offset: 0.55 },
  { transform: "translateY(0) scaleX(0)", offset: 0.8 },
  { transform: "translateY(0) scaleX(1)" },
];

function move(element: Element | null, frames: Keyframe[], duration: number, rested: () => void): void {
  const moving = element?.animate(frames, { duration, easing: "cubic-bezier(.15,.6,.15,1)" });
  if (moving === undefined) rested();
  else moving.onfinish = rested;
}
