/** How the figures of a plan are written. */

/** What `GET /api/v1/plan/` answers. */
export type Plan = {
  readonly protocol: string;
  readonly epsilon: string;
  readonly p: number;
  readonly delta: number;
  readonly odds: number;
  readonly prevalence: number;
  readonly blind_rate: number;
  readonly guess_rate: number;
  readonly posterior_bound: number;
  readonly factor_direct: number | null;
  readonly expected_margin: number | null;
  readonly direct_margin: number | null;
  readonly central_margin: number | null;
  readonly one_liar: number | null;
  readonly n_needed: number | null;
  readonly boxes_better: string | null;
  readonly mechanism: Mechanism;
};

type Mechanism = {
  readonly name: string;
  readonly num: number;
  readonly bits?: number;
  readonly tosses?: number;
};

const NOTHING = "–";

/** Write every figure for the page's language, by the name that its place on the page carries. */
export function figures(plan: Plan, language: string, points: string): Readonly<Record<string, string>> {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const margin = (share: number | null): string =>
    share === null ? NOTHING : `± ${hundred(share, 1)} ${points}`.trim();
  const { mechanism } = plan;
  return {
    epsilon: plan.epsilon,
    odds: String(plan.odds),
    p: `${hundred(plan.p, 1)} %`,
    delta: plan.delta.toFixed(3),
    prevalence: `${Number(hundred(plan.prevalence, 1))} %`,
    blind_rate: `${hundred(plan.blind_rate, 1)} %`,
    guess_rate: `${hundred(plan.guess_rate, 1)} %`,
    posterior_bound: `${hundred(plan.posterior_bound, 1)} %`,
    expected_margin: margin(plan.expected_margin),
    direct_margin: margin(plan.direct_margin),
    central_margin: margin(plan.central_margin),
    n_needed: plan.n_needed === null ? NOTHING : whole.format(plan.n_needed),
    factor_direct: plan.factor_direct === null ? NOTHING : `${plan.factor_direct.toFixed(1)} ×`,
    one_liar: plan.one_liar === null ? NOTHING : `${hundred(plan.one_liar, 2)} ${points}`.trim(),
    num: whole.format(mechanism.num),
    outcomes: whole.format(2 ** (mechanism.tosses ?? mechanism.bits ?? 32)),
  };
}

function hundred(share: number, places: number): string {
  return (100 * share).toFixed(places);
}
