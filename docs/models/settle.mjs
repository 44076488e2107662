// Protocol 2 and 3: numbered settlements, and reversals racing with them. One account.
// Lines: 0 = charge X, 1 = charge Y, 2 = X's reversal, 3 = Y's reversal, 4 = a returned payout Z (positive).
// Two settlement processes run the protocol at once (a "settle this charge now" of the simulator is the same protocol with its own
// candidate list). Read models are arbitrarily stale: a candidate list may hold any line that was EVER a candidate.
// The projection (row states and buckets) is carried along and judged after every single append.
import { run, failed, appendResult } from './mc.mjs';

// Line 5 = charge W, whose stream does not exist (it may be created and paid late). `wrong`: lines that a list names with another amount.
const NET = [10, 7, 10, 7, 4, 5], NAME = ['X', 'Y', 'rev X', 'rev Y', 'ret Z', 'W'];
const bits = (m) => [0, 1, 2, 3, 4, 5].filter((i) => m >> i & 1); const names = (m) => '{' + bits(m).map((i) => NAME[i]).join(',') + '}';
export function settleModel(o = {}) {
  const g = {
    storedList: true,     // who loses the race to open works on the STORED candidate list
    storedClose: true,    // FundsSettled is built from the STORED SettlementClosed
    nextOnly: true,       // the account takes FundsSettled n only as last + 1
    emptyToo: true,       // an empty settlement is passed to the account as well (else: given up after closing)
    resumeOpen: true,     // open settlements are looked for, not only accounts with candidates
    noClock: true,        // claiming asks no clock: being due was decided when the list was made (else: each process asks its own clock)
    dropOnFact: true,     // a line drops only for a fact in its own stream, never for a time-out or an error
    positive: true,       // a line drops only for a fact FOUND in its stream; absence of the fact that made it a candidate is a stale read: read again
    leaderReads: true,    // line streams are read from the leader
    claim: true,          // a line's own stream is claimed
    freshOpenId: true,    // SettlementOpened's event id is new per attempt (else derived from n: both openers are told "success")
    dedupe: true,         // a list names a line once
    numberFromAccount: true, // n = the account's last + 1 (else: the first number whose stream does not exist)
    moneyByEvent: 'carried', // how ChargeReversed moves money: carried = the event says whether the charge was claimed;
                             // row = the projection looks at the row's state; always = pending if not SETTLED else available, at once, and the line again
    factIn: 'line',       // a person's fact 'this line is not in n': in the line's own stream (else 'settlement': where the settlement is; 'side': there for W alone, as long as W does not exist)
    factExpects: true,    // … appended at the revision that the person's command has read
    factOnlyWaiting: true,// … refused where the line is claimed for n (with anyLine: also allowed where the line is not waited for)
    amountsFirst: true,   // a claim compares amounts BEFORE it claims (else: claims, then finds the difference and waits)
    forNOnly: true,       // the fact counts for n alone
    createAfter: true,    // whoever creates W behind such a fact names it (else: expects no stream, gives up)
    settledBy: 'FundsSettled', // which event turns the row SETTLED (else SettlementClosed / ChargeSettlementClaimed)
    ...o.guards,
  };
  const charges = o.charges ?? 2, payouts = o.payouts ?? 0, revs = o.revs ?? [0], S = o.settlers ?? 2;
  const N = o.numbers ?? 5;
  const init = {
    L: [charges > 0 ? ['paid'] : [], charges > 1 ? ['paid'] : [], payouts ? ['registered', 'returned'] : [], []].map((x) => x.map((t) => [t, t])), // line streams: X, Y, Z, W
    T: Array.from({ length: N }, () => []), // settlement-1 … N
    A: [],                                    // account: [id, n, mask, doubled]
    s: Array.from({ length: S }, () => ({ pc: 0, n: 0, list: 0, dup: 0, got: 0, i: 0, rv: -1, R: -1, due: 0, wr: 0, F: 0 })),
    p: Array.from({ length: o.persons ?? 0 }, () => ({ pc: 0, n: 0, i: 0, rv: -1 })), cr: Array.from({ length: o.creators ?? 0 }, () => ({ pc: 0, rv: -1 })), F: Array(N).fill(0), bogus: o.bogus ?? 0, wrongs: o.wrongs ?? 0,
    r: revs.map((c) => ({ c, pc: 0, rv: -1 })),
    ever: (charges > 0 ? 1 : 0) | (charges > 1 ? 2 : 0) | (payouts ? 16 : 0),
    junk: o.junk ?? 1, crash: o.crash ?? 1, unk: o.unk ?? 0, fl: [], lost: 0,
    // projection
    row: [charges > 0 ? 'PENDING' : '', charges > 1 ? 'PENDING' : '', payouts ? 'SUCCEEDED' : '', ''], pend: (charges > 0 ? 10 : 0) + (charges > 1 ? 7 : 0), avail: 0, trans: 0, hist: ['', '', '', ''],
  };
  const copy = (s) => ({ ...s, L: s.L.map((x) => x.slice()), T: s.T.map((x) => x.slice()), A: s.A.slice(), s: s.s.map((x) => ({ ...x })), r: s.r.map((x) => ({ ...x })), p: s.p.map((x) => ({ ...x })), cr: s.cr.map((x) => ({ ...x })), F: s.F.slice(), fl: s.fl.slice(), row: s.row.slice(), hist: s.hist.slice() });
  const streamOf = (line) => line === 5 ? 3 : line === 4 ? 2 : line & 1;
  const isRefused = (events, line, n) => events.some((e) => e[0] === 'refused' && e[3] === line && (e[2] === n || !g.forNOnly));
  const line$ = (events, line) => { // decision of a line's stream: claimed number, or claimable
    const kinds = events.map((e) => e[0]); const c = kinds.indexOf('claim'), r = kinds.indexOf('reversed'), rc = kinds.indexOf('revclaim');
    if (line < 2 || line === 5) return { claimed: c >= 0 ? events[c][2] : 0, can: c < 0 && r < 0 && kinds.includes('paid'), fact: c >= 0 || r >= 0 };
    if (line < 4) return { claimed: rc >= 0 ? events[rc][2] : 0, can: rc < 0 && r >= 0 && c >= 0 && c < r, fact: rc >= 0 || (r >= 0 && c < 0) };
    return { claimed: c >= 0 ? events[c][2] : 0, can: c < 0 && kinds.includes('returned'), fact: c >= 0 };
  };
  const mark = (t, i, st) => { if (t.row[i] !== st) { t.row[i] = st; t.hist[i] += st[0] === 'P' && st[1] === 'R' ? 'C' : st[0]; } }; // history: C processing, S settled, R reversed
  // -------- the projection: one function per event; judged after each
  function project(t, ev) {
    if (ev[0] === 'paid') { t.pend += NET[5]; mark(t, 3, 'PENDING'); }
    if (ev[0] === 'claim' && ev[3] === 5) mark(t, 3, 'PROCESSING');
    if (ev[0] === 'claim' && ev[3] < 2) { mark(t, ev[3], 'PROCESSING'); if (g.settledBy === 'ChargeSettlementClaimed') mark(t, ev[3], 'SETTLED'); }
    if (ev[0] === 'reversed') { const i = ev[3], claimed = ev[4];
      if (g.moneyByEvent === 'carried') { if (!claimed) { t.pend -= NET[i]; mark(t, i, 'REVERSED'); } }
      else if (g.moneyByEvent === 'row') { if (t.row[i] === 'SETTLED') { /* money moves with the line */ } else { t.pend -= NET[i]; } mark(t, i, 'REVERSED'); }
      else { if (t.row[i] === 'SETTLED') t.avail -= NET[i]; else t.pend -= NET[i]; mark(t, i, 'REVERSED'); } }
    if (ev[0] === 'closed' && g.settledBy === 'SettlementClosed') for (const i of bits(ev[2])) if (i < 2) mark(t, i, 'SETTLED');
    if (ev[0] === 'funds') { const mult = (i) => (ev[3] >> i & 1 ? 2 : 1);
      for (const i of bits(ev[2])) { if (i === 5) { t.pend -= NET[5]; t.avail += NET[5]; mark(t, 3, 'SETTLED'); } else if (i < 2) { t.pend -= NET[i] * mult(i); t.avail += NET[i] * mult(i); mark(t, i, 'SETTLED'); } else if (i < 4) { t.avail -= NET[i] * mult(i); mark(t, i & 1, 'REVERSED'); } else { t.avail += NET[i]; mark(t, 2, 'REVERSED'); } } }
  }
  const app = (s, label, pick, expected, ev, then, unk = true, extra) => { // ev = [type, id, …]; stream events keep [id first] for the engine's rule
    const acts = []; const store = (t) => { const st = pick(t); const r = appendResult(st.map((e) => [e[1]]), expected, [[ev[1]]]); if (r === 'write') { st.push(ev); extra?.(t); project(t, ev); } return r; };
    { const t = copy(s); const r = store(t); then(t, r === 'conflict' ? 'conflict' : 'ok'); acts.push([`${label} expecting ${expected}: ${r}`, t]); }
    if (unk && s.unk > 0) {
      { const t = copy(s); t.unk--; const r = store(t); if (r === 'write') { then(t, 'unknown'); acts.push([`${label}: written, the answer is lost`, t]); } }
      { const t = copy(s); t.unk--; t.fl.push([pick.name2, expected, ev]); then(t, 'unknown'); acts.push([`${label}: times out, still on its way`, t]); }
    }
    return acts; };
  const P = (f, name2) => { f.name2 = name2; return f; };
  const pickers = (name2) => name2[0] === 'L' ? (t) => t.L[+name2[1]] : name2[0] === 'T' ? (t) => t.T[+name2.slice(1)] : (t) => t.A;
  const last = (s) => s.A.reduce((m, e) => Math.max(m, e[4]), 0);
  function actions(s) {
    const acts = [];
    s.cr.forEach((m, k) => { const who = `creator ${k + 1} of W`;
      const exists = (st) => st.some((e) => e[0] === 'paid');
      if (m.pc === 0) { const t = copy(s); const x = t.cr[k]; if (exists(s.L[3])) x.pc = 2; else { x.rv = g.createAfter ? s.L[3].length - 1 : -1; x.pc = 1; } acts.push([`${who}: reads${x.pc === 2 ? ', it is there' : ''}`, t]); }
      if (m.pc === 1) acts.push(...app(s, `${who}: creates and pays`, P((t) => t.L[3], 'L3'), m.rv, ['paid', 'pd' + k, 0, 5], (t, r) => { t.cr[k].pc = r === 'ok' ? 2 : 0; }, s.unk > 0, (t) => { t.ever |= 32; }));
    });
    s.p.forEach((m, k) => { const who = `person ${k + 1}`;
      const own = (i) => g.factIn === 'line' || (g.factIn === 'side' && !(i === 5 && m.rv < 0));
      if (m.pc === 0) for (const [q, T] of s.T.entries()) if (T.length === 1) for (const i of bits(T[0][2])) { const n = q + 1; const st = s.L[streamOf(i)]; const d = line$(st, i);
        if (isRefused(st, i, n) || s.F[q] >> i & 1) continue;
        const wrong = T[0][4] >> i & 1;
        if (d.claimed === n && g.factOnlyWaiting) continue;
        if (!o.anyLine && !(wrong || (!d.can && !d.fact))) continue;
        const t = copy(s); Object.assign(t.p[k], { pc: 1, n, i, rv: st.length - 1 }); acts.push([`${who}: refuses ${NAME[i]} for ${n}: reads its stream`, t]); }
      if (m.pc === 1) { const { n, i } = m;
        if (own(i)) acts.push(...app(s, `${who}: appends 'not in ${n}' to ${NAME[i]}`, P((t) => t.L[streamOf(i)], 'L' + streamOf(i)), g.factExpects ? m.rv : s.L[streamOf(i)].length - 1, ['refused', `n${k}.${n}.${i}`, n, i], (t, r) => { t.p[k] = { pc: r === 'ok' ? 2 : 0, n: 0, i: 0, rv: -1 }; }, s.unk > 0));
        else { const t = copy(s); if (t.T[n - 1].length === 1) t.F[n - 1] |= 1 << i; t.p[k] = { pc: t.T[n - 1].length === 1 ? 2 : 0, n: 0, i: 0, rv: -1 }; acts.push([`${who}: appends 'not in ${n}: ${NAME[i]}' beside the settlement`, t]); } }
    });
    s.r.forEach((m, k) => { const who = `processor reverses ${NAME[m.c]}`;
      if (m.pc === 0) { const t = copy(s); t.r[k].pc = 1; t.r[k].rv = t.L[m.c].length - 1; acts.push([`${who}: reads the charge`, t]); }
      if (m.pc === 1) { const st = s.L[m.c].slice(0, m.rv + 1); const claimed = st.some((e) => e[0] === 'claim');
        acts.push(...app(s, `${who}: appends ChargeReversed(${claimed ? 'after its claim' : 'before any claim'})`, P((t) => t.L[m.c], 'L' + m.c), m.rv, ['reversed', 'rv' + k, 0, m.c, claimed], (t, r) => { if (r === 'conflict') { t.r[k].pc = 0; t.r[k].rv = -1; } else if (r === 'ok') t.r[k].pc = 2; }, false, (t) => { if (claimed) t.ever |= 4 << m.c; })); }
    });
    s.s.forEach((m, k) => {
      const who = `S${k + 1}`;
      const step = (label, f) => { const t = copy(s); f(t.s[k], t); acts.push([`${who} ${label}`, t]); };
      const idle = (x) => Object.assign(x, { pc: 0, n: 0, list: 0, dup: 0, got: 0, i: 0, rv: -1, R: -1, wr: 0, F: 0 });
      if (m.pc > 0 && s.crash > 0) step('crashes', (x, t) => { t.crash--; idle(x); });
      if (!g.noClock && m.due === 0) step('its clock passes the due moment of Y', (x) => { x.due = 1; });
      const valid = bits(s.ever).filter((i) => { const d = line$(s.L[streamOf(i)], i); return d.can && !(i === 1 && !g.noClock && !m.due); }).reduce((a, i) => a | 1 << i, 0);
      const n1 = last(s) + 1;
      const hasOpen = n1 <= N && s.T[n1 - 1].length > 0;
      if (m.pc === 0 && n1 <= N && (valid || s.bogus > 0 || (g.resumeOpen && hasOpen))) step('starts: loads the account', (x, t) => { x.R = t.A.length - 1; x.n = last(t) + 1; if (!g.numberFromAccount) { while (x.n <= N && t.T[x.n - 1].length) { const nn = x.n; if (!t.A.some((e) => e[4] === nn) && t.T[nn - 1].length === 2) break; x.n++; } if (x.n > N) return idle(x); } x.pc = 1; });
      if (m.pc === 1) { const n = m.n; if (n > N) step('stops', idle); else {
        if (s.T[n - 1].length) step(`reads settlement-${n}: opened with ${names(s.T[n - 1][0][2])}${s.T[n - 1][1] ? ', closed' : ''}`, (x, t) => { const e = t.T[n - 1]; x.list = e[0][2]; x.dup = e[0][3]; x.wr = e[0][4]; x.F = t.F[n - 1]; x.i = 0; x.got = 0; x.pc = e[1] ? 6 : 4; });
        else { // (a): candidate lists, fresh or stale
          const all = s.ever | (s.bogus ? 32 : 0); for (let mask = 1; mask < 64; mask++) { if ((mask & all) !== mask) continue; const bogus = (mask & ~s.ever) !== 0; const stale = (mask & s.ever & ~valid) !== 0; if (stale && s.junk <= 0) continue; if (mask === 0) continue;
            if (!stale && !bogus && mask !== valid && o.exact) continue;
            for (const wrong of s.wrongs ? [0, ...bits(mask & valid).map((b) => 1 << b)] : [0])
            for (const dup of g.dedupe ? [0] : [0, mask & -mask]) {
              step(`(a) read settlement-${n}: none; candidates ${names(mask)}${stale ? ' (stale read model)' : ''}${bogus ? ' (one that never was)' : ''}${wrong ? `, ${names(wrong)} with another amount` : ''}`, (x, t) => { if (stale) t.junk--; if (bogus) t.bogus--; if (wrong) t.wrongs--; x.wr = wrong; x.F = 0; x.list = mask; x.dup = dup; x.pc = 3; }); } }
          if (!valid) step('finds no candidates, stops', idle); } } }
      if (m.pc === 3) acts.push(...app(s, `${who} (a) opens settlement-${m.n} with ${names(m.list)}`, P((t) => t.T[m.n - 1], 'T' + (m.n - 1)), -1, ['opened', g.freshOpenId ? `o${k}.${m.list}.${m.wr}` : `o${m.n}`, m.list, m.dup, m.wr], (t, r) => { const x = t.s[k]; if (r === 'conflict') { if (g.storedList) { x.list = 0; x.pc = 1; } else { x.i = 0; x.got = 0; x.pc = 4; } } else if (r === 'unknown') { idle(x); } else { x.i = 0; x.got = 0; x.pc = 4; } }, s.unk > 0));
      if (m.pc === 4) { const next = bits(m.list).find((i) => i >= m.i);
        if (next === undefined) step('has visited all lines', (x) => { x.pc = 5; x.i = 0; x.rv = -1; });
        else if (!g.claim) step(`takes ${NAME[next]}`, (x, t) => { if (line$(t.L[streamOf(next)], next).can || true) x.got |= 1 << next; x.i = next + 1; });
        else { const st = s.L[streamOf(next)];
          const froms = g.leaderReads ? [st.length - 1] : [...Array(st.length).keys()];
          for (const rv of froms) { const seen = st.slice(0, rv + 1); const d = line$(seen, next);
            const wrong = m.wr >> next & 1;
            if (isRefused(seen, next, m.n) || s.F[m.n - 1] >> next & 1) step(`(b) reads ${NAME[next]}: a person says not in ${m.n}, drops it`, (x, t) => { x.F = t.F[m.n - 1]; x.i = next + 1; });
            else if (wrong && (g.amountsFirst || d.claimed === m.n)) step(`(b) reads ${NAME[next]}: another amount than listed, waits`, () => {});
            else if (d.claimed === m.n) step(`(b) reads ${NAME[next]}: claimed for ${m.n} already`, (x) => { x.got |= 1 << next; x.i = next + 1; });
            else if (d.can && !(next === 1 && !g.noClock && !m.due)) step(`(b) reads ${NAME[next]}${rv < st.length - 1 ? ' at a follower' : ''}: claimable`, (x) => { x.i = next; x.rv = rv; x.pc = 4.5; });
            else if (g.positive && !d.fact && !d.can) step(`(b) reads ${NAME[next]} at a follower: too old, reads again`, () => {});
            else step(`(b) reads ${NAME[next]}${rv < st.length - 1 ? ' at a follower, late' : ''}: ${d.claimed ? 'claimed for ' + d.claimed : d.can ? 'not due by its clock' : 'no longer claimable'}, drops it`, (x) => { x.i = next + 1; }); } } }
      if (m.pc === 4.5) { const i = m.i; const kind = i === 2 || i === 3 ? 'revclaim' : 'claim';
        acts.push(...app(s, `${who} (b) claims ${NAME[i]} for ${m.n}`, P((t) => t.L[streamOf(i)], 'L' + streamOf(i)), m.rv, [kind, `c${i}.${m.n}`, m.n, i], (t, r) => { const x = t.s[k]; x.rv = -1;
          if (r === 'ok' && m.wr >> i & 1) { x.pc = 4; } else if (r === 'ok') { x.got |= 1 << i; x.i = i + 1; x.pc = 4; } else if (r === 'conflict') x.pc = 4; else { x.pc = 4; if (!g.dropOnFact) x.i = i + 1; } })); }
      if (m.pc === 5 && m.F !== s.F[m.n - 1]) step('(c) the settlement has changed: reads again', (x) => { x.list = 0; x.pc = 1; });
      else if (m.pc === 5) { acts.push(...app(s, `${who} (c) closes settlement-${m.n} with ${names(m.got)}`, P((t) => t.T[m.n - 1], 'T' + (m.n - 1)), 0, ['closed', `k${m.n}`, m.got, m.dup], (t, r) => { const x = t.s[k]; if (r === 'unknown') idle(x); else { x.pc = 6; } }, s.unk > 0)); }
      if (m.pc === 6) step(`(d) reads settlement-${m.n} and loads the account`, (x, t) => { const c = t.T[x.n - 1][1]; if (g.storedClose) x.got = c[2]; const l = last(t); if (l >= x.n && g.nextOnly) return idle(x); if (!x.got && !g.emptyToo) return idle(x); if (l !== x.n - 1 && g.nextOnly) return idle(x); x.R = t.A.length - 1; x.pc = 7; });
      if (m.pc === 7) acts.push(...app(s, `${who} (d) appends FundsSettled(${m.n}, ${names(m.got)}${m.dup & m.got ? ', one line twice' : ''})`, P((t) => t.A, 'A'), g.nextOnly ? m.R : s.A.length - 1, ['funds', g.nextOnly ? `f${m.n}` : `f${m.n}.${k}.${s.A.length}`, m.got, m.dup & m.got, m.n], (t, r) => { const x = t.s[k]; if (r === 'conflict') x.pc = 6; else idle(x); }, s.unk > 0));
    });
    s.fl.forEach(([name2, expected, ev], j) => {
      const t = copy(s); t.fl.splice(j, 1); const st = pickers(name2)(t); const r = appendResult(st.map((e) => [e[1]]), expected, [[ev[1]]]); if (r === 'write') { st.push(ev); project(t, ev); } acts.push([`the delayed ${ev[0]} arrives at ${name2}: ${r}`, t]);
      const u = copy(s); u.fl.splice(j, 1); acts.push([`the delayed ${ev[0]} is lost`, u]);
    });
    return acts;
  }
  function bad(s) {
    let seen = 0;
    for (const T of s.T) if (T[1] && T[1][2] & T[0][4]) return `settled with another amount: ${names(T[1][2] & T[0][4])}`;
    for (const [k, e] of s.A.entries()) {
      if (e[4] !== k + 1) return `FundsSettled numbers not contiguous: ${s.A.map((x) => x[4])}`;
      if (e[3]) return `settlement ${e[4]} counts ${names(e[3])} twice`;
      if (seen & e[2]) return `${names(seen & e[2])} settled twice`; seen |= e[2];
      const T = s.T[e[4] - 1]; if (!T[1] || T[1][2] !== e[2]) return `FundsSettled ${e[4]} ${names(e[2])} differs from SettlementClosed ${T[1] ? names(T[1][2]) : 'none'}`;
    }
    for (const [i, T] of s.T.entries()) if (T[1]) { if (T[1][2] & ~T[0][2]) return `settlement ${i + 1} closed with lines it was not opened with`; }
    if (s.L[3].filter((e) => e[0] === 'paid').length > 1) return 'W is created twice';
    for (let i = 0; i < 6; i++) { const d = line$(s.L[streamOf(i)], i); if (d.claimed && s.T[d.claimed - 1][1] && !(s.T[d.claimed - 1][1][2] >> i & 1)) return `${NAME[i]} is claimed for ${d.claimed}, which closed without it: its money is lost for ever`; }
    for (const [i, T] of s.T.entries()) if (T[1] && g.claim) for (const b of bits(T[1][2])) { const d = line$(s.L[streamOf(b)], b); if (d.claimed !== i + 1) return `settlement ${i + 1} closed with ${NAME[b]}, which is not claimed for it`; }
    // rows and balances
    if (s.pend < 0) return `pending ${s.pend}: moved twice`;
    let pe = 0, av = 0; for (const i of [0, 1]) { if (s.row[i] === 'PENDING' || s.row[i] === 'PROCESSING') pe += NET[i]; if (s.row[i] === 'SETTLED') av += NET[i]; }
    if (s.row[2] === 'REVERSED') av += NET[4];
    if (s.row[3] === 'PENDING' || s.row[3] === 'PROCESSING') pe += NET[5]; if (s.row[3] === 'SETTLED') av += NET[5];
    if (pe !== s.pend || av !== s.avail) return `rows ${s.row} say pending ${pe} available ${av}; balance says pending ${s.pend} available ${s.avail}`;
    for (const h of s.hist) if (/R.*S|R.*C/.test(h)) return `a merchant sees REVERSED and then ${h}`;
    return null;
  }
  const goal = (s) => s.fl.length === 0 && s.r.every((m) => m.pc === 2) && s.s.every((m) => m.pc === 0) && s.cr.every((m) => m.pc === 2) && bits(s.ever).every((i) => { const d = line$(s.L[streamOf(i)], i); return !d.can; })
    && s.T.every((T, i) => !T.length || s.A.some((e) => e[4] === i + 1)) && bits(s.ever).every((i) => { const d = line$(s.L[streamOf(i)], i); return !d.claimed || s.A.some((e) => e[2] >> i & 1); });
  return { init, actions, bad, goal };
}
if (process.argv[1].endsWith('settle.mjs')) {
  const B = (guards, o = {}) => settleModel({ ...o, guards });
  if (process.env.OLD) {
  console.log('--- with all rules');
  run('two settlers, X and Y, X reversed at any time, crash 1, one stale list', settleModel({ crash: 1, junk: 1 }));
  run('two settlers, X, X reversed, returned payout, crash 1, one stale list', settleModel({ charges: 1, payouts: 1, crash: 1, junk: 1 }));
  run('two settlers, X and Y, both reversed, crash 0, exact lists', settleModel({ revs: [0, 1], crash: 0, junk: 0, exact: true }));
  run('two settlers, X and Y, X reversed, crash 2, two stale lists, exact otherwise', settleModel({ crash: 2, junk: 2, exact: true }));
  run('three settlers, X, X reversed, crash 1, one stale list', settleModel({ settlers: 3, charges: 1, crash: 1, junk: 1 }));
  run('two settlers, X and Y, no reversal, unknown outcome 2, crash 1', settleModel({ revs: [], unk: 2, crash: 1, junk: 0 }));
  run('two settlers, X, X reversed, unknown outcome 2, crash 1, one stale list', settleModel({ charges: 1, unk: 2, crash: 1, junk: 1 }));
  run('line streams read at followers (or a deposed leader), lines dropped only for facts found, crash 1', settleModel({ guards: { leaderReads: false }, crash: 1, junk: 1 }));
  run('… with a returned payout', settleModel({ guards: { leaderReads: false }, charges: 1, payouts: 1, crash: 1, junk: 1 }));
  console.log('--- one rule removed at a time');
  const small = { crash: 0, junk: 1 };
  run('the loser of the opening works on its own list', B({ storedList: false, storedClose: true }, small), false);
  run("SettlementOpened's id is derived from n, the list not read back", B({ freshOpenId: false }, { ...small, revs: [], junk: 0 }), false);
  run('FundsSettled from what the process claimed itself', B({ storedClose: false }, { ...small, junk: 0, revs: [], charges: 1 }), false);
  run('the account takes any number', B({ nextOnly: false }, { ...small, revs: [] }), false);
  run('an empty settlement is not passed to the account', B({ emptyToo: false }, { ...small, charges: 1 }), false);
  run('only accounts with candidates are looked at', B({ resumeOpen: false }, { ...small, crash: 1, charges: 1, revs: [] }), false);
  run('claiming asks the clock of each process', B({ noClock: false }, { ...small, revs: [] }), false);
  run('a time-out drops the line', B({ dropOnFact: false }, { ...small, charges: 1, revs: [], unk: 1 }), false);
  run('line streams read at a follower, absence drops', B({ leaderReads: false, positive: false }, { ...small, charges: 1, revs: [0] }), false);
  run('no claims', B({ claim: false }, { ...small, charges: 1, revs: [], junk: 1 }), false);
  run('a list names a line twice', B({ dedupe: false }, { ...small, charges: 1, revs: [] }), false);
  run('an empty settlement is not passed on, no stale list', B({ emptyToo: false }, { ...small, charges: 1, junk: 0 }), false);
  run('numbers from the streams that exist, not from the account', B({ numberFromAccount: false }, { ...small, revs: [] }), null);
  console.log('--- reversal and the read model');
  run('ChargeReversed moves money by the row\'s state, line again', B({ moneyByEvent: 'row' }, { charges: 1, crash: 0, junk: 0, settlers: 1 }), false);
  run('ChargeReversed moves money at once, line again', B({ moneyByEvent: 'always' }, { charges: 1, crash: 0, junk: 0, settlers: 1 }), false);
  run('row SETTLED by SettlementClosed', B({ settledBy: 'SettlementClosed' }, { charges: 1, crash: 0, junk: 0, settlers: 1 }), false);
  run('row SETTLED by ChargeSettlementClaimed', B({ settledBy: 'ChargeSettlementClaimed' }, { charges: 1, crash: 0, junk: 0, settlers: 1 }), false);
  }
  const P = (o, guards) => settleModel({ charges: 1, revs: [], junk: 0, crash: 1, settlers: 2, numbers: 4, exact: true, persons: 1, bogus: 1, ...o, guards });
  console.log('--- a person\'s fact: with all rules');
  run('refuse: W never was, X beside it, crash 1', P({}));
  run('refuse: W created and paid late by two creators, no X', P({ charges: 0, creators: 2 }));
  run('refuse: W created late, X beside it, crash 1', P({ creators: 1 }));
  run('refuse: W created late, unknown outcomes 2', P({ charges: 0, creators: 1, unk: 2 }));
  run('refuse: X listed with another amount, unknown outcomes 1', P({ bogus: 0, wrongs: 1, unk: 1 }));
  run('refuse: X listed with another amount, X reversed at any time', P({ bogus: 0, wrongs: 1, revs: [0] }));
  run('refuse: any line at any moment, X and its reversal, two persons', P({ bogus: 0, persons: 2, anyLine: true, revs: [0], crash: 0 }));
  run('refuse: any line at any moment, X and a returned payout, unknown outcomes 1', P({ bogus: 0, payouts: 1, anyLine: true, unk: 1, crash: 0 }));
  run('refuse: any line at any moment, three settlers', P({ bogus: 0, anyLine: true, settlers: 3 }));
  console.log('--- one rule removed at a time');
  run('refuse: nobody can', P({ persons: 0 }), false);
  run('refuse: nobody can, another amount', P({ bogus: 0, wrongs: 1, persons: 0 }), false);
  run('refuse: fact in the settlement\'s stream, any line', P({ bogus: 0, anyLine: true }, { factIn: 'settlement' }), false);
  run('refuse: fact in the settlement\'s stream, only lines that are waited for, W created late', P({ charges: 0, creators: 1 }, { factIn: 'settlement' }), false);
  run('refuse: fact in a stream beside while W does not exist, W created late', P({ charges: 0, creators: 1 }, { factIn: 'side' }), false);
  run('refuse: without the expected revision, any line', P({ bogus: 0, anyLine: true }, { factExpects: false }), false);
  run('refuse: without the expected revision, W created late', P({ charges: 0, creators: 1 }, { factExpects: false }), false);
  run('refuse: a claimed line, too', P({ bogus: 0, anyLine: true }, { factOnlyWaiting: false }), false);
  run('refuse: amounts compared after the claim', P({ bogus: 0, wrongs: 1 }, { amountsFirst: false }), false);
  run('refuse: amounts compared after the claim, a claimed line refused', P({ bogus: 0, wrongs: 1 }, { amountsFirst: false, factOnlyWaiting: false }), false);
  run('refuse: the fact counts for every number', P({ bogus: 0, wrongs: 1 }, { forNOnly: false }), false);
  run('refuse: creation expects no stream', P({ charges: 0, creators: 1 }, { createAfter: false }), false);
  process.exit(failed());
}
