import type { Pool } from 'pg';
import { findPaidOut } from '../../projections/balances/funding.js';
import { canonicalAdvice, digestOf, remittanceAdvice } from '../domain/balances/remittance-advice.js';
import { pause } from '../platform/waiting.js';
import type { ChainSigner } from './chain-keys.js';

/** Between two looks for what is asked, ms. */
const LOOK_EVERY_MS = 250;
const AT_ONCE = 20;

/** Signs what merchants have asked for, until the signal aborts. Twice signed is signed with the same bytes. */
export async function signAdvices(pool: Pool, signer: ChainSigner, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await pool.query<{ payout_id: string }>(
      `select payout_id from remittance_signatures where signature is null order by asked_on limit ${AT_ONCE}`,
    );
    for (const { payout_id } of rows) {
      if (signal.aborted) return;
      await signAdvice(pool, signer, payout_id).catch(async (error: unknown) => {
        onError(error);
        await forget(pool, payout_id);
      });
    }
    if (rows.length < AT_ONCE) await pause(LOOK_EVERY_MS, signal);
  }
}

async function signAdvice(pool: Pool, signer: ChainSigner, payoutId: string): Promise<void> {
  const payout = await findPaidOut(pool, payoutId);
  // Whoever asked had seen it succeed; a database that was put back since then has not.
  if (!payout) return forget(pool, payoutId);
  const digest = await digestOf(canonicalAdvice(remittanceAdvice(payout, (work) => work(pool))));
  await pool.query(
    `update remittance_signatures set digest = decode($2, 'hex'), public_key = decode($3, 'hex'), signature = $4
      where payout_id = $1 and signature is null`,
    [payoutId, digest, signer.keys.publicKeyHex, signer.signAdvice(digest, payout.position)],
  );
}

/** Whoever asked is answered 503, and asks again. */
async function forget(pool: Pool, payoutId: string): Promise<void> {
  await pool.query('delete from remittance_signatures where payout_id = $1 and signature is null', [payoutId]);
}
