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
process.exit(failed());
