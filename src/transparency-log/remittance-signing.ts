import type { Pool } from 'pg';
import { findPaidOut } from '../../projections/balances/funding.js';
import { canonicalAdvice, digestOf, remittanceAdvice } from '../domain/balances/remittance-advice.js';
import { pause } from '../platform/async/waiting.js';
import type { ChainSigner } from './chain-keys.js';

/** Pause between two queries for requests, ms. */
const LOOK_EVERY_MS = 250;
const AT_ONCE = 20;

/** Signs the advices that merchants have requested, until the signal aborts. A repeated signature has the same bytes. */
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
  // The payout had succeeded at the time of the request; it is missing only in a database that was restored to an older state.
  if (!payout) return forget(pool, payoutId);
  const digest = await digestOf(canonicalAdvice(remittanceAdvice(payout, (work) => work(pool))));
  await pool.query(
    `update remittance_signatures set digest = decode($2, 'hex'), public_key = decode($3, 'hex'), signature = $4
      where payout_id = $1 and signature is null`,
    [payoutId, digest, signer.keys.publicKeyHex, signer.signAdvice(digest, payout.position)],
  );
}

/** Removes the request. Its caller receives 503, and retries. */
async function forget(pool: Pool, payoutId: string): Promise<void> {
  await pool.query('delete from remittance_signatures where payout_id = $1 and signature is null', [payoutId]);
}
