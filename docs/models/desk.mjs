// The finance desk: A) approval of a payout in the stream of its account, B) a proposal, which takes effect once in another stream ("mark
// and search"), C) the close of a bank's day, which books each of its lines once.
import { run, failed, appendResult } from './mc.mjs';

// A. Account stream of ONE payout: [id, type, person | cause, …]. Persons a (keys 1 and 2) and b (key 3), the merchant's cancel, the rail,
// the expiry, a suspension of a, a policy that is relaxed after the request. Every append expects the revision that was decided on.
export function approvalModel(o = {}) {
  const g = { persons: true,   // approvals are counted by person (else: by key)
    expectR: true,             // every decision appends expecting the revision it rests on (else: any)
    submitNeeds: true,         // PayoutSubmitted is refused while approvals are missing (else: only the list of candidates looks)
    copied: true,              // what is required stands in PayoutRequested (else: the policy in force when it is submitted)
    recheck: true,             // the rail looks again whether each approver may still approve, before it submits
    voidIsFact: true,          // an approval that no longer counts is taken back by a fact (else: the rail only refuses)
    fromFact: true,            // the digest is compared with the fact in the stream (else: with the read model that was shown)
    expiryDecides: true,       // the stream decides that approvals are complete (else: whoever lists candidates for expiry)
    late: true,                // an approval after the end of its time is refused
    ...o.guards };
  const init = { A: [['q', 'Requested', o.need ?? 2]], pol: o.need ?? 2, susp: [], day: 0, seen: 'x', crash: o.crash ?? 1, unk: o.unk ?? 1, fl: [],
    susBudget: o.susp ?? 1, polBudget: o.pol ?? 0, wrong: o.wrong ?? 0, cancels: o.cancels ?? 1,
    k: (o.keys ?? ['a', 'a', 'b']).map((person) => ({ person, pc: 0, R: 0, shown: '', ans: '', tries: 1 })),
    r: { pc: 0, R: 0, known: [] }, e: { pc: 0, R: 0 }, c: { pc: 0, R: 0 } };
  const copy = (s) => ({ ...s, A: s.A.slice(), susp: s.susp.slice(), fl: s.fl.slice(), k: s.k.map((x) => ({ ...x })), r: { ...s.r, known: s.r.known.slice() }, e: { ...s.e }, c: { ...s.c } });
  const fold = (A, R = A.length - 1) => { const st = { given: [], end: '' }; for (let i = 1; i <= R; i++) { const [, t, w, key] = A[i];
    if (t === 'Approved') st.given.push(g.persons ? w : `${w}${key}`); else if (t === 'Voided') st.given = st.given.filter((x) => x[0] !== w); else st.end = t; }
    st.given = [...new Set(st.given)]; return st; };
  const need = (s) => (g.copied ? s.A[0][2] : s.pol);
  const put = (t, R, ev) => { const r = g.expectR ? appendResult(t.A, R, [ev]) : t.A.some((e) => e[0] === ev[0]) ? 'same' : 'write'; if (r === 'write') t.A.push(ev); return r; };
  function actions(s) { const acts = []; const st = (l, f) => { const t = copy(s); f(t); acts.push([l, t]); };
    /** one append and its unknown outcomes; `then(t, outcome)` */
    const app = (who, R, ev, then) => { st(`${who} appends ${ev[1]} ${ev[2] ?? ''}`, (t) => { const r = put(t, R, ev); then(t, r === 'conflict' ? 'conflict' : 'ok'); });
      if (s.unk > 0) { st(`${who} appends ${ev[1]} ${ev[2] ?? ''}: times out, still on its way`, (t) => { t.unk--; t.fl.push([R, ev]); then(t, 'unknown'); });
        st(`${who} appends ${ev[1]} ${ev[2] ?? ''}: the answer is lost`, (t) => { const r = put(t, R, ev); if (r !== 'write') return; t.unk--; then(t, 'unknown'); }); } };
    s.fl.forEach(([R, ev], j) => st(`the delayed ${ev[1]} ${ev[2] ?? ''} arrives`, (t) => { t.fl.splice(j, 1); put(t, R, ev); }));
    if (s.day === 0) st('the time to approve is over', (t) => { t.day = 1; });
    if (s.susBudget && !s.susp.includes('a')) st('a is suspended', (t) => { t.susBudget--; t.susp.push('a'); });
    if (s.polBudget) st('the policy now asks for one approval', (t) => { t.polBudget--; t.pol = 1; });
    if (s.wrong) st('the read model shows another payee', (t) => { t.wrong--; t.seen = 'y'; });
    s.k.forEach((m, i) => { const who = `${m.person} with key ${i + 1}`;
      if (m.pc === 0 && m.tries) st(`${who} is shown the payout`, (t) => { t.k[i].shown = t.seen; t.k[i].pc = 1; t.k[i].tries--; });
      if (m.pc === 1) st(`${who} sends the form; the service looks who that is and loads the account`, (t) => { const x = t.k[i];
        if (t.susp.includes(x.person)) { x.pc = 9; x.ans = '403'; return; }
        if (g.fromFact && x.shown !== 'x') { x.pc = 0; x.ans = '409-digest'; return; }
        x.R = t.A.length - 1; const f = fold(t.A); if (f.end) { x.pc = 9; x.ans = '409'; return; }
        if (f.given.some((w) => w === (g.persons ? x.person : `${x.person}${i}`))) { x.pc = 9; x.ans = '200'; return; }
        if (g.late && t.day) { x.pc = 9; x.ans = '409-expired'; return; } x.pc = 2; });
      if (m.pc === 2) app(who, m.R, [`k${i}.${m.tries}`, 'Approved', m.person, i, m.shown], (t, r) => { const x = t.k[i]; if (r === 'ok') { x.pc = 9; x.ans = '200'; } else x.pc = 1; });
      if (m.pc > 0 && m.pc < 9 && s.crash) st(`the process of ${who} crashes`, (t) => { t.crash--; t.k[i].pc = 0; t.k[i].tries = Math.max(t.k[i].tries, 1); }); });
    const rail = s.r; // 0: idle, 1: loaded, 2: append
    if (rail.pc === 0 && !fold(s.A).end) st('rail looks who may approve', (t) => { t.r.known = t.susp.slice(); t.r.pc = 1; });
    if (rail.pc === 1) st('rail loads the account and decides', (t) => { const f = fold(t.A); t.r.R = t.A.length - 1; if (f.end) { t.r.pc = 0; return; }
      const gone = g.recheck ? f.given.find((w) => t.r.known.includes(w[0])) : undefined;
      if (gone !== undefined) { t.r.pc = g.voidIsFact ? 3 : 0; return; }
      t.r.pc = !g.submitNeeds || f.given.length >= need(t) ? 2 : 0; });
    if (rail.pc === 2) app('rail', rail.R, [`s${rail.R}`, 'Submitted', rail.known.join()], (t, r) => { t.r.pc = 0; });
    if (rail.pc === 3) app('rail', rail.R, [`v${rail.R}`, 'Voided', 'a'], (t, r) => { t.r.pc = 0; });
    if (rail.pc > 0 && s.crash) st('rail crashes', (t) => { t.crash--; t.r.pc = 0; });
    if (s.e.pc === 0 && s.day && !fold(s.A).end && fold(s.A).given.length < need(s)) st('expiry finds the payout in the read model', (t) => { t.e.pc = 1; });
    if (s.e.pc === 1) st('expiry loads the account and decides', (t) => { t.e.R = t.A.length - 1; const f = fold(t.A); t.e.pc = f.end || (g.expiryDecides && f.given.length >= need(t)) ? 0 : 2; });
    if (s.e.pc === 2) app('expiry', s.e.R, [`e${s.e.R}`, 'Cancelled', 'expired'], (t) => { t.e.pc = 0; });
    if (s.c.pc === 0 && s.cancels) st('the merchant asks to cancel; the account is loaded', (t) => { t.cancels--; t.c.R = t.A.length - 1; t.c.pc = fold(t.A).end ? 9 : 1; });
    if (s.c.pc === 1) app('cancel', s.c.R, [`c${s.c.R}`, 'Cancelled', 'merchant'], (t, r) => { if (r === 'ok') t.c.pc = 9; else { t.c.pc = 0; t.cancels++; } });
    return acts; }
  const bad = (s) => { let end = ''; const given = new Set(); for (const [, t, w, , shown] of s.A.slice(1)) {
      if (t === 'Approved') { if (end) return 'an approval stands behind the end of the payout'; if (shown !== 'x') return 'approved is what was never shown'; given.add(w); }
      else if (t === 'Voided') given.delete(w);
      else { if (end) return `${t} after ${end}`; end = t;
        if (t === 'Submitted') { if (given.size < s.A[0][2]) return `submitted with the approval of ${given.size} of ${s.A[0][2]} persons`;
          for (const p of w ? w.split(',') : []) if (given.has(p)) return `submitted on the approval of ${p}, who was known to be suspended`; }
        if (w === 'expired' && given.size >= s.A[0][2]) return 'cancelled as never approved, and it was approved'; } }
    if (!g.recheck) { const i = s.A.findIndex((e) => e[1] === 'Submitted'); if (i > 0 && s.r.known.includes('a') && s.A.slice(1, i).some((e) => e[1] === 'Approved' && e[2] === 'a')) return 'submitted on the approval of a, who had been suspended before the rail began'; }
    for (const m of s.k) if (m.ans === '200' && !s.A.some((e) => e[1] === 'Approved' && e[2] === m.person)) return 'an approver was told 200, and nothing is recorded';
    return null; };
  return { init, actions, bad, goal: (s) => !!fold(s.A).end };
}

