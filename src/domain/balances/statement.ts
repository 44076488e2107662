import type { BalanceSnapshot } from '../../../projections/balances/statement.js';
import type { MovementDto } from './statements.dto.js';

/** A statement to be written out: pages of movements one after the other, never all of them in memory. */
export interface Statement {
  readonly merchant_id: string;
  readonly merchant_name: string;
  /** IANA name. The page shows booking times in this time zone. */
  readonly timezone: string;
  readonly currency: string;
  readonly from: string | null;
  readonly to: string;
  readonly opening_balance: BalanceSnapshot;
  readonly closing_balance: BalanceSnapshot;
  readonly movements: AsyncIterable<readonly MovementDto[]>;
}
