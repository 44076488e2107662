// batch.mjs and payout.mjs (steps 1-6) over a store that may lose its newest events while processes hold what they have folded, and
// then grows again. Two processes cache the account; the log is one, so that a loss takes the payout streams' newest events too.
import { run, failed } from './mc.mjs';
export function rewindModel(o = {}) {
  const g = { appendId: true, refreshId: true, reread: true, confirmRefusal: true, ...o.guards };
  const AMT = 6;
  const reqs = o.reqs ?? [[0, 0], [1, 1]]; // [process, payout]
  const init = { L: [['A', 'f0', 'Funds', -1, o.funds ?? 10]], n: 0, lost: o.losses ?? 1, more: o.more ?? 1, spend: o.spend ?? 1,
    c: [[], []], fresh: [false, false], cur: [-1, -1], w: o.worker ?? 1,
    r: reqs.map(([pr, p]) => ({ pr, p, st: 0, ans: '', short: false })) };
  const copy = (s) => ({ ...s, L: s.L.slice(), c: s.c.map((x) => x.slice()), fresh: s.fresh.slice(), cur: s.cur.slice(), r: s.r.map((x) => ({ ...x })) });
  const acc = (L) => L.filter((e) => e[0] === 'A');
  const reg = (L, p) => L.some((e) => e[0] === 'P' + p);
  const fold = (A) => { let avail = 0, neg = false; const open = [false, false, false];
    for (const [, , t, p, amt] of A) { if (t === 'Funds') avail += amt; if (t === 'Requested') { avail -= AMT; open[p] = true; } if (t === 'Spent') avail -= AMT; if (t === 'Succeeded') open[p] = false; if (avail < 0) neg = true; }
    return { avail, open, neg }; };
  const touch = (t) => { const av = fold(acc(t.L)).avail; for (const x of t.r) if (x.st > 0 && x.st < 9 && av < AMT) x.short = true; return t; };
  const same = (a, b) => a && b && a[1] === b[1];
  const refresh = (t, pr) => { const A = acc(t.L), c = t.c[pr]; // from the newest folded event on
    if (g.refreshId ? c.length === 0 || same(A[c.length - 1], c[c.length - 1]) : A.length >= c.length) t.c[pr] = [...c, ...A.slice(c.length)]; else t.c[pr] = A; t.fresh[pr] = true; };
  function actions(s) {
    const acts = []; const step = (l, f) => { const t = copy(s); f(t); acts.push([l, touch(t)]); };
    const A = acc(s.L), f = fold(A);
    s.r.forEach((x, j) => { const N = 'AB'[x.pr], set = (t, st) => { t.r[j].st = st; if (st === 9) t.cur[x.pr] = -1; };
      if (x.st === 0 && s.cur[x.pr] < 0) step(`${N}: request for payout ${x.p}`, (t) => { t.cur[x.pr] = j; if (reg(t.L, x.p)) { t.r[j].ans = '201'; set(t, 9); } else { set(t, 2); t.r[j].short = false; t.fresh[x.pr] = false; if (!t.c[x.pr].length) refresh(t, x.pr); } });
      if (x.st === 2) step(`${N}: reads payout ${x.p} again`, (t) => { if (g.reread && reg(t.L, x.p)) { t.r[j].ans = '201'; set(t, 9); } else set(t, 3); });
      if (x.st === 3) { const k = fold(s.c[x.pr]);
        if (k.open[x.p]) step(`${N}: has it open`, (t) => { if (s.fresh[x.pr]) set(t, 5); else { refresh(t, x.pr); set(t, 2); } });
        else if (k.avail >= AMT) step(`${N}: accepts on ${s.c[x.pr].length} events`, (t) => set(t, 4));
        else if (g.confirmRefusal && !s.fresh[x.pr]) step(`${N}: would refuse, looks again`, (t) => { refresh(t, x.pr); set(t, 2); });
        else step(`${N}: refuses`, (t) => { t.r[j].ans = '422'; set(t, 9); }); }
      if (x.st === 4) { const c = s.c[x.pr], ok = A.length === c.length && (!g.appendId || c.length === 0 || same(A[A.length - 1], c[c.length - 1]));
        step(`${N}: appends expecting ${c.length - 1}${g.appendId ? ' ' + c[c.length - 1]?.[1] : ''}: ${ok ? 'written' : 'conflict'}`, (t) => { if (ok) { const e = ['A', 'q' + t.n++, 'Requested', x.p]; t.L.push(e); t.c[x.pr].push(e); set(t, 5); } else { refresh(t, x.pr); set(t, 2); } }); }
      if (x.st === 5) step(`${N}: registers payout ${x.p}, answers`, (t) => { if (!reg(t.L, x.p)) t.L.push(['P' + x.p, 'r', 'Registered']); t.r[j].ans = '201'; set(t, 9); });
    });
    for (const p of [0, 1]) if (s.w && f.open[p]) { if (!reg(s.L, p)) step(`rail registers payout ${p}`, (t) => t.L.push(['P' + p, 'r', 'Registered'])); else step(`rail: payout ${p} succeeded`, (t) => t.L.push(['A', 'd' + t.n++, 'Succeeded', p])); }
    if (s.more) step('another process settles 10', (t) => { t.more--; t.L.push(['A', 'f' + ++t.n, 'Funds', -1, 10]); });
    if (s.spend && f.avail >= AMT) step('another process, which has just read, spends 6', (t) => { t.spend--; t.L.push(['A', 'x' + t.n++, 'Spent']); });
    if (s.lost) for (let k = 1; k < s.L.length; k++) step(`THE STORE LOSES ITS NEWEST ${k}`, (t) => { t.lost--; t.L.length -= k; });
    return acts;
  }
  const bad = (s) => { const A = acc(s.L), f = fold(A); if (f.neg) return 'available below zero';
    for (const p of [0, 1]) if (A.filter((e) => e[2] === 'Requested' && e[3] === p).length > 1) return `payout ${p} requested twice`;
    for (const x of s.r) if (x.ans === '422' && !x.short) return `payout ${x.p} refused for funds although enough was there from its start to its answer`; };
  const goal = (s) => s.r.every((x) => x.st === 9) && fold(acc(s.L)).open.every((x) => !x);
  return { init, actions, bad, goal };
}
// What is decided from one stream and written to another: payouts that are registered, ended and returned, with a loss at any moment. Two
// processes each take a request, register what they have appended, and are the rail: each step reads one stream and appends to another.
// An append names, beside the event that it follows, the newest event of the other stream: the engine compares that, too.
export function acrossModel(o = {}) {
  const g = { register: true, end: true, return: true, ...o.guards };
  const init = { L: [['A', 'f', 'Funds']], n: 0, lost: o.losses ?? 1, crash: o.crash ?? 0, x: [0, 1].map(() => ({ pc: 0, at: '', q: '' })) };
  const copy = (s) => ({ ...s, L: s.L.slice(), x: s.x.map((y) => ({ ...y })) });
  const of = (L, st) => L.filter((e) => e[0] === st), newest = (L, st) => of(L, st).at(-1)?.[1] ?? '';
  const find = (L, t) => L.find((e) => e[2] === t);
  const idle = { pc: 0, at: '', on: '', q: '' };
  function actions(s) {
    const acts = [];
    s.x.forEach((m, k) => { const N = 'AB'[k]; const step = (l, f) => { const t = copy(s); f(t.x[k], t); acts.push([`${N}: ${l}`, t]); };
      const L = s.L, A = newest(L, 'A'), P = newest(L, 'P'), q = find(L, 'Requested'), r = find(L, 'Registered'), e = find(L, 'Succeeded'), b = find(L, 'Returned');
      // `at`: the event that the append follows; `on`: the event of the other stream; `q`: what the answer and the copy are made of.
      // After a conflict it is decided again on what stands there then, and rests on what it rested on.
      const append = (st, type, rests, data, then, again = () => false) => { const stands = !rests || L.some((x) => x[1] === m.on), is = newest(L, st) === m.at;
        step(`appends ${type} behind ${m.at || 'nothing'}, resting on ${m.on}: ${!stands ? 'refused' : is ? 'written' : 'conflict'}`, (x, t) => { if (stands && is) { const id = 'e' + t.n++; t.L.push([st, id, type, data]); then(x, id); } else if (stands && again(t.L)) x.at = newest(t.L, st); else Object.assign(x, idle); }); };
      if (m.pc === 0) {
        if (!q) step('reads the account: nothing is requested', (x) => Object.assign(x, { pc: 1, at: A }));
        if (q && !r) step('reads the request', (x) => Object.assign(x, { pc: 2, on: A, q: q[1], at: P }));
        if (r && !e) step('reads the registration and the account', (x) => Object.assign(x, { pc: 3, on: P, q: r[3], at: A }));
        if (e && r && !b) step('reads the ending and the payout', (x) => Object.assign(x, { pc: 4, on: A, q: r[3], at: P }));
      } else if (s.crash > 0) step('crashes', (x, t) => { t.crash--; Object.assign(x, idle); });
      if (m.pc === 1) append('A', 'Requested', false, '', (x, id) => Object.assign(x, { pc: 2, on: id, q: id, at: '' }));
      if (m.pc === 2) append('P', 'Registered', g.register, m.q, (x, id) => Object.assign(x, { pc: 3, on: id, at: newest(s.L, 'A') }));
      if (m.pc === 3) append('A', 'Succeeded', g.end, m.q, (x, id) => Object.assign(x, { pc: 4, on: id, at: newest(s.L, 'P') }), (L) => find(L, 'Requested') && !find(L, 'Succeeded'));
      if (m.pc === 4) append('P', 'Returned', g.return, m.q, (x) => Object.assign(x, idle), (L) => find(L, 'Registered') && !find(L, 'Returned'));
    });
    if (s.lost) for (let k = 1; k < s.L.length; k++) { const t = copy(s); t.lost--; t.L.length -= k; acts.push([`THE STORE LOSES ITS NEWEST ${k}`, t]); }
    return acts;
  }
  const bad = ({ L }) => { for (const [i, e] of L.entries()) { const before = L.slice(0, i);
    if (e[2] === 'Registered' && !before.some((x) => x[2] === 'Requested' && x[1] === e[3])) return 'registered without its request';
    if (e[2] === 'Succeeded' && !find(before, 'Registered')) return 'ended without being registered';
    if (e[2] === 'Returned' && !find(before, 'Succeeded')) return 'returned without having succeeded'; } };
  const goal = ({ L }) => !!find(L, 'Returned');
  return { init, actions, bad, goal };
}
// The same for settlements: two charges, two processes that open, claim, close and settle; settled twice is what must never be.
export function settleRewindModel(o = {}) {
  const g = { open: true, claim: true, close: true, closeOpened: true, settle: true, ...o.guards };
  const lines = o.lines ?? ['X', 'Y'], all = (1 << lines.length) - 1, idle = { pc: 0, n: 0, at: '', on: [], list: 0, got: 0, i: 0, fact: 0 };
  const init = { L: lines.map((l) => [l, 'p' + l, 'paid', 0, 0]), n: 0, lost: o.losses ?? 1, x: Array.from({ length: o.settlers ?? 2 }, () => ({ ...idle })) };
  const copy = (s) => ({ ...s, L: s.L.slice(), x: s.x.map((y) => ({ ...y })) });
  const of = (L, st) => L.filter((e) => e[0] === st), newest = (L, st) => of(L, st).at(-1)?.[1] ?? '';
  const bits = (m) => lines.map((_, i) => i).filter((i) => m >> i & 1), names = (m) => '{' + bits(m).map((i) => lines[i]).join() + '}';
  const claimedIn = (L, i) => of(L, lines[i]).find((e) => e[2] === 'claim')?.[3] ?? 0;
  const last = (L) => of(L, 'A').length;
  function actions(s) {
    const acts = [], { L } = s;
    const free = bits(all).filter((i) => !claimedIn(L, i)).reduce((m, i) => m | 1 << i, 0);
    s.x.forEach((m, k) => { const step = (l, f) => { const t = copy(s); f(t.x[k], t); acts.push([`S${k + 1}: ${l}`, t]); };
      const append = (st, type, rests, mask, then, lost = (x) => Object.assign(x, idle)) => { const on = !rests ? [] : type !== 'closed' ? m.on : m.on.filter((id) => id === m.fact ? g.closeOpened : g.close), stands = on.every((id) => L.some((x) => x[1] === id)), is = newest(L, st) === m.at;
        step(`appends ${type} to ${st} behind ${m.at || 'nothing'}, resting on ${on}: ${!stands ? 'refused' : is ? 'written' : 'conflict'}`, (x, t) => { if (stands && is) { const id = 'e' + t.n++; t.L.push([st, id, type, m.n, mask]); then(x, id); } else if (stands) lost(x); else Object.assign(x, idle); }); };
      const work = (x, e, id) => Object.assign(x, { pc: 3, list: e, got: 0, i: 0, fact: id, on: [id] });
      if (m.pc === 0) { const n = last(L) + 1, S = of(L, 'S' + n);
        if (S[1]) step(`reads settlement ${n}: closed`, (x) => Object.assign(x, { pc: 6, n, on: [S[1][1]], list: S[1][4], at: newest(L, 'A') }));
        else if (S[0]) step(`reads settlement ${n}: opened with ${names(S[0][4])}`, (x) => { x.n = n; work(x, S[0][4], S[0][1]); });
        else for (let mask = 1; mask <= free; mask++) if ((mask & free) === mask) step(`lists ${names(mask)} for ${n}`, (x) => Object.assign(x, { pc: 1, n, at: '', list: mask, on: newest(L, 'A') ? [newest(L, 'A')] : [] })); }
      if (m.pc === 1) append('S' + m.n, 'opened', g.open, m.list, (x, id) => work(x, m.list, id));
      if (m.pc === 3) { const i = bits(m.list).find((j) => j >= m.i);
        if (i === undefined) step('has all lines, reads the settlement again', (x) => { const [opened, closed] = of(L, 'S' + m.n); Object.assign(x, !opened || closed ? idle : { pc: 5, at: opened[1] }); });
        else step(`reads ${lines[i]}`, (x) => { const c = claimedIn(L, i); if (c === 0) Object.assign(x, { pc: 4, i, at: newest(L, lines[i]) }); else { if (c === m.n) { x.got |= 1 << i; x.on = [...m.on, newest(L, lines[i])]; } x.i = i + 1; } }); }
      if (m.pc === 4) { const rests = [m.fact], t = { ...m, on: rests };
        const stands = !g.claim || L.some((x) => x[1] === m.fact), is = newest(L, lines[m.i]) === t.at;
        step(`claims ${lines[m.i]} for ${m.n}, resting on ${m.fact}: ${!stands ? 'refused' : is ? 'written' : 'conflict'}`, (x, u) => { if (!stands) Object.assign(x, idle); else if (!is) x.pc = 3; else { const id = 'e' + u.n++; u.L.push([lines[m.i], id, 'claim', m.n, 0]); x.got |= 1 << m.i; x.on = [...m.on, id]; x.i = m.i + 1; x.pc = 3; } }); }
      if (m.pc === 5) append('S' + m.n, 'closed', true, m.got, (x, id) => Object.assign(x, { pc: 6, on: [id], list: m.got, at: newest(s.L, 'A') }));
      if (m.pc === 6) { if (last(L) + 1 !== m.n) step('finds that the account has it, or is not there yet', (x) => Object.assign(x, idle)); else append('A', 'funds', g.settle, m.list, (x) => Object.assign(x, idle), (x) => { x.at = newest(L, 'A'); }); }
    });
    if (s.lost) for (let k = 1; k <= s.L.length - lines.length; k++) { const t = copy(s); t.lost--; t.L.length -= k; acts.push([`THE STORE LOSES ITS NEWEST ${k}`, t]); }
    return acts;
  }
  const bad = ({ L }) => { const settled = [];
    for (const [k, e] of L.entries()) { const before = L.slice(0, k), S = of(before, 'S' + e[3]);
      if (e[2] === 'claim') { if (!S[0] || !bits(S[0][4]).some((i) => lines[i] === e[0])) return `${e[0]} is claimed for ${e[3]}, which is not opened with it`; if (S[1]) return `${e[0]} is claimed for ${e[3]}, which has closed without it: lost for ever`; if (of(before, e[0]).some((x) => x[2] === 'claim')) return 'claimed twice'; }
      if (e[2] === 'closed') { const c = bits(all).filter((i) => claimedIn(before, i) === e[3]).reduce((m, i) => m | 1 << i, 0); if (c !== e[4]) return `closes with ${names(e[4])}, claimed are ${names(c)}`; if (e[4] & ~S[0][4]) return 'closes with a line that it was not opened with'; }
      if (e[2] === 'funds') { if (!S[1] || S[1][4] !== e[4]) return `the account takes settlement ${e[3]}, which is not closed so`; for (const i of bits(e[4])) { if (settled[i]) return `${lines[i]} is settled twice`; settled[i] = true; } }
      if (e[2] === 'opened' && last(before) < e[3] - 1) return `settlement ${e[3]} is opened before the account has the one before`; } };
  const goal = ({ L }) => of(L, 'A').reduce((m, e) => m | e[4], 0) === all;
  return { init, actions, bad, goal };
}
console.log('--- ids compared by the append and by what is read after it');
run('two processes, two payouts, one loss', rewindModel());
run('one payout asked for in both, one loss', rewindModel({ reqs: [[0, 0], [1, 0]] }));
run('two requests one after the other in one process, one in another, one loss', rewindModel({ reqs: [[0, 0], [0, 1], [1, 0]], more: 0, spend: 0, funds: 20 }));
run('two processes, two losses', rewindModel({ losses: 2, more: 0 }));
run('no loss (as before)', rewindModel({ losses: 0 }));
console.log('--- one rule removed at a time');
run('the append compares the revision alone', rewindModel({ guards: { appendId: false } }), false);
run('the append compares the revision alone, one process', rewindModel({ guards: { appendId: false }, reqs: [[0, 0], [0, 1]] }), false);
run('what was folded is added to without a look at its newest event', rewindModel({ guards: { refreshId: false } }), false);
run('the same, one process', rewindModel({ guards: { refreshId: false }, reqs: [[0, 0], [0, 1]] }), false);
run('payout stream not read again', rewindModel({ guards: { reread: false }, reqs: [[0, 0], [1, 0]] }), false);
console.log('--- what is written to another stream than it was decided from');
run('payouts: two processes, one loss', acrossModel());
run('payouts: two losses, one crash', acrossModel({ losses: 2, crash: 1 }));
run('settlements: two processes, one loss', settleRewindModel());
run('settlements: one process, two losses', settleRewindModel({ settlers: 1, losses: 2 }));
run('settlements: three processes, one charge, two losses', settleRewindModel({ settlers: 3, lines: ['X'], losses: 2 }));
console.log('--- one rule removed at a time');
for (const rule of ['register', 'end', 'return']) run(`payouts: ${rule} rests on nothing`, acrossModel({ guards: { [rule]: false } }), false);
for (const rule of ['open', 'claim', 'close', 'closeOpened', 'settle']) run(`settlements: ${rule} rests on nothing`, settleRewindModel({ guards: { [rule]: false } }), false);
process.exit(failed());
