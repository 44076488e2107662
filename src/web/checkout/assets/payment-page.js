// @ts-check
/* Keeps an open payment page up to date: counts down, and polls the state of the payment. The page works without it, too. */

/** Pauses between two requests, ms: short while a customer is likely to pay, long once the charge has ended (late money can still arrive). */
const PACE = { first: 2_000, later: 5_000, ended: 15_000 };
const FIRST_MS = 10 * 60_000;
/** A page that was left open stops polling after this. */
const GIVE_UP_MS = 2 * 60 * 60_000;
const SHORT_MS = 60_000;
/** Maximum difference of the countdown from the server's clock. */
const OFF_MS = 2_000;

const opened = Date.now();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;
let failures = 0;

const main = () => /** @type {HTMLElement} */ (document.querySelector('main'));

function ask() {
  clearTimeout(asking);
  if (main().dataset['final'] === 'true' || document.hidden || Date.now() - opened > GIVE_UP_MS) return;
  const pace = main().dataset['state'] !== 'PENDING' ? PACE.ended : Date.now() - opened < FIRST_MS ? PACE.first : PACE.later;
  // Doubles after each failure, up to a minute; random, so that many pages do not send requests together after an outage.
  asking = setTimeout(look, Math.min(pace * 2 ** failures, 60_000) * (0.9 + Math.random() * 0.2));
}

async function look() {
  try {
    const answer = await fetch(`${location.pathname}/status`, { cache: 'no-store', credentials: 'omit' });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { state } = await answer.json();
    if (state !== main().dataset['state']) await renew();
    else correct(answer);
    failures = 0;
  } catch {
    failures = Math.min(failures + 1, 5);
  }
  ask();
}

/** Replaces the page's content: the server renders every state. */
async function renew() {
  const answer = await fetch(location.pathname + location.search, { cache: 'no-store', credentials: 'omit' });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = page.querySelector('main');
  if (!next) throw new Error('no page');
  main().replaceWith(next);
  document.title = page.title;
  const live = document.getElementById('live');
  if (live) live.textContent = next.dataset['said'] ?? '';
  tell();
}

/** Notifies a merchant's page that shows this one in a frame; the message has nothing that the merchant may not know. */
function tell() {
  if (window.parent !== window) window.parent.postMessage({ source: 'chargebook', state: main().dataset['state'] }, '*');
}

function tick() {
  const timer = document.querySelector('.timer');
  if (!(timer instanceof HTMLElement)) return;
  const ends = Number(timer.dataset['ends']);
  // Uses the server's clock: a customer's may be off by hours.
  const left = Math.max(0, ends - (Number(timer.dataset['now']) + elapsed(timer)));
  const seconds = Math.ceil(left / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const text = `${hours > 0 ? `${hours}:` : ''}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const clock = timer.querySelector('strong');
  if (clock && clock.textContent !== text) clock.textContent = text;
  const label = timer.querySelector('span');
  const words = timer.dataset['label'] ?? '';
  if (label && label.textContent !== words) label.textContent = words;
  const bar = timer.querySelector('.track > span');
  if (bar instanceof HTMLElement) bar.style.transform = `scaleX(${Math.min(1, left / Number(timer.dataset['lasts']))})`;
  timer.classList.toggle('short', left < SHORT_MS);
  if (left === 0 && !timer.dataset['over']) {
    timer.dataset['over'] = 'true';
    // When this fails, `ask` repeats it.
    void renew().catch(() => undefined);
  }
}

/** @type {WeakMap<HTMLElement, { steady: number, clock: number }>} */
const seen = new WeakMap();
/**
 * Returns the time since this page first saw the element, ms. The monotonic clock stands still while a phone sleeps, and the other one may be set:
 * the longer time is taken, until the next answer corrects it.
 */
function elapsed(/** @type {HTMLElement} */ timer) {
  const now = { steady: performance.now(), clock: Date.now() };
  const first = seen.get(timer) ?? now;
  seen.set(timer, first);
  return Math.max(now.steady - first.steady, now.clock - first.clock);
}

/** Corrects the countdown by the server's clock, as an answer has it in whole seconds. A difference of less than that would only make it jump. */
function correct(/** @type {Response} */ answer) {
  const timer = document.querySelector('.timer');
  const at = Date.parse(answer.headers.get('date') ?? '');
  if (!(timer instanceof HTMLElement) || !(Math.abs(at - Number(timer.dataset['now']) - elapsed(timer)) > OFF_MS)) return;
  timer.dataset['now'] = String(at);
  seen.delete(timer);
  tick();
}

/** The page is seen again, perhaps after hours. */
function wake() {
  if (document.hidden) return;
  tick();
  void look();
}

setInterval(tick, 250);
document.addEventListener('visibilitychange', wake);
// A page that the browser has kept for its "back" is shown without a load.
addEventListener('pageshow', ({ persisted }) => persisted && wake());
tick();
tell();
ask();