// B. Proposals p with an effect in ONE target stream (an account that payouts move too). Streams: P[p] [Made, Approved, Claimed{mark}, …], I (the
// suspense item that both want), T target: [id, type, proposal | -1]. Two executors (the approving request, the process that resumes).
export function effectModel(o = {}) {
  const g = { mark: true,     // ProposalClaimed names the target's revision before any attempt, once; searches begin there (else: each executor's own look)
    expectR: true,            // the effect is appended expecting the revision up to which was searched
    claimOnce: true,          // ProposalClaimed is appended expecting the proposal's revision
    refuseInTarget: true,     // a refusal is a fact of the target, as the effect would have been (else: ProposalFailed alone)
    item: true,               // a suspense item is claimed, no stream, before the effect
    searchAgain: true,        // after a conflict it is searched again up to the new revision
    recheck: true,            // entitlement is looked up again before ProposalClaimed
    freshIds: true,           // an event's id is new for every decision, kept only to send the same bytes again (else: by proposal, executor and revision)
    ...o.guards };
  const n = o.proposals ?? 1;
  const init = { T: [['f', 'Funds', -1, o.avail ?? 5]], P: Array.from({ length: n }, (_, p) => [['m', 'Made'], ['a', 'Approved']]), I: [], susp: 0, sus: o.susp ?? 0, strict: 0, rule: o.rule ?? 0,
    traffic: o.traffic ?? 1, crash: o.crash ?? 1, unk: o.unk ?? 1, fl: [], x: [0, 1].map(() => ({ pc: 0, p: 0, Rp: 0, R: 0, mark: -1, known: 0, what: '' })) };
  const copy = (s) => ({ ...s, T: s.T.slice(), P: s.P.map((x) => x.slice()), I: s.I.slice(), fl: s.fl.slice(), x: s.x.map((y) => ({ ...y })) });
  const of = (t, st) => (st === 'T' ? t.T : st === 'I' ? t.I : t.P[+st[1]]);
  const put = (t, st, R, ev) => { const S = of(t, st); const r = R === 'any' ? (S.some((e) => e[0] === ev[0]) ? 'same' : 'write') : appendResult(S, R, [ev]); if (r === 'write') S.push(ev); return r; };
  const avail = (T) => T.reduce((sum, e) => sum + (e[1] === 'Funds' ? e[3] : e[1] === 'Payout' ? -3 : e[1] === 'Booked' ? (o.credit ? 4 : -4) : 0), 0);
  const ended = (S) => S.some((e) => e[1] === 'Executed' || e[1] === 'Failed' || e[1] === 'Voided');
  function actions(s) { const acts = []; const st = (l, f) => { const t = copy(s); f(t); acts.push([l, t]); };
    const app = (who, stream, R, ev, then) => { st(`${who} appends ${ev[1]} to ${stream}`, (t) => { const r = put(t, stream, R, ev); then(t, r === 'conflict' ? 'conflict' : 'ok'); });
      if (s.unk > 0) { st(`${who} appends ${ev[1]} to ${stream}: times out, still on its way`, (t) => { t.unk--; t.fl.push([stream, R, ev]); then(t, 'unknown'); });
        st(`${who} appends ${ev[1]} to ${stream}: the answer is lost`, (t) => { if (put(t, stream, R, ev) !== 'write') return; t.unk--; then(t, 'unknown'); }); } };
    s.fl.forEach(([stream, R, ev], j) => st(`the delayed ${ev[1]} arrives`, (t) => { t.fl.splice(j, 1); put(t, stream, R, ev); }));
    if (s.traffic && avail(s.T) >= 3) st('a payout is requested on the account', (t) => { t.traffic--; t.T.push([`y${t.traffic}`, 'Payout', -1]); });
    if (s.rule) st('a newer build refuses what the older one books', (t) => { t.rule--; t.strict = 1; });
    if (s.sus) st('the approver is suspended', (t) => { t.sus--; t.susp = 1; });
    s.x.forEach((m, i) => { const who = `executor#${i}`; const go = (l, f) => st(`${who} ${l}`, (t) => f(t.x[i], t));
      if (m.pc > 0 && s.crash) go('crashes', (x, t) => { t.crash--; Object.assign(x, { pc: 0, p: 0, Rp: 0, R: 0, mark: -1, known: 0, what: '' }); });
      if (m.pc === 0) s.P.forEach((S, p) => { if (!ended(S)) go(`takes up proposal ${p}, looks who may approve`, (x, t) => { x.p = p; x.known = t.susp; x.pc = 1; }); });
      const stream = `P${m.p}`;
      if (m.pc === 1) go('loads the proposal', (x, t) => { const S = t.P[x.p]; x.Rp = S.length - 1; const c = S.find((e) => e[1] === 'Claimed');
        if (ended(S)) { x.pc = 0; return; } if (c) { x.mark = c[2]; x.pc = o.items ? 4 : 5; return; } x.pc = g.recheck && x.known ? 7 : 2; });
      if (m.pc === 7) app(who, stream, m.Rp, [`v${i}`, 'Voided'], (t, r) => { t.x[i].pc = r === 'ok' ? 0 : 1; });
      if (m.pc === 2) go('looks where the target stands', (x, t) => { x.mark = t.T.length - 1; x.pc = 3; });
      if (m.pc === 3) app(who, stream, g.claimOnce ? m.Rp : 'any', [`c${i}.${m.mark}`, 'Claimed', m.mark, m.known], (t, r) => { t.x[i].pc = r === 'ok' ? (o.items ? 4 : 5) : 1; });
      if (m.pc === 4) { if (!g.item) go('takes the item without a claim', (x) => { x.pc = 5; });
        else app(who, 'I', -1, [`i${m.p}`, 'ItemClaimed', m.p], (t, r) => { const x = t.x[i]; if (r === 'unknown') return; x.pc = t.I[0][2] === x.p ? 5 : 8; x.what = 'Failed'; }); }
      if (m.pc === 5) go('loads the target, searches from the mark, decides', (x, t) => { const from = g.mark ? x.mark : x.R || t.T.length - 1; x.R = t.T.length - 1;
        const hit = t.T.slice(from + 1).find((e) => e[2] === x.p); if (hit) { x.what = hit[1] === 'Booked' ? 'Executed' : 'Failed'; x.pc = 8; return; }
        x.what = !t.strict && (o.credit || avail(t.T) >= 4) ? 'Booked' : 'Refused'; x.pc = x.what === 'Refused' && !g.refuseInTarget ? 8 : 6; if (x.pc === 8) x.what = 'Failed'; });
      if (m.pc === 6) app(who, 'T', g.expectR ? m.R : 'any', [`t${m.p}.${i}.${m.R}${g.freshIds ? m.what : ''}`, m.what, m.p], (t, r) => { const x = t.x[i];
        if (r === 'ok') { x.what = x.what === 'Booked' ? 'Executed' : 'Failed'; x.pc = 8; } else if (r === 'conflict' && !g.searchAgain) x.R = t.T.length - 1; else x.pc = 5; });
      if (m.pc === 8) go('loads the proposal for its end', (x, t) => { const S = t.P[x.p]; x.Rp = S.length - 1; x.pc = ended(S) ? 0 : 9; });
      if (m.pc === 9) app(who, stream, m.Rp, [`z${i}.${m.what}`, m.what], (t, r) => { t.x[i].pc = r === 'ok' ? 0 : 8; });
    });
    return acts; }
  const bad = (s) => { const booked = s.T.filter((e) => e[1] === 'Booked');
    if (avail(s.T) < 0) return 'available is below zero'; if (o.items && booked.length > 1) return 'one suspense item was resolved twice';
    for (const [p, S] of s.P.entries()) { const mine = s.T.filter((e) => e[2] === p); if (mine.length > 1) return `proposal ${p} took effect ${mine.length} times`;
      if (S.filter((e) => e[1] === 'Claimed').length > 1) return 'two marks';
      const end = S.filter((e) => ['Executed', 'Failed', 'Voided'].includes(e[1])); if (end.length > 1) return 'two ends';
      if (end[0]?.[1] === 'Executed' && !mine.some((e) => e[1] === 'Booked')) return 'executed, and nothing is booked';
      if (end[0] && end[0][1] !== 'Executed' && mine.some((e) => e[1] === 'Booked')) return `${end[0][1]}, and it is booked`;
      const c = S.find((e) => e[1] === 'Claimed'); if (c?.[3]) return 'took effect although the approver was known to be suspended'; }
    return null; };
  return { init, actions, bad, goal: (s) => s.P.every(ended) && !s.fl.length };
}

