import { describe, expect, it } from '@jest/globals';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { encodeAppend } from '../../../src/platform/event-store/append-rules.js';
import { appendAnswer, batchAppendRequest, readAnswer } from '../../../src/platform/event-store/eventstoredb/eventstoredb-messages.js';
import { ProtobufReader } from '../../../src/platform/event-store/eventstoredb/protobuf.js';
import { ANY_CHARACTER } from '../../support/any-character.js';

/** The generated code of the client library is the reference: both write and read the same bytes. */
const U64 = fc.oneof(
  fc.bigInt(0n, 2n ** 64n - 1n),
  fc.constantFrom(0n, 127n, 128n, 2n ** 32n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n, 2n ** 56n, 2n ** 63n, 2n ** 64n - 1n),
);
const SIGNED = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.constantFrom(-1n, 0n, -(2n ** 63n)));
const ANY_TEXT = fc.string({ unit: ANY_CHARACTER, maxLength: 300 });
const RUNS = { seed: 20_261_121, numRuns: 100 };

describe('messages of EventStoreDB', () => {
  it('writes an append as the generated code does', () => {
    const events = fc.array(
      fc.record({
        id: fc.uuid({ version: 4 }),
        type: fc.constantFrom('A', 'ChargeCreated'),
        data: fc.record({ text: ANY_TEXT }),
        metadata: fc.object(),
      }),
      { minLength: 1, maxLength: 5 },
    );
    const uniqueEvents = events.map((list) => [...new Map(list.map((event) => [event.id, event])).values()]);
    const expected = fc.oneof(fc.constant('no-stream' as const), fc.nat(2 ** 31 - 2_000));
    fc.assert(
      fc.property(fc.uuid(), fc.constantFrom('charge-1', 's'.repeat(255)), expected, uniqueEvents, (attempt, stream, revision, list) => {
        const append = encodeAppend(stream, revision, list as never);
        const request = streams.BatchAppendReq.deserializeBinary(batchAppendRequest(attempt, append));
        expect(request.getCorrelationId()!.getString()).toBe(attempt);
        expect(request.getIsFinal()).toBe(true);
        const options = request.getOptions()!;
        expect(Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe(stream);
        expect(revision === 'no-stream' ? options.hasNoStream() : options.getStreamPosition()).toBe(
          revision === 'no-stream' ? true : String(revision),
        );
        expect(options.hasDeadline()).toBe(false);
        const sent = request.getProposedMessagesList().map((message) => ({
          id: message.getId()!.getString(),
          type: message.getMetadataMap().get('type'),
          data: Buffer.from(message.getData_asU8()).toString(),
          metadata: Buffer.from(message.getCustomMetadata_asU8()).toString(),
        }));
        expect(sent).toEqual(append.events);
        expect(request.getProposedMessagesList().every((message) => message.getMetadataMap().get('content-type') === 'application/json')).toBe(true);
      }),
      RUNS,
    );
  });

  it('reads the position from the answer to an append, with the id as two halves or as a text', () => {
    fc.assert(
      fc.property(SIGNED, SIGNED, U64, U64, (high, low, revision, commit) => {
        const response = succeeded(revision, commit);
        response.setCorrelationId(halves(high, low));
        const digits = (value: bigint): string => BigInt.asUintN(64, value).toString(16).padStart(16, '0');
        const attempt = `${digits(high)}${digits(low)}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
        const position = commit === 2n ** 64n - 1n ? null : commit;
        expect(appendAnswer(bytesOf(response))).toEqual({ attempt, verdict: { kind: 'written', revision: Number(revision), position } });
        response.setCorrelationId(uuid(attempt));
        expect(appendAnswer(bytesOf(response)).attempt).toBe(attempt);
      }),
      RUNS,
    );
  });

  it('returns an unknown outcome for an answer without success and without error', () => {
    const response = new streams.BatchAppendResp();
    response.setCorrelationId(uuid('00000000-0000-4000-8000-000000000001'));
    expect(appendAnswer(bytesOf(response)).verdict.kind).toBe('unknown');
  });

  it('reads an event as the generated code wrote it, whatever the other fields', () => {
    fc.assert(
      fc.property(U64, fc.nat(2 ** 31 - 1), ANY_TEXT, ANY_TEXT, fc.uuid(), (position, revision, data, metadata, id) => {
        const event = new streams.ReadResp.ReadEvent.RecordedEvent();
        event.setId(uuid(id));
        const stream = new shared.StreamIdentifier();
        stream.setStreamName(Buffer.from('charge-ø'));
        event.setStreamIdentifier(stream);
        event.setStreamRevision(String(revision));
        event.setPreparePosition('7');
        event.setCommitPosition(String(position));
        event.getMetadataMap().set('created', '17').set('type', 'ChargeCreated').set('content-type', 'application/json');
        event.setData(Buffer.from(data));
        event.setCustomMetadata(Buffer.from(metadata));
        const read = new streams.ReadResp.ReadEvent();
        read.setEvent(event);
        read.setCommitPosition('9');
        const response = new streams.ReadResp();
        response.setEvent(read);
        const [text, custom] = [Buffer.from(data), Buffer.from(metadata)];
        expect(readAnswer(bytesOf(response))).toEqual({
          kind: 'event',
          event: {
            id,
            stream: 'charge-ø',
            revision,
            position,
            type: 'ChargeCreated',
            data: text.toString(),
            metadata: custom.toString(),
            bytes: text.length + custom.length,
          },
        });
      }),
      RUNS,
    );
  });

  it('recognises the marks between events', () => {
    const checkpoint = new streams.ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(2n ** 60n));
    checkpoint.setPreparePosition('1');
    const says = (set: (response: streams.ReadResp) => void): unknown => {
      const response = new streams.ReadResp();
      set(response);
      return readAnswer(bytesOf(response));
    };
    expect(says((response) => response.setCheckpoint(checkpoint))).toEqual({ kind: 'checkpoint', position: 2n ** 60n });
    expect(says((response) => response.setCaughtUp(new streams.ReadResp.CaughtUp()))).toEqual({ kind: 'caught-up' });
    expect(says((response) => response.setFellBehind(new streams.ReadResp.FellBehind()))).toEqual({ kind: 'fell-behind' });
    expect(says((response) => response.setConfirmation(new streams.ReadResp.SubscriptionConfirmation()))).toEqual({ kind: 'other' });
    expect(says((response) => response.setEvent(new streams.ReadResp.ReadEvent()))).toEqual({ kind: 'other' });
  });

  it('skips unknown fields of every wire type, and rejects truncated messages', () => {
    const reader = new ProtobufReader(Buffer.from([0x0d, 1, 2, 3, 4, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x18, 0xac, 0x02, 0x22, 1, 0x41]));
    expect([reader.next(), reader.next(), reader.next()]).toEqual([1, 2, 3]);
    expect(reader.uint64()).toBe(300n);
    expect([reader.next(), reader.text(), reader.next()]).toEqual([4, 'A', 0]);
    for (const bytes of [[0x0a], [0x0a, 5, 1], [0x08, 0x80], [0x09, 1], [0x0b]]) {
      expect(() => new ProtobufReader(Buffer.from(bytes)).next()).toThrow(RangeError);
    }
  });
});

function succeeded(revision: bigint, commit: bigint): streams.BatchAppendResp {
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(String(commit));
  position.setPreparePosition(String(commit));
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(position);
  const response = new streams.BatchAppendResp();
  response.setSuccess(success);
  return response;
}

function halves(high: bigint, low: bigint): shared.UUID {
  const structured = new shared.UUID.Structured();
  structured.setMostSignificantBits(String(high));
  structured.setLeastSignificantBits(String(low));
  const id = new shared.UUID();
  id.setStructured(structured);
  return id;
}

function uuid(text: string): shared.UUID {
  const id = new shared.UUID();
  id.setString(text);
  return id;
}

const bytesOf = (message: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(message.serializeBinary());
