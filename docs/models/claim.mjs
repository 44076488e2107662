// One Idempotency-Key of payouts, asked for in two currencies: the accounts A and B know nothing of each other, a claim in Postgres
// lets one of them decide. Requests die, their appends lose their answer or land late; a claim gets old once none of its requests is
// under way. `n`: when it was claimed last, no two times are the same.
import { run, failed } from './mc.mjs';
const BOTH = ['A', 'B'];
export function model(o = {}) {
  const g = { claim: true, agedOnly: true, renews: true, looks: true, counts: true, oldFirst: true, unchanged: true, keepsUnregistered: true, ...o.guards };
  const init = { row: null, acc: { A: 0, B: 0 }, funds: { A: false, B: true, ...o.funds }, reg: null, die: o.die ?? 1, unknown: o.unknown ?? 1, late: null, times: 0,
    r: (o.requests ?? ['A', 'A', 'B']).map((c) => ({ c, pc: g.claim ? 'claim' : 'find', holder: null, n: 0, ans: '' })), wrong: '' };
  const HOLDING = ['find', 'append', 'register', 'release'];
  const isUnderWay = (s, c) => s.r.some((r) => r.c === c && HOLDING.includes(r.pc)) || s.late === c;
  const register = (t, c) => { if (t.reg !== null && t.reg !== c) t.wrong = `the account in ${c} holds money for a payout that is registered for ${t.reg}`; t.reg ??= c; };
  function actions(s) {
    const acts = []; const step = (l, f) => { const t = structuredClone(s); f(t); acts.push([l, t]); };
    s.r.forEach(({ c, pc, holder }, i) => {
      const at = (l, f) => step(`request ${i} (${c}) ${l}`, (t) => f(t, t.r[i]));
      const end = (r, ans) => { r.ans = ans; r.pc = 'done'; };
      if (pc === 'claim') at('claims', (t, r) => {
        if (t.row === null) t.row = { c, h: 1, old: false, n: ++t.times };
        else if (t.row.c === c) { t.row.h++; if (g.renews) { t.row.old = false; t.row.n = ++t.times; } }
        else if (g.agedOnly && g.oldFirst && !t.row.old) return end(r, 'reused');
        else { r.holder = t.row.c; r.n = t.row.n; r.pc = g.looks ? 'look' : 'take'; return; }
        r.pc = 'find'; });
      if (pc === 'look') at(`looks for the payout of ${holder}`, (t, r) => { if (t.reg === null && t.acc[holder] === 1) register(t, holder); if (t.reg !== null) end(r, 'reused'); else r.pc = 'take'; });
      if (pc === 'take') at('takes over what is old', (t, r) => {
        if (t.row?.c === holder && (t.row.n === r.n || !g.unchanged) && (t.row.old || !g.agedOnly)) { t.row = { c, h: 1, old: false, n: ++t.times }; r.pc = 'find'; } else end(r, 'reused'); });
      if (pc === 'find') at("looks at the payout's stream", (t, r) => { if (t.reg === null) r.pc = 'append'; else if (t.reg === c) end(r, 'payout'); else { r.ans = 'reused'; r.pc = 'release'; } });
      if (pc === 'append') {
        const decide = (t, r) => { if (t.acc[c] === 2) r.pc = 'find'; else if (t.acc[c] === 1) r.pc = 'register'; else if (t.funds[c]) { t.acc[c] = 1; r.pc = 'register'; } else { r.ans = 'refused'; r.pc = 'release'; } };
        at('is decided by its account', decide);
        if (s.unknown > 0 && s.acc[c] === 0 && s.funds[c]) {
          at('is decided, and does not learn it', (t, r) => { t.unknown--; t.acc[c] = 1; end(r, 'unknown'); });
          if (s.late === null) at('gives its append up, which is under way', (t, r) => { t.unknown--; t.late = c; end(r, 'unknown'); });
        }
      }
      if (pc === 'register') at('is registered', (t, r) => { register(t, c); end(r, 'payout'); });
      if (pc === 'release') at('releases the claim', (t, r) => { if (t.row?.c === c) { if (g.counts && t.row.h > 1) t.row.h--; else t.row = null; } r.pc = 'done'; });
      if (s.die > 0 && pc !== 'done' && pc !== 'claim') at('dies', (t, r) => { t.die--; end(r, 'died'); });
    });
    if (s.late) step('the late append lands', (t) => { if (t.acc[t.late] === 0) t.acc[t.late] = 1; t.late = null; });
    if (s.row && !s.row.old && !isUnderWay(s, s.row.c)) step('the claim gets old', (t) => { t.row.old = true; });
    if (s.row?.old && (!g.keepsUnregistered || s.acc[s.row.c] !== 1 || s.reg === s.row.c)) step('a week has passed: the claim is removed', (t) => { t.row = null; });
    for (const c of BOTH) {
      if (!s.funds[c]) step(`money comes to ${c}`, (t) => { t.funds[c] = true; });
      if (s.acc[c] === 1) step(s.reg === c ? `the worker ends the payout of ${c}` : `the worker registers the payout of ${c}`, (t) => { if (t.reg === c) t.acc[c] = 2; else register(t, c); });
    }
    return acts;
  }
  const bad = (s) => {
    if (s.acc.A > 0 && s.acc.B > 0) return 'two accounts have reserved money for one payout';
    if (s.wrong) return s.wrong;
    if (new Set(s.r.filter(({ ans }) => ans === 'payout').map(({ c }) => c)).size > 1) return 'requests in two currencies are answered with a payout';
    return null; };
  const goal = (s) => s.late === null && s.r.every(({ pc }) => pc === 'done');
  return { init, actions, bad, goal };
}
run('two requests in one currency and one in the other', model());
run('two in each', model({ requests: ['A', 'A', 'B', 'B'], die: 0, unknown: 0 }));
run('both accounts have money, two die', model({ funds: { A: true }, die: 2 }));
run('an append lands late, twice', model({ funds: { A: true }, unknown: 2, die: 0 }));
run('nothing is claimed', model({ guards: { claim: false } }), false);
run('a claim is taken over at once', model({ guards: { agedOnly: false } }), false);
run('it looks for the payout before the claim is old', model({ guards: { oldFirst: false } }), false);
run('it takes over a claim that was held since', model({ guards: { unchanged: false } }), false);
run('claiming again does not renew a claim', model({ guards: { renews: false } }), false);
run('who takes over does not look whether the payout exists', model({ guards: { looks: false } }), false);
run('who is refused removes the claim of others', model({ guards: { counts: false } }), false);
run('old claims go before the payout is registered', model({ guards: { keepsUnregistered: false } }), false);
process.exit(failed());
