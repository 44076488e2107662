import type { Fee } from '../../ledger/money.js';
import { milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';

/** In a rule: every merchant, or every channel. */
export const ANY = '*';

/** The fee of the records to which the rule applies. */
export interface FeeRule {
  /** A merchant's id, or ANY. */
  readonly merchant: string;
  /** Charges: the code of a channel, or ANY. Payouts and disputes: a currency. */
  readonly subject: string;
  readonly fee: Fee;
}

/** The fees of charges, payouts or disputes. The most specific rule applies; without one, the fee is the recorded one. */
export class FeeRules {
  readonly #fees = new Map<string, Fee>();

  constructor(readonly rules: readonly FeeRule[]) {
    for (const { merchant, subject, fee } of rules) this.#fees.set(keyOf(merchant, subject), fee);
  }

  find(merchant: string, subject: string): Fee | undefined {
    const fees = this.#fees;
    if (fees.size === 0) return undefined;
    return fees.get(keyOf(merchant, subject)) ?? fees.get(keyOf(merchant, ANY)) ?? fees.get(keyOf(ANY, subject)) ?? fees.get(keyOf(ANY, ANY));
  }

  /** Returns the indexes of two rules of equal rank that apply to the same records, to which no more specific rule applies. */
  conflict(): readonly [number, number] | undefined {
    const indexes = new Map<string, number>();
    for (const [index, { merchant, subject }] of this.rules.entries()) {
      const other = indexes.get(keyOf(merchant, subject));
      if (other !== undefined) return [other, index];
      indexes.set(keyOf(merchant, subject), index);
    }
    for (const [index, { merchant, subject }] of this.rules.entries()) {
      if (merchant === ANY || subject !== ANY) continue;
      const other = this.rules.findIndex((each) => each.merchant === ANY && each.subject !== ANY && !indexes.has(keyOf(merchant, each.subject)));
      if (other >= 0) return other < index ? [other, index] : [index, other];
    }
    return undefined;
  }
}

const keyOf = (merchant: string, subject: string): string => `${merchant} ${subject}`;

/** The recorded fees. */
export const NO_RULES = new FeeRules([]);

/** Other fees for past records. */
export interface Scenario {
  readonly name: string;
  readonly charges: FeeRules;
  readonly payouts: FeeRules;
  readonly disputes: FeeRules;
}

/** Records that are created from `fromMs` on and before `toMs`, ms since the epoch. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

export function isOfPeriod({ fromMs, toMs }: Period, time: Timestamp): boolean {
  const at = milliseconds(time);
  return at >= fromMs && at < toMs;
}

interface OfMerchant {
  /** Default: ANY. */
  readonly merchant?: string;
  readonly fee: Fee;
}

/** A scenario as people write it. */
export interface ScenarioDocument {
  readonly name: string;
  /** `channel`: default ANY. */
  readonly charge_fees?: readonly (OfMerchant & { readonly channel?: string })[];
  readonly payout_fees?: readonly (OfMerchant & { readonly currency: string })[];
  readonly dispute_fees?: readonly (OfMerchant & { readonly currency: string })[];
}

/** Lists that are left out, or null in JSON, have no rules. */
export function scenarioOf({ name, charge_fees, payout_fees, dispute_fees }: ScenarioDocument): Scenario {
  return {
    name,
    charges: new FeeRules((charge_fees ?? []).map(({ merchant, channel = ANY, fee }) => ruleOf(merchant, channel, fee))),
    payouts: new FeeRules((payout_fees ?? []).map(({ merchant, currency, fee }) => ruleOf(merchant, currency, fee))),
    disputes: new FeeRules((dispute_fees ?? []).map(({ merchant, currency, fee }) => ruleOf(merchant, currency, fee))),
  };
}

const ruleOf = (merchant: string = ANY, subject: string, { type, value }: Fee): FeeRule => ({
  merchant: merchant.toLowerCase(),
  subject,
  fee: { type, value },
});

/** A scenario as it is stored with the moment in which it applies. */
export interface StoredScenario extends ScenarioDocument {
  /** Records that are created from then on and before `to`; null: from the start of the log, and to its end. */
  readonly from: Timestamp | null;
  readonly to: Timestamp | null;
}

export function storedScenario({ name, charges, payouts, disputes }: Scenario, { fromMs, toMs }: Period): StoredScenario {
  const inCurrency = ({ merchant, subject: currency, fee }: FeeRule) => ({ merchant, currency, fee });
  return {
    name,
    charge_fees: charges.rules.map(({ merchant, subject: channel, fee }) => ({ merchant, channel, fee })),
    payout_fees: payouts.rules.map(inCurrency),
    dispute_fees: disputes.rules.map(inCurrency),
    from: fromMs === -Infinity ? null : timestamp(fromMs),
    to: toMs === Infinity ? null : timestamp(toMs),
  };
}

export function readStored({ from, to, ...document }: StoredScenario): { readonly scenario: Scenario; readonly period: Period } {
  const period = { fromMs: from === null ? -Infinity : milliseconds(from), toMs: to === null ? Infinity : milliseconds(to) };
  return { scenario: scenarioOf(document), period };
}