// C. Close of one day of one source. S = recon-<source>, D = the stream of the day's booked lines; L = the log (order of everything, decisions too);
// proj = how far the projection is. Two lines, one per part: line 0 is a remittance, line 1 is unknown unless a person matched it before the tick
// (DayCloseOpened). Two closers, a reissue.
export function closeModel(o = {}) {
  const g = { tick: true,   // what is booked is the fold of the log up to DayCloseOpened (else: the projection as it is when it is read)
    wait: true,             // the projection is waited for
    expectR: true,          // parts are appended expecting the revision of D that they were decided on
    nextPart: true,         // D accepts the next part only (else: whatever part the closer has not sent itself)
    allParts: true,         // DayClosed only when D was read with every part
    expectS: true,          // DayClosed is appended expecting the revision of S that it was decided on
    noReissue: true,        // a statement cannot be replaced once a close has been opened over it
    openOnce: true,         // one DayCloseOpened a day
    ...o.guards };
  const init = { L: [['S', 'a', 'Accepted', 1]], proj: 0, dec: o.dec ?? 1, re: o.re ?? 1, rebuild: o.rebuild ?? 1, crash: o.crash ?? 1, unk: o.unk ?? 1, fl: [],
    c: [0, 1].map(() => ({ pc: 0, R: 0, RD: -1, part: 0, rows: null })), r: { pc: 0, R: 0 } };
  const copy = (s) => ({ ...s, L: s.L.slice(), fl: s.fl.slice(), c: s.c.map((x) => ({ ...x })), r: { ...s.r } });
  const of = (s, st) => s.L.filter((e) => e[0] === st).map((e) => e.slice(1));
  const S = (s) => of(s, 'S');
  const put = (t, st, R, ev) => { const r = R === 'any' ? (of(t, st).some((e) => e[0] === ev[0]) ? 'same' : 'write') : appendResult(of(t, st), R, [ev]); if (r === 'write') t.L.push([st, ...ev]); return r; };
  const version = (L) => L.filter((e) => e[2] === 'Accepted' || e[2] === 'Replaced').at(-1)[3];
  const rowsAt = (L) => [`rem.v${version(L)}`, `${L.some((e) => e[2] === 'BreakMatched') ? 'matched' : 'suspense'}.v${version(L)}`];
  const openedAt = (L) => L.findIndex((e) => e[2] === 'Opened');
  function actions(s) { const acts = []; const st = (l, f) => { const t = copy(s); f(t); acts.push([l, t]); };
    const app = (who, stream, R, ev, then) => { st(`${who} appends ${ev[1]} ${ev.slice(2).join(' ')}`, (t) => { const r = put(t, stream, R, ev); then(t, r === 'conflict' ? 'conflict' : 'ok'); });
      if (s.unk > 0) { st(`${who} appends ${ev[1]}: times out, still on its way`, (t) => { t.unk--; t.fl.push([stream, R, ev]); then(t, 'unknown'); });
        st(`${who} appends ${ev[1]}: the answer is lost`, (t) => { if (put(t, stream, R, ev) !== 'write') return; t.unk--; then(t, 'unknown'); }); } };
    s.fl.forEach(([stream, R, ev], j) => st(`the delayed ${ev[1]} arrives`, (t) => { t.fl.splice(j, 1); put(t, stream, R, ev); }));
    if (s.proj < s.L.length) st('the projection applies the next event', (t) => { t.proj++; });
    if (s.rebuild) st('the projection is rebuilt', (t) => { t.rebuild--; t.proj = 0; });
    if (s.dec) st('a person matches line 1', (t) => { t.dec--; t.L.push(['B', 'd', 'BreakMatched']); });
    if (s.re && s.r.pc === 0) st('the bank reissues the statement; the source is loaded', (t) => { t.re--; t.r.R = S(t).length - 1; t.r.pc = g.noReissue && S(t).some((e) => e[1] === 'Opened') ? 9 : 1; });
    if (s.r.pc === 1) app('import', 'S', g.noReissue ? s.r.R : 'any', ['re', 'Replaced', 2], (t, r) => { t.r.pc = r === 'ok' ? 9 : 0; if (r !== 'ok') t.re++; });
    s.c.forEach((m, i) => { const who = `closer#${i}`; const go = (l, f) => st(`${who} ${l}`, (t) => f(t.c[i], t));
      if (m.pc > 0 && m.pc < 9 && s.crash) go('crashes', (x, t) => { t.crash--; Object.assign(x, { pc: 0, R: 0, RD: -1, part: 0, rows: null }); });
      if (m.pc === 0) go('loads the source', (x, t) => { const src = S(t); x.R = src.length - 1;
        if (src.some((e) => e[1] === 'Closed')) { x.pc = 9; return; } x.pc = src.some((e) => e[1] === 'Opened') ? 5 : 1; });
      if (m.pc === 1) app(who, 'S', g.openOnce ? m.R : 'any', [g.openOnce ? 'o' : `o${i}`, 'Opened'], (t) => { t.c[i].pc = 0; });
      if (m.pc === 5) go('loads the booked lines', (x, t) => { const day = of(t, 'D'); x.RD = day.length - 1; if (g.nextPart) x.part = day.length;
        x.pc = (g.allParts ? x.part >= 2 : x.part >= 1) ? 4 : 2; });
      if (m.pc === 2 && (!g.wait || s.proj > openedAt(s.L))) go('reads the rows of the day', (x, t) => { const cut = g.tick ? Math.min(t.proj, openedAt(t.L) + 1) : t.proj; x.rows = rowsAt(t.L.slice(0, Math.max(cut, 1)))[x.part]; x.pc = 3; });
      if (m.pc === 3) app(who, 'D', g.expectR ? m.RD : 'any', [`b${i}.${m.part}.${g.expectR ? m.RD : ''}`, 'Booked', m.part, m.rows], (t, r) => { const x = t.c[i]; if (r === 'ok' && !g.nextPart) x.part++; x.rows = null; x.pc = 5; });
      if (m.pc === 4) app(who, 'S', g.expectS ? m.R : 'any', [g.expectS ? 'z' : `z${i}`, 'Closed'], (t, r) => { t.c[i].pc = r === 'ok' ? 9 : 0; });
    });
    return acts; }
  const bad = (s) => { const at = openedAt(s.L); if (at < 0) return null; const want = rowsAt(s.L.slice(0, at + 1)); const seen = [];
    let open = 0, closed = 0; for (const [, , t, part, row] of s.L) { if (t === 'Opened' && open++) return 'opened twice';
      if (t === 'Replaced' && open) return 'the statement was replaced under an open close';
      if (t === 'Booked') { if (!open || closed) return 'booked outside of the close'; if (seen.includes(part)) return `part ${part} was booked twice`; seen.push(part); if (row !== want[part]) return `part ${part} booked as ${row}, the fold at the tick says ${want[part]}`; }
      if (t === 'Closed') { if (closed++) return 'closed twice'; if (seen.length < 2) return 'closed with a part missing'; } }
    return null; };
  return { init, actions, bad, goal: (s) => S(s).some((e) => e[1] === 'Closed') && !s.fl.length };
}

