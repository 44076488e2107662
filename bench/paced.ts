import { Pool } from 'undici';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../tools/seed/random.js';
import { quantilesOf, type Load } from './load.js';

const CONNECTIONS = 256;

/**
 * POSTs the requests of `next` to `url` as independent clients do: `perSecond` on average, at random moments, regardless of earlier
 * responses. A timer sends the requests that are due, one or two milliseconds late: a busy loop would take a core from the measured
 * service.
 */
export async function drivePaced(
  url: string,
  perSecond: number,
  seconds: number,
  next: () => { readonly headers: Record<string, string>; readonly body: string },
): Promise<Load> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const random = new Random(perSecond);
  const latencies: number[] = [];
  let failures = 0;
  const send = async (): Promise<void> => {
    const sentAt = performance.now();
    const { statusCode, body } = await pool.request({ path: pathname, method: 'POST', ...next() });
    await body.dump();
    if (statusCode >= 300) failures += 1;
    else latencies.push(performance.now() - sentAt);
  };
  const begun = performance.now();
  const sent: Promise<void>[] = [];
  for (let due = begun; due < begun + seconds * 1_000; due -= (Math.log(1 - random.next()) * 1_000) / perSecond) {
    while (performance.now() < due) await delay(1);
    sent.push(send().catch(() => void (failures += 1)));
  }
  await Promise.all(sent);
  await pool.close();
  return { per_second: Math.round(latencies.length / seconds), ...quantilesOf(latencies), failures };
}
