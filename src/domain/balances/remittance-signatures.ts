import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { PRIMARY_POOL } from '../../ledger/ports/injection-tokens.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { pause } from '../../platform/async/waiting.js';

/** Signature of an advice: Ed25519 (RFC 8032) over `signedAdvice`. `digest` and `public_key` are hex, `signature` is base64. */
export interface RemittanceSignature {
  readonly digest: string;
  readonly public_key: string;
  readonly signature: string;
}

/** The process that seals signs within a quarter of a second, except when there are many requests. */
const SIGNED_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** Requests signatures from the one process that has the key. Signatures are stored: an advice has one. */
@Injectable()
export class RemittanceSignatures {
  constructor(@Inject(PRIMARY_POOL) private readonly pool: Pool) {}

  /** @throws Problem unavailable when there is no signature after 5 seconds */
  async of(payoutId: string, signal: AbortSignal): Promise<RemittanceSignature> {
    const deadline = performance.now() + SIGNED_WITHIN_MS;
    let signature = await this.#find(payoutId);
    if (!signature) await this.pool.query('insert into remittance_signatures (payout_id) values ($1) on conflict do nothing', [payoutId]);
    while (!signature && performance.now() < deadline) {
      await pause(LOOK_AGAIN_MS, signal);
      signal.throwIfAborted();
      signature = await this.#find(payoutId);
    }
    if (!signature) throw new LedgerProblem('unavailable', 'The advice is not signed yet.', { headers: { 'retry-after': '2' } });
    return signature;
  }

  async #find(payoutId: string): Promise<RemittanceSignature | undefined> {
    const { rows } = await this.pool.query<RemittanceSignature>(
      `select encode(digest, 'hex') as digest, encode(public_key, 'hex') as public_key, translate(encode(signature, 'base64'), E'\\n', '') as signature
         from remittance_signatures where payout_id = $1 and signature is not null`,
      [payoutId],
    );
    return rows[0];
  }
}
