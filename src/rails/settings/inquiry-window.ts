import type { EventStore } from '../../platform/event-store/event-store.js';
import { loadRails } from './rail.commands.js';
import { snapProfile } from '../snap/profiles.js';

/** Number of days for which the bank behind `rail` answers inquiries; undefined for a rail that makes no payouts or is unknown. */
export async function inquiryWindowDays(store: Pick<EventStore, 'read'>, rail: string): Promise<number | undefined> {
  const known = (await loadRails(store)).state.byName.get(rail);
  return known?.kind === 'snap' && known.profile !== null ? snapProfile(known.profile)?.inquiry_window_days : undefined;
}
