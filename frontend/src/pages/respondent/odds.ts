/** A questionnaire's privacy in plain numbers, computed from its integers. */

import type { Mechanism } from "../../privacy/mechanisms/mechanism.ts";
import type { Manifest, Question } from "../../wire/manifest.ts";
import { mechanismsOf } from "../../wire/report.ts";

/** The part of the wheel, or of the ways the coins can fall, that means "own answer". */
export function bright({ num, bits }: Mechanism): number {
  return num / 2 ** bits;
}

/** After the dark part any answer may follow, the own one too; else only another. */
export function anyAfterDark({ name }: Mechanism): boolean {
  return name === "spinner-coin" || name === "coin";
}

/** The chance that one's own answer (the own mark of a box) is what is sent. */
export function kept(mechanism: Mechanism): number {
  const own = bright(mechanism);
  return anyAfterDark(mechanism) ? own + (1 - own) / mechanism.choices : own;
}

/** Of 100 people who answer alike, about how many send their own answer on: least and most over the questions. */
export function keptRange(manifest: Manifest): readonly [number, number] {
  const all = mechanismsOf(manifest).map((mechanism) => Math.round(100 * kept(mechanism)));
  return [Math.min(...all), Math.max(...all)];
}

/** How likely something may become, that was thought as likely as not, to one who sees reports worth ε. */
export function posterior(epsilon: number): number {
  return 1 / (1 + Math.exp(-epsilon));
}

/** The ε of everything whose being asked depends on this question's answer, itself included. */
export function epsilonFrom(manifest: Manifest, question: number): number {
  const touched = new Set([question]);
  manifest.questions.forEach(({ visibleIf }, later) => {
    if (visibleIf?.conditions.some((condition) => touched.has(condition.question))) touched.add(later);
  });
  return [...touched].reduce((sum, at) => sum + Number((manifest.questions[at] as Question).epsilon ?? 0), 0);
}

/** By how many percentage points one false report can move a share, of n answers. */
export function liarPoints(manifest: Manifest, n: number): number {
  return Math.max(...mechanismsOf(manifest).map((mechanism) => 100 / (n * contrast(mechanism))));
}

/** Rounded up to one decimal: a bound is never shown smaller than it is. */
export function percentUp(share: number): string {
  const tenths = Math.ceil(share * 1000 - 1e-9);
  return tenths >= 1000 ? ">99.9%" : `${tenths / 10}%`;
}

export function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** P[v|v] − P[v|w], for a share among all n answers. */
function contrast(mechanism: Mechanism): number {
  const own = bright(mechanism);
  const delta = anyAfterDark(mechanism) ? own : own - (1 - own) / (mechanism.choices - 1);
  return mechanism.name === "one-box" ? delta / (mechanism.boxes ?? 1) : delta;
}
