import type { FeeContent } from '../../../domain/approvals/proposal-contents.dto.js';
import { digestOf } from '../../../ledger/ids/canonical-json.js';
import { addDays, momentIn } from '../../../ledger/days.js';
import { formatAmount } from '../../../platform/text/format.js';
import { addressName } from '../../../point-in-time/moment-id.js';
import type { MomentScenario } from '../../../point-in-time/moments.js';
import { FeeRules, NO_RULES, storedScenario, type FeeRule, type Scenario } from '../../../point-in-time/what-if/scenario.js';
import type { Today } from '../shared/as-of.js';

/** Length of the words in the name; a digest of the scenario follows, so that no other one has the name. */
const WORDS_MAX = 15;
const DIGEST_LENGTH = 8;
const NAME_MAX = 100;

/** Returns the scenario of a proposed fee for the records of last month. */
export function lastMonthAt({ merchant_id, of, fee }: FeeContent, merchantName: string, { today, timeZone }: Today): MomentScenario {
  const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
  const thisMonth = firstOfMonth(today);
  const startOf = (day: string): number => momentIn(timeZone, day, '00:00');
  const subject = of.kind === 'charge' ? of.channel_code!.toUpperCase() : of.currency!.toUpperCase();
  const rule: FeeRule = { merchant: merchant_id.toLowerCase(), subject, fee: { type: fee.type, value: fee.value } };
  const price = fee.type === 'PERCENTAGE' ? `${fee.value} %` : of.kind === 'charge' ? `${fee.value} minor units` : formatAmount(fee.value, subject);
  const what = of.kind === 'charge' ? subject : `${of.kind}s in ${subject}`;
  const scenario: Scenario = {
    name: [...`${what} at ${price} for ${merchantName}`].slice(0, NAME_MAX).join(''),
    ...{ charges: NO_RULES, payouts: NO_RULES, disputes: NO_RULES },
    [`${of.kind}s`]: new FeeRules([rule]),
  };
  const stored = storedScenario(scenario, { fromMs: startOf(firstOfMonth(addDays(thisMonth, -1))), toMs: startOf(thisMonth) });
  const words = addressName(`${what} at ${price}`).slice(0, WORDS_MAX).replace(/-$/, '');
  return { name: `${words}-${digestOf(stored).slice(0, DIGEST_LENGTH)}`, scenario: stored };
}
