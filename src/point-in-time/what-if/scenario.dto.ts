import { IsOptional } from 'class-validator';
import { CHANNELS, CURRENCIES } from '../../ledger/channels.js';
import { isFee, type Fee } from '../../ledger/money.js';
import { IsListOf } from '../../platform/http/validation/collection-validators.js';
import { IsRate } from '../../platform/http/validation/number-validators.js';
import { faultsOfObject, readObject, type MemberFault } from '../../platform/http/validation/validation.js';
import { IsNested, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { UUID } from '../../platform/text/uuid.js';
import { ANY, scenarioOf, type FeeRules, type FeeRule, type Scenario, type ScenarioDocument } from './scenario.js';

const RULES_MAX = 1_000;
const MERCHANT = {
  max: 36,
  pattern: new RegExp(`^\\*$|${UUID.source}`, 'i'),
  patternDetail: 'Must be the id of a merchant, or * for all.',
} as const;

class ScenarioFee {
  @IsWord(['PERCENTAGE', 'FIXED']) readonly type: Fee['type'];
  /** Percent of the amount (0.7 means 0.7 %), or minor units. */
  @IsRate() readonly value: number;
}

class ChargeFeeRule {
  @IsOptional() @IsText(MERCHANT) readonly merchant?: string;
  @IsOptional() @IsWord([ANY, ...CHANNELS.map(({ code }) => code)]) readonly channel?: string;
  @IsNested(() => ScenarioFee) readonly fee: ScenarioFee;
}

class CurrencyFeeRule {
  @IsOptional() @IsText(MERCHANT) readonly merchant?: string;
  @IsWord(CURRENCIES) readonly currency: string;
  @IsNested(() => ScenarioFee) readonly fee: ScenarioFee;
}

/** A file with other fees. */
class ScenarioFile implements ScenarioDocument {
  @IsText({ max: 100 }) readonly name: string;
  @IsOptional() @IsListOf(ChargeFeeRule, { max: RULES_MAX }) readonly charge_fees?: readonly ChargeFeeRule[];
  @IsOptional() @IsListOf(CurrencyFeeRule, { max: RULES_MAX }) readonly payout_fees?: readonly CurrencyFeeRule[];
  @IsOptional() @IsListOf(CurrencyFeeRule, { max: RULES_MAX }) readonly dispute_fees?: readonly CurrencyFeeRule[];
}

/** Returns the scenario, or the first fault of its text. */
export function readScenario(value: unknown): Scenario | MemberFault {
  const file = readObject(value, ScenarioFile) as ScenarioFile;
  const [fault] = faultsOfObject(file);
  if (fault) return fault;
  const scenario = scenarioOf(file);
  const { charges, payouts, disputes } = scenario;
  return (
    faultOf('charge_fees', charges, ({ subject, fee }) =>
      fee.type === 'FIXED' && subject === ANY ? 'A fixed amount needs a channel, because channels have different currencies.' : undefined,
    ) ??
    faultOf('payout_fees', payouts) ??
    faultOf('dispute_fees', disputes, ({ fee }) => (fee.type === 'FIXED' ? undefined : 'The fee of a dispute is a fixed amount.')) ??
    scenario
  );
}

export const isFault = (read: Scenario | MemberFault): read is MemberFault => 'at' in read;

function faultOf(list: string, fees: FeeRules, typeFault: (rule: FeeRule) => string | undefined = () => undefined): MemberFault | undefined {
  for (const [index, rule] of fees.rules.entries()) {
    const detail = typeFault(rule);
    if (detail !== undefined) return { at: `/${list}/${index}/fee/type`, code: 'not-allowed', detail };
    if (!isFee(rule.fee))
      return { at: `/${list}/${index}/fee/value`, code: 'out-of-range', detail: 'Must be 0 to 100 % with at most 8 decimals, or whole minor units.' };
  }
  const conflict = fees.conflict();
  if (!conflict) return undefined;
  const [first, second] = conflict;
  return { at: `/${list}/${second}`, code: 'ambiguous', detail: `Applies to the same records as /${list}/${first}, and neither is more specific.` };
}
