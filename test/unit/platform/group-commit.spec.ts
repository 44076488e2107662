import { describe, expect, it } from '@jest/globals';
import { encodeAppend, type EncodedAppend } from '../../../src/platform/event-store/append-rules.js';
import { OutcomeUnknown, StoreUnavailable, type AppendResult } from '../../../src/platform/event-store/event-store.js';
import {
  BatchFailure,
  GroupCommit,
  type FailureOutcome,
  type GroupCommitLimits,
  type SendBatch,
} from '../../../src/platform/event-store/embedded/group-commit.js';
import { newEvent } from '../../support/events.js';

const LIMITS: GroupCommitLimits = { appendsMax: 100, bytesMax: 10_000_000, answerWithinMs: 1_000 };
const SHORT: GroupCommitLimits = { ...LIMITS, answerWithinMs: 50 };

const appendTo = (stream: string, bytes = 10): EncodedAppend => encodeAppend(stream, 'no-stream', [newEvent({ text: 'x'.repeat(bytes) })]);
const written = (batch: readonly EncodedAppend[]): AppendResult[] => batch.map(() => ({ ok: true, revision: 0, position: 1n }));
const failure = (outcome: FailureOutcome): BatchFailure => new BatchFailure(outcome, new Error(`it is ${outcome}`));

/** Records the batches that are sent, and answers the nth by the nth of `answers`, the others as written. */
function scripted(...answers: readonly SendBatch[]): { sent: string[][]; send: SendBatch } {
  const sent: string[][] = [];
  const send: SendBatch = async (batch, onSending) => {
    const answer = answers[sent.push(batch.map(({ stream }) => stream)) - 1];
    if (answer) return answer(batch, onSending);
    onSending();
    return written(batch);
  };
  return { sent, send };
}

/** Was under way when it failed. */
const failing =
  (outcome: FailureOutcome): SendBatch =>
  async (_, onSending) => {
    onSending();
    throw failure(outcome);
  };

