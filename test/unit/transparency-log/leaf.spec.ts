import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chainedEvent, leafOf, leafOfTexts, misstatedField } from '../../../src/transparency-log/leaf.js';
import type { RecordedEvent } from '../../../src/platform/event-store/event-store.js';
import { ANY_CHARACTER } from '../../support/any-character.js';
import { someMetadata } from '../../support/events.js';

const KEY = Buffer.alloc(32, 7);
const ID = '7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10';

function stored(type: string, data: string, changes: Partial<RecordedEvent> = {}): RecordedEvent {
  const texts = { data, metadata: JSON.stringify(someMetadata) };
  return {
    ...{ stream: `charge-${ID}`, revision: 3, position: 9n, id: ID, type },
    ...{ data: JSON.parse(data) as object, metadata: someMetadata, stored: texts },
    ...changes,
  };
}
const hex = (event: RecordedEvent): string => leafOf(event, KEY).toString('hex');

describe('the leaf of an event', () => {
  it('the leaf of a stored event never changes', () => {
    expect(hex(stored('ChargePaid', '{"amount":10000,"net_amount":9930}'))).toBe('c149cd0fd4d3eca4c80c256f3501a1f1964eb90066f28359dc53a652a971a9e1');
    expect(hex(stored('ApiKeyIssued', '{"key_id":"key_1","key_hash":"ab"}'))).toBe(
      '32d6a54f98bd1b04fdb20b30a5ed8e2cc8a667ec7d129d85afff825feae5d2c0',
    );
  });

  it('the leaf differs for every stored byte', () => {
    const event = stored('ChargePaid', '{"amount":10000}');
    const others = [
      stored('ChargePaid', '{"amount":10001}'),
      stored('ChargePaid', '{"amount": 10000}'),
      stored('ChargePaid', '{"amount":1e4}'),
      stored('ChargeFailed', '{"amount":10000}'),
      stored('ChargePaid', '{"amount":10000}', { revision: 4 }),
      stored('ChargePaid', '{"amount":10000}', { stream: `charge-${ID}0` }),
      stored('ChargePaid', '{"amount":10000}', { id: ID.replace('7', '8') }),
      { ...event, stored: { data: event.stored!.data, metadata: `${event.stored!.metadata} ` } },
    ];
    expect(new Set([event, ...others].map(hex)).size).toBe(1 + others.length);
  });

  it('the leaf equals that of the same event without stored texts', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: ANY_CHARACTER }), fc.jsonValue()), (any) => {
        const event = stored('ChargeCreated', JSON.stringify(any));
        const { stored: _, ...objects } = event;
        expect(leafOf(objects, KEY)).toEqual(leafOf(event, KEY));
      }),
      { seed: 20_260_131, numRuns: 300 },
    );
  });
});

describe('event as finance receives it', () => {
  const WEB_HOOK = ' {"uri":"https://x","sealed_key" : "c2VjcmV0","former_keys":[{"sealed_key":"b2xk","until":"]},{"}] ,"events":["sealed_key"]}';

  it('leads to the same leaf, with a seal in place of each value that is never shown', () => {
    const event = stored('WebHookSet', WEB_HOOK);
    const shown = chainedEvent(event, 5, KEY);
    expect(leafOfTexts(shown, shown.stored)).toEqual(leafOf(event, KEY));
    expect(shown.stored.data).toMatch(
      /^ \{"uri":"https:\/\/x","sealed_key" : "\[sealed [0-9a-f]{64}\]","former_keys":"\[sealed [0-9a-f]{64}\]" ,"events":\["sealed_key"\]\}$/,
    );
    expect(JSON.stringify(shown)).not.toMatch(/c2VjcmV0|b2xk/);
    expect(misstatedField(shown, 5)).toBeNull();
  });

  it('keeps null, and finds a name that is written another way', () => {
    const seals = (data: string): string => chainedEvent(stored('PayoutRequested', data), 1, KEY).stored.data;
    expect(seals('{"bank_account_name":null,"bank_account_number":""}')).toMatch(
      /^\{"bank_account_name":null,"bank_account_number":"\[sealed \w+\]"\}$/,
    );
    expect(seals('{"bank\\u005faccount_name":"Siti"}')).toMatch(/^\{"bank\\u005faccount_name":"\[sealed \w+\]"\}$/);
    expect(seals('{"meta_data":{"bank_account_name":"Siti"}}')).toBe('{"meta_data":{"bank_account_name":"Siti"}}');
    expect(chainedEvent(stored('Unheard', '{"a":1,"b":[2]}'), 1, KEY).stored.data).toMatch(/^\{"a":"\[sealed \w+\]","b":"\[sealed \w+\]"\}$/);
  });

  it('keeps every other byte as it is stored, however the object is written', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 2 });
    const name = fc.oneof(
      fc.constantFrom('bank_account_name', 'bank_account_number', 'null', '"', '}\\'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    const escaped = (text: string): string =>
      `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;
    const member = fc.record({
      name,
      isEscaped: fc.boolean(),
      value: fc.jsonValue({ maxDepth: 3 }),
      indent: fc.nat(2),
      spaces: fc.array(space, { minLength: 4, maxLength: 4 }),
    });
    const sealOf = (key: string, value: string): string => `"[sealed ${createHmac('sha256', KEY).update(`${ID}\n${key}\n${value}`).digest('hex')}]"`;
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), space, (members, around) => {
        const write = (sealing: boolean): string =>
          members
            .map(({ name: key, isEscaped, value, indent, spaces: [a, b, c, d] }) => {
              const text = JSON.stringify(value, null, indent);
              const isSealed = sealing && key.startsWith('bank_account_') && text !== 'null';
              return `${a}${isEscaped ? escaped(key) : JSON.stringify(key)}${b}:${c}${isSealed ? sealOf(key, text) : text}${d}`;
            })
            .join(',');
        const [data, expected] = [false, true].map((sealing) => `${around}{${around}${write(sealing)}}${around}`);
        expect(chainedEvent(stored('PayoutRequested', data!), 1, KEY).stored.data).toBe(expected);
      }),
      { seed: 20_261_124, numRuns: 1_000 },
    );
  });

  it('seals differ by value, event and field', () => {
    const seal = (id: string, name: string, value: string): string =>
      chainedEvent(stored('PayoutRequested', `{"${name}":"${value}"}`, { id }), 1, KEY).stored.data.slice(name.length + 4);
    const other = ID.replace('7', '8');
    const seals = [seal(ID, 'bank_account_name', 'a'), seal(ID, 'bank_account_name', 'b'), seal(other, 'bank_account_name', 'a')];
    expect(new Set([...seals, seal(ID, 'bank_account_number', 'a')]).size).toBe(4);
  });

  it('misstatedField names a member that differs from the stored event', () => {
    const shown = chainedEvent(stored('ChargePaid', '{"amount":10000}'), 5, KEY);
    expect(misstatedField(shown, 6)).toBe('position');
    expect(misstatedField({ ...shown, data: { amount: 1 } }, 5)).toBe('data');
    expect(misstatedField({ ...shown, actor: 'somebody' }, 5)).toBe('actor');
    expect(misstatedField({ ...shown, merchant_id: null }, 5)).toBe('merchant_id');
  });
});
