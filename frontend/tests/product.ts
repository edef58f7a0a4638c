/** The product's privacy layer as one module, so that the same checks run on it and on its mutants. */

export * as accounting from "../src/privacy/accounting.ts";
export * as bits from "../src/privacy/bits.ts";
export * as budget from "../src/privacy/budget.ts";
export * as channel from "../src/privacy/channel.ts";
export * as catalogue from "../src/privacy/mechanisms/catalogue.ts";
export { coin } from "../src/privacy/mechanisms/coin.ts";
export { everyBox } from "../src/privacy/mechanisms/every_box.ts";
export { oneBox } from "../src/privacy/mechanisms/one_box.ts";
export { spinner } from "../src/privacy/mechanisms/spinner.ts";
export { spinnerCoin } from "../src/privacy/mechanisms/spinner_coin.ts";
export * as sampling from "../src/privacy/sampling.ts";
