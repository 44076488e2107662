// The queue of an account: commands are decided in batches against the folded state in memory, one append for many payouts. Process A
// keeps the account folded up to revision RC; process B is an ordinary second process. The folded state knows open payouts only.
import { run, failed, appendResult } from './mc.mjs';

export function batchModel(o = {}) {
  const g = {
    look: true,           // payout-<id> is read AFTER the batch's base revision is fixed
    lookAgain: 'named',   // and after a reload those are read again that the added events name ('all', or 'none')
    arrival: false,       // payout-<id> is read when the request comes
    confirmRefusal: true, // a refusal is answered only against an account loaded after the request came (a cached one is reloaded first)
    refuseAfter: true,    // a refusal that rests on an acceptance of the same batch is answered only after that append succeeded
    sequential: true,     // each command of a batch is decided on the state left by the one before
    ...o.guards,
  };
  const cmds = o.cmds ?? [0, 0, 1]; // payout ids of the requests that come to process A (0, 0: the same key twice)
  const AMT = 6;
  const init = {
    A: [['f', 'Funds', -1, o.funds ?? 10]], P: [[], []], RC: 0, fresh: false, pc: 0, i: 0,
    c: cmds.map((p) => ({ p, st: 0, ans: '', short: false, look: false })),
    w: { cp: 0, pc: 0, p: -1 },           // the rail worker; inA: its commands pass through A's queue too
    b: o.b ? { pc: 1, R: -1 } : null,     // an equal request for payout 0 in process B, step by step as in payout.mjs
    more: o.more ?? 0,                    // settlements by another process that may still bring 10 each
  };
  const inA = o.workerInA ?? true;
  const copy = (s) => ({ ...s, A: s.A.slice(), P: s.P.map((x) => x.slice()), c: s.c.map((x) => ({ ...x })), w: { ...s.w }, b: s.b && { ...s.b } });
  const fold = (A, R = A.length - 1) => { let avail = 0; const open = [null, null]; let neg = false;
    for (let i = 0; i <= R; i++) { const [, t, p, amt] = A[i]; if (t === 'Funds') avail += amt; else if (t === 'Requested') { avail -= AMT; open[p] = 'PENDING'; if (avail < 0) neg = true; } else if (t === 'Submitted') open[p] = 'PROCESSING'; else if (t === 'Succeeded') open[p] = null; }
    return { avail, open, neg }; };
  const touch = (t) => { const av = fold(t.A).avail; for (const c of t.c) if (c.st > 0 && c.st < 9 && av < AMT) c.short = true; return t; };
  /** Folds on what was added. Who is in the batch is at state 2. */
  const reload = (t) => { const added = t.A.slice(t.RC + 1); for (const c of t.c) if (c.st === 2) c.look = g.lookAgain === 'all' || (g.lookAgain === 'named' && added.some((e) => e[2] === c.p)); t.RC = t.A.length - 1; t.fresh = true; t.i = 0; t.pc = 1; };
  function actions(s) {
    const acts = []; const step = (l, f) => { const t = copy(s); f(t); acts.push([l, touch(t)]); };
    s.c.forEach((c, j) => { if (c.st === 0) step(`request#${j} (payout ${c.p}) comes to A: ${g.arrival ? 'reads payout stream' : ''}${g.arrival && s.P[c.p][0] ? ': exists' : ', queues'}`, (t) => { const x = t.c[j]; if (g.arrival && t.P[c.p][0]) { x.st = 9; x.ans = '201'; } else { x.st = 1; x.short = false; } }); });
    const batch = s.c.map((c, j) => j).filter((j) => s.c[j].st === 2);
    if (s.pc === 0 && s.c.some((c) => c.st === 1)) step(`A starts a batch at cached revision ${s.RC}`, (t) => { for (const c of t.c) if (c.st === 1) { c.st = 2; c.look = g.look; } t.pc = 1; t.i = 0; t.fresh = false; });
    if (s.pc === 1) { const j = batch[s.i]; if (j === undefined) step('A has read all payout streams', (t) => { t.pc = 2; t.i = 0; }); else if (!s.c[j].look) step(`A need not read payout ${s.c[j].p}`, (t) => { t.i++; }); else step(`A reads payout ${s.c[j].p}`, (t) => { const x = t.c[j]; if (t.P[x.p][0]) { x.st = 9; x.ans = '201'; } else t.i++; }); }
    if (s.pc === 2) { // decide
      const f = fold(s.A, s.RC); let av = f.avail; const open = f.open.slice(); const acc = [], ref = [], reg = [];
      for (const j of batch) { const p = s.c[j].p; if (open[p]) { reg.push(j); continue; } if (av >= AMT) { acc.push(j); if (g.sequential) { av -= AMT; open[p] = 'PENDING'; } } else ref.push(j); }
      if (ref.length && g.confirmRefusal && !s.fresh && !(g.refuseAfter && acc.length)) step('A would refuse: reloads the account first', (t) => { reload(t); });
      else step(`A decides at revision ${s.RC}: accepts [${acc}], refuses [${ref}], open [${reg}]`, (t) => { for (const j of ref) if (g.refuseAfter && acc.length) t.c[j].st = 5; else { t.c[j].st = 9; t.c[j].ans = '422'; } for (const j of reg) t.c[j].st = 4; for (const j of acc) t.c[j].st = 3; t.i = 0; t.pc = acc.length ? 3 : 5; });
    }
    if (s.pc === 3) { const js = s.c.map((c, j) => j).filter((j) => s.c[j].st === 3); const evs = js.map((j) => [`q${j}`, 'Requested', s.c[j].p]);
      step(`A appends Requested[${js.map((j) => s.c[j].p)}] expecting ${s.RC}: ${appendResult(s.A, s.RC, evs)}`, (t) => { const r = appendResult(t.A, t.RC, evs);
        if (r === 'conflict') { for (const j of js) t.c[j].st = 2; for (const c of t.c) if (c.st === 4 || c.st === 5) c.st = 2; reload(t); } else { t.A.push(...evs); t.RC += evs.length; for (const j of js) t.c[j].st = 4; touch(t); for (const c of t.c) if (c.st === 5) { c.st = 9; c.ans = '422'; } t.pc = 5; } }); }
    if (s.pc === 5) { const j = s.c.findIndex((c) => c.st === 4); if (j < 0) step('A ends the batch', (t) => { t.pc = 0; t.fresh = false; }); else step(`A registers payout ${s.c[j].p}, answers #${j}`, (t) => { if (!t.P[t.c[j].p][0]) t.P[t.c[j].p].push(['r', 'Registered']); t.c[j].st = 9; t.c[j].ans = '201'; }); }
    // the worker: registers, submits, finishes. In A its appends pass through the same queue (only between batches) and advance the cache.
    { const w = s.w; const free = !inA || s.pc === 0; const e = s.A[w.cp + 1];
      const append = (ev) => { const exp = inA ? s.RC : s.A.length - 1; step(`worker${inA ? ' (in A)' : ''} appends ${ev[1]}(${ev[2]}) expecting ${exp}: ${exp === s.A.length - 1 ? 'write' : 'conflict'}`, (t) => { if (exp === t.A.length - 1) { t.A.push(ev); if (inA) t.RC++; t.w.cp++; } else if (inA) t.RC = t.A.length - 1; }); };
      if (e) { if (e[1] === 'Requested') { const st = fold(s.A).open[e[2]]; if (!s.P[e[2]][0]) step(`worker registers payout ${e[2]}`, (t) => t.P[e[2]].push(['r', 'Registered'])); else if (st === 'PENDING' && free) append(['s', 'Submitted', e[2]]); else if (st !== 'PENDING') step('worker passes', (t) => { t.w.cp++; }); }
        else if (e[1] === 'Submitted') { if (fold(s.A).open[e[2]] === 'PROCESSING') { if (free) append(['d', 'Succeeded', e[2]]); } else step('worker passes', (t) => { t.w.cp++; }); }
        else step('worker passes', (t) => { t.w.cp++; }); } }
    if (s.b) { const b = s.b;
      if (b.pc === 1) step('B: 1 reads payout 0', (t) => { t.b.pc = t.P[0][0] ? 9 : 2; });
      if (b.pc === 2) step('B: 2 loads the account', (t) => { t.b.R = t.A.length - 1; t.b.pc = 3; });
      if (b.pc === 3) step('B: 3 reads payout 0 again', (t) => { const f = fold(t.A, t.b.R); t.b.pc = t.P[0][0] ? 9 : f.open[0] ? 6 : f.avail < AMT ? 9 : 5; });
      if (b.pc === 5) step(`B: 5 appends expecting ${b.R}: ${b.R === s.A.length - 1 ? 'write' : 'conflict'}`, (t) => { if (t.b.R === t.A.length - 1) { t.A.push(['b', 'Requested', 0]); t.b.pc = 6; } else { t.b.pc = 2; t.b.R = -1; } });
      if (b.pc === 6) step('B: 6 registers', (t) => { if (!t.P[0][0]) t.P[0].push(['r', 'Registered']); t.b.pc = 9; }); }
    if (s.more > 0) step('another process settles 10', (t) => { t.more--; t.A.push(['f' + t.more, 'Funds', -1, 10]); });
    return acts;
  }
  const bad = (s) => { const f = fold(s.A); if (f.neg) return 'available below zero';
    for (const p of [0, 1]) if (s.A.filter((e) => e[1] === 'Requested' && e[2] === p).length > 1) return `payout ${p} requested twice`;
    for (const [j, c] of s.c.entries()) if (c.ans === '422' && !c.short) return `request#${j} refused for funds although enough was there from its start to its answer`;
    return null; };
  const goal = (s) => s.c.every((c) => c.st === 9) && (!s.b || s.b.pc === 9) && s.pc === 0 && fold(s.A).open.every((x) => !x);
  return { init, actions, bad, goal };
}
run('same key x2 + other key in A, worker in A', batchModel());
run('same key x2 + other key in A, worker elsewhere', batchModel({ workerInA: false }));
run('same key x2 + other key in A, an equal request in B, worker in A, late money', batchModel({ b: true, more: 1 }));
run('same key x2 + other key in A, an equal request in B, worker elsewhere', batchModel({ b: true, workerInA: false, funds: 20 }));
run('three of one key in A, one in B, worker elsewhere, late money', batchModel({ cmds: [0, 0, 0], b: true, workerInA: false, more: 1 }));
run('all are read again after a reload, and on arrival', batchModel({ guards: { lookAgain: 'all', arrival: true }, b: true, workerInA: false, funds: 20 }));
run('payout stream read on arrival only, worker in A', batchModel({ guards: { look: false, lookAgain: 'none', arrival: true }, cmds: [0, 0], funds: 20 }), false);
run('payout stream read on arrival only, worker elsewhere', batchModel({ guards: { look: false, lookAgain: 'none', arrival: true }, cmds: [0, 0, 1], funds: 20, workerInA: false }), false);
run('payout stream read after a reload only', batchModel({ guards: { look: false }, cmds: [0, 0], funds: 20 }), false);
run('payout stream not read again after a reload', batchModel({ guards: { lookAgain: 'none' }, cmds: [0, 1], b: true, workerInA: false, funds: 30 }), false);
run('refusals answered from the cached state', batchModel({ guards: { confirmRefusal: false }, cmds: [0], funds: 0, more: 1 }), false);
run('refusals answered before the append they rest on', batchModel({ guards: { refuseAfter: false }, cmds: [0, 1], more: 1 }), false);
run('a batch decided on one base for all', batchModel({ guards: { sequential: false }, cmds: [0, 1] }), false);
run('a batch decided on one base for all, equal keys', batchModel({ guards: { sequential: false }, cmds: [0, 0], funds: 20 }), false);
process.exit(failed());
