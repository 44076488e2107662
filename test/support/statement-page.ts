import type { Statement } from '../../src/domain/balances/statement.js';
import { statementPage } from '../../src/domain/balances/statement-page.js';
import type { MovementDto } from '../../src/domain/balances/statements.dto.js';
import type { Language } from '../../src/platform/http/language.js';

const BALANCE = { pending_amount: 0n, available_amount: 298_278_000n, reserved_amount: 0n, fee_amount: -150n, total_amount: 298_278_000n };
const WHEN = '2026-01-31T08:15:30.123+00:00';

/** A paid charge of an account in which a million came and went. */
export function movement(reference_id: string | null, code: string | null = 'CHG_0123456789ABCDEF'): MovementDto {
  const ids = { charge_id: null, payout_id: null, settlement_id: null, settlement_number: null, refund_id: null, dispute_id: null };
  const changes = { pending_change: 298_278_000n, available_change: 0n, reserved_change: 0n, fee_change: 0n };
  return { position: 1, event_id: 'e', kind: 'CHARGE_PAID', booked_on: WHEN, ...ids, code, reference_id, ...changes, ...BALANCE };
}

export function statement(movements: readonly MovementDto[], currency = 'IDR'): Statement {
  const account = { merchant_id: 'm-1', merchant_name: 'Kopi Kita', timezone: 'Asia/Jakarta', currency };
  async function* pages(): AsyncGenerator<readonly MovementDto[]> {
    for (let at = 0; at < movements.length; at += 10) yield movements.slice(at, at + 10);
  }
  return { ...account, from: null, to: WHEN, opening_balance: BALANCE, closing_balance: BALANCE, movements: pages() };
}

export async function writtenPage(of: Statement, language: Language = 'en', isSwitchable = false): Promise<string> {
  let text = '';
  for await (const part of statementPage(of, { language, isSwitchable })) text += part;
  return text;
}