if (process.argv[1].endsWith('desk.mjs')) {
  console.log('A. approval of a payout');
  run('two of two persons, three keys, unknown outcomes', approvalModel({ crash: 0, susp: 0, cancels: 0 }));
  run('two persons, suspension, cancel, expiry, crash, unknown', approvalModel({ keys: ['a', 'b'] }));
  run('one approval, wrong read model, policy relaxed meanwhile', approvalModel({ need: 1, keys: ['a', 'b'], wrong: 1, pol: 1, crash: 0, susp: 0 }));
  run('one approval, suspension, cancel, expiry, crash, unknown', approvalModel({ need: 1, keys: ['a'] }));
  const one = { need: 1, keys: ['a'], crash: 0, unk: 0 }, two = { keys: ['a', 'b'], crash: 0, unk: 0, susp: 0 };
  for (const [name, more] of Object.entries({ persons: { ...two, keys: ['a', 'a'] }, expectR: two, submitNeeds: two, copied: { ...two, pol: 1 }, recheck: one, voidIsFact: { ...one, cancels: 0 }, fromFact: { ...one, wrong: 1 }, expiryDecides: one }))
    run(`without: ${name}`, approvalModel({ ...more, guards: { [name]: false } }), false);
  run('without: late (harmless: the stream decides; kept so that the answer is the same everywhere)', approvalModel({ ...one, guards: { late: false } }), null);
  console.log('B. an approved proposal takes effect once');
  run('one proposal, two executors, crash 2, unknown 2, two payouts move the target', effectModel({ crash: 2, unk: 2, traffic: 2 }));
  run('two proposals want one suspense item, crash, unknown', effectModel({ proposals: 2, items: true, credit: true, traffic: 0 }));
  run('two proposals, funds for one, crash, unknown', effectModel({ proposals: 2, traffic: 0 }));
  run('the approver is suspended on the way', effectModel({ susp: 1 }));
  run('a rule outside of the target changes on the way', effectModel({ rule: 1, traffic: 0 }));
  run('… without refuseInTarget, where only the target itself decides', effectModel({ avail: 6, crash: 0, guards: { refuseInTarget: false } }), null);
  for (const [name, more] of Object.entries({ mark: { traffic: 0 }, expectR: { traffic: 0, avail: 12 }, claimOnce: { traffic: 0 }, refuseInTarget: { rule: 1, traffic: 0 }, item: { proposals: 2, items: true, credit: true, traffic: 0, crash: 0, unk: 0 }, searchAgain: { avail: 12 }, recheck: { susp: 1 }, freshIds: { rule: 1, traffic: 0, crash: 0 } }))
    run(`without: ${name}`, effectModel({ ...more, guards: { [name]: false } }), false);
  console.log('C. the close of a day');
  run('two closers, a decision, a reissue, crash', closeModel({ unk: 0, rebuild: 0 }));
  run('two closers, a decision, a reissue, a rebuild, crash, unknown', closeModel());
  for (const name of ['tick', 'wait', 'expectR', 'nextPart', 'allParts', 'expectS', 'noReissue', 'openOnce']) run(`without: ${name}`, closeModel({ rebuild: 0, crash: 0, unk: 0, guards: { [name]: false } }), false);
  process.exit(failed());
}
