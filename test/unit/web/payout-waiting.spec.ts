import { describe, expect, it } from '@jest/globals';
import { Links } from '../../../src/web/console/shared/links.js';
import { waitingTag, waitingWords } from '../../../src/web/console/records/payout-waiting.js';
import { toneOf } from '../../../src/web/console/shared/tones.js';
import { PENDING_REASONS } from '../../../src/domain/payouts/pending-reason.js';

const pages = { links: new Links('') };
const PAYOUT = { id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d' };
/** Pages of the console on which an operator resolves a reason; other reasons have none. */
const PLACES: Readonly<Record<string, string>> = {
  approval: `/console/desk/payouts/${PAYOUT.id}`,
  'no-rail': '/console/rails',
  'rail-paused': '/console/rails',
  'quiet-hours': '/console/rails',
  'rail-unavailable': '/console/rails',
  'waiting-rail': '/console/rails',
  held: '/console/exceptions#held-payouts',
};

describe('reason that a payout waits', () => {
  it.each(PENDING_REASONS)('%s has words, a tone and a link to the place that resolves it', (reason) => {
    const [tag, words] = [waitingTag(pages, PAYOUT, reason), waitingWords(pages, PAYOUT, reason)].map(String);
    const place = PLACES[reason];
    expect(tag).toContain(`status ${toneOf(reason)}`);
    expect(/href="([^"]*)"/.exec(tag!)?.[1]).toBe(place);
    expect(words).toMatch(/<\/span>\s*[A-Z][^<]{10,}\./);
    expect(/href="([^"]*)"/.exec(words!)?.[1]).toBe(place);
    expect(String(waitingWords(pages, PAYOUT, reason, true))).not.toContain('href');
  });

  it('shows nothing for a payout that waits for nothing', () => {
    expect(waitingTag(pages, PAYOUT, null)).toBe(false);
  });
});
