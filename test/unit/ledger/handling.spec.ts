import { describe, expect, it } from '@jest/globals';
import { EVENTS_OF, SCHEMA_VERSIONS, type LedgerEvent } from '../../../src/ledger/catalogue.js';
import { handling, type HandledBy } from '../../../src/ledger/read-model.js';
import { unreachable } from '../../../src/ledger/unreachable.js';

const typesOf = (guard: (event: LedgerEvent) => boolean): string[] =>
  Object.keys(SCHEMA_VERSIONS).filter((type) => guard({ type, data: {} } as LedgerEvent));

const isOfSettlement = handling({ settlements: { except: ['SettlementLineRefused'] } });

describe('the guard of the events that a reader handles', () => {
  it('accepts all events of whole groups, and no other event', () => {
    expect(typesOf(handling({ disputes: 'all' }))).toEqual(Object.keys(EVENTS_OF.disputes));
    expect(typesOf(handling({ rails: 'all', charges: 'all' }))).toEqual([...Object.keys(EVENTS_OF.charges), ...Object.keys(EVENTS_OF.rails)]);
  });

  it('rejects the excepted parts and types of a group', () => {
    expect(typesOf(isOfSettlement)).toEqual(['SettlementOpened', 'SettlementClosed']);
    expect(typesOf(handling({ disputes: { except: ['dispute proceedings', 'ChargeDisputeLost'] } }))).toEqual([
      'ChargeDisputeHeld',
      'ChargeDisputeWon',
    ]);
  });

  it('an exception of another group, or a handled event without a case, does not compile', () => {
    // @ts-expect-error customers have no payouts
    expect(typesOf(handling({ customers: { except: ['PayoutHeld'] } }))).toEqual(Object.keys(EVENTS_OF.customers));
    const read = (event: HandledBy<typeof isOfSettlement>): string => {
      switch (event.type) {
        case 'SettlementOpened':
          return event.data.opened_on;
        default:
          // @ts-expect-error SettlementClosed is handled and has no case
          return unreachable(event);
      }
    };
    expect(() => read({ type: 'SettlementClosed' } as HandledBy<typeof isOfSettlement>)).toThrow('no case for SettlementClosed');
  });
});
