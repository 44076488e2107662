import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findChargesById } from '../../projections/charges/charge-reads.js';
import { findRefundsById } from '../../projections/refunds/refund-reads.js';
import type { StoredMessage } from '../../projections/webhooks/outbox-reads.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { toChargeDetail } from '../../src/domain/charges/charge-detail.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { render } from '../../src/domain/webhooks/rendering.js';
import { attempts, play } from '../laws/history.js';
import { worldOf } from '../support/histories.js';
import { logOf } from '../support/played-log.js';
import { storedMessagesOf } from '../support/stored-messages.js';
import { project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const EVER = '2030-01-01T00:00:00.000+00:00';
const steps = fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.integer({ min: 1, max: 100_000 })), { minLength: 20, maxLength: 60 });

/** Events of a played history and the log that holds them differ in the actor and the time of a charge. */
function withoutActor(data: object): object {
  return { ...data, updated_by: null, updated_on: null, last_modified_by: null, last_modified_on: null };
}

describe('bodies of webhooks', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  /** Returns a charge or a refund as the read models have it now; undefined for other records. */
  async function recordNow({ kind, record }: StoredMessage): Promise<object | undefined> {
    if (kind.startsWith('charge.')) return toChargeDetail((await findChargesById(pool, [record]))[0]!);
    if (kind.startsWith('refund.')) return (await findRefundsById(pool, [record]))[0]!;
    return undefined;
  }

  /** @returns the kinds of messages that were looked at */
  async function expectTrueEver(events: readonly OrdinalEvent[], compared = (data: object): object => data): Promise<Set<string>> {
    const then: { readonly message: StoredMessage; readonly data: object }[] = [];
    await project(pool, ledger, events, 1, async ([event]) => {
      for (const message of storedMessagesOf(event!)) {
        const data = await recordNow(message);
        if (data) then.push({ message, data });
      }
    });
    const sources = { pool, wrapping: null as never, evidence: { namesOf: async () => new Map() }, merchantCreatedOn: () => EVER };
    const rendered = await render(
      sources,
      then.map(({ message }) => message),
    );
    for (const [i, { message, data }] of then.entries()) {
      const { kind, ordinal } = message;
      expect([kind, ordinal, compared(rendered[i]!.data)]).toEqual([kind, ordinal, compared(data)]);
    }
    return new Set(then.map(({ message }) => message.kind));
  }

  it('the body of a web-hook has the charge or refund as of its event, whatever happened since', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(attempts, async (tries) => {
        const { events } = play({ merchant_id: 'm1', currency: 'IDR' }, tries);
        for (const kind of await expectTrueEver(logOf(events).events, withoutActor)) seen.add(kind);
      }),
      { seed: 20_260_204, numRuns: 20, endOnFailure: true },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        for (const kind of await expectTrueEver(worldOf(history).log.events)) seen.add(kind);
      }),
      { seed: 20_260_203, numRuns: 6, endOnFailure: true },
    );
    expect([...seen].sort()).toEqual([
      'charge.cancelled',
      'charge.created',
      'charge.expired',
      'charge.failed',
      'charge.reversed',
      'charge.settled',
      'charge.succeeded',
      'refund.cancelled',
      'refund.created',
      'refund.failed',
      'refund.processing',
      'refund.succeeded',
    ]);
  }, 180_000);
});