describe('group commit', () => {
  it('sends the appends that gather during a batch as the next batch', async () => {
    let answer = (): void => undefined;
    const { sent, send } = scripted((batch) => new Promise((resolve) => (answer = () => resolve(written(batch)))));
    const commits = new GroupCommit(send, LIMITS);
    const first = [commits.append(appendTo('a')), commits.append(appendTo('b'))];
    await new Promise(setImmediate);
    const second = [commits.append(appendTo('c')), commits.append(appendTo('d'))];
    await new Promise(setImmediate);
    answer();
    await Promise.all([...first, ...second]);
    expect(sent).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    await commits.close();
  });

  it('sends the gathered appends before it answers the batch that was under way', async () => {
    let answer = (): void => undefined;
    const { sent, send } = scripted((batch) => new Promise((resolve) => (answer = () => resolve(written(batch)))));
    const commits = new GroupCommit(send, LIMITS);
    const first = commits.append(appendTo('a')).then(() => sent.length);
    await new Promise(setImmediate);
    const second = commits.append(appendTo('b')).then(() => sent.length);
    answer();
    expect(await Promise.all([first, second])).toEqual([2, 2]);
    await commits.close();
  });

  it('sends one append per stream in a batch, in their order', async () => {
    const { sent, send } = scripted();
    const commits = new GroupCommit(send, LIMITS);
    await Promise.all(['a', 'a', 'b', 'a', 'b', 'c'].map((stream) => commits.append(appendTo(stream))));
    expect(sent).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a']]);
    await commits.close();
  });

  it('keeps batches within their bytes, and skips no append', async () => {
    const { sent, send } = scripted();
    const commits = new GroupCommit(send, LIMITS);
    const sizes = [1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 10];
    await Promise.all(sizes.map((bytes, index) => commits.append(appendTo(`large-${index}`, bytes))));
    expect(sent).toEqual([
      ['large-0', 'large-1', 'large-2', 'large-3'],
      ['large-4', 'large-5'],
    ]);
    await commits.close();
  });

  it.each(['not-written', 'maybe-written'] as const)('sends the same append again when it is %s', async (outcome) => {
    const sentIds: string[] = [];
    const note =
      (answer: SendBatch): SendBatch =>
      (batch, onSending) => {
        sentIds.push(batch[0]!.events[0]!.id);
        return answer(batch, onSending);
      };
    const { send } = scripted(
      note(failing(outcome)),
      note(failing(outcome)),
      note(async (batch) => written(batch)),
    );
    const commits = new GroupCommit(send, LIMITS);
    const append = appendTo('a');
    expect(await commits.append(append)).toMatchObject({ ok: true });
    expect(sentIds).toEqual(Array.from({ length: 3 }, () => append.events[0]!.id));
    await commits.close();
  });

  it('reports that nothing was written when no attempt can have been', async () => {
    const commits = new GroupCommit(failing('not-written'), SHORT);
    const error = await commits.append(appendTo('a')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).not.toBeInstanceOf(OutcomeUnknown);
    expect((error as Error).message).toContain('it is not-written');
  });

  it('reports that nothing was written while it still waits for a connection', async () => {
    const commits = new GroupCommit(() => new Promise(() => undefined), SHORT);
    const error = await commits.append(appendTo('a')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).not.toBeInstanceOf(OutcomeUnknown);
  });

  it('reports an unknown outcome when one attempt may have been written, whatever the results of the later ones', async () => {
    const [lost, refused] = [failing('maybe-written'), failing('not-written')];
    const { send } = scripted(lost, ...Array.from({ length: 50 }, () => refused));
    const commits = new GroupCommit(send, SHORT);
    await expect(commits.append(appendTo('a'))).rejects.toThrow(OutcomeUnknown);
  });

  it('reports an unknown outcome while an attempt is under way, and answers each append once', async () => {
    let answer = (): void => undefined;
    const { send } = scripted((batch, onSending) => {
      onSending();
      return new Promise((resolve) => (answer = () => resolve(written(batch))));
    });
    const commits = new GroupCommit(send, SHORT);
    await expect(commits.append(appendTo('a'))).rejects.toThrow(OutcomeUnknown);
    answer();
    expect(await commits.append(appendTo('b'))).toMatchObject({ ok: true });
    await commits.close();
  });

  it('sends no append that was answered while a connection was being made, and still sends the others of its batch', async () => {
    let connect = (): void => undefined;
    const stored: string[] = [];
    const storing: SendBatch = async (batch, onSending) => {
      onSending();
      stored.push(...batch.map(({ stream }) => stream));
      return written(batch);
    };
    const { sent, send } = scripted(async (batch, onSending) => {
      await new Promise<void>((resolve) => (connect = resolve));
      return storing(batch, onSending);
    }, storing);
    const commits = new GroupCommit(send, SHORT);
    const error: unknown = await commits.append(appendTo('a')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).not.toBeInstanceOf(OutcomeUnknown);
    const later = commits.append(appendTo('b'));
    connect();
    expect(await later).toMatchObject({ ok: true });
    expect([sent, stored]).toEqual([[['a'], ['b']], ['b']]);
    await commits.close();
  });

  it('finds the append at fault when the server rejects a batch', async () => {
    const { sent, send } = scripted();
    const choosy: SendBatch = async (batch, onSending) => {
      const results = await send(batch, onSending);
      if (batch.some(({ stream }) => stream === 'bad')) throw failure('refused');
      return results;
    };
    const commits = new GroupCommit(choosy, LIMITS);
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((stream) => commits.append(appendTo(stream))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { message: 'it is refused' } });
    expect(sent).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
    await commits.close();
  });

  it('rejects appends at once when its queue is full', async () => {
    const commits = new GroupCommit(scripted().send, { ...LIMITS, appendsMax: 2, bytesMax: 2_000 });
    const accepted = [commits.append(appendTo('a', 500)), commits.append(appendTo('b', 500))];
    await expect(commits.append(appendTo('c'))).rejects.toThrow(/queue is full/);
    await Promise.all(accepted);
    await expect(commits.append(appendTo('d', 2_000))).rejects.toThrow(/queue is full/);
    expect(await commits.append(appendTo('e'))).toMatchObject({ ok: true });
    await commits.close();
  });
});
