// A record's queue: process A holds it folded and decides batches; B is another process. Changes set a value; setting the value that
// is there is "done already". Appends can lose their answer, or land late.
import { run, failed } from './mc.mjs';
export function model(o = {}) {
  const g = { expect: true, freshNoop: true, sameIds: true, dropExpired: true, ...o.guards };
  const cmds = o.cmds ?? [1, 2]; // values that requests at A set; each request may expire before it is sent
  const init = { S: [['i', 0]], RC: 0, pc: 0, fresh: false, c: cmds.map((v) => ({ v, st: 0, ans: '', seen: false })), sent: null, late: null, unk: o.unknown ?? 1, exp: o.expire ?? 1,
    b: (o.b ?? [2]).map((v) => ({ v, R: -1, st: 0 })), n: 0 };
  const copy = (s) => structuredClone(s);
  const cur = (s) => s.S.at(-1)[1];
  // seen: since it came the record was at the value, or its own fact is in the stream
  const touch = (t) => { for (const c of t.c) if (c.st > 0 && c.st < 9 && t.S.some((e, i) => e[1] === c.v && (i === t.S.length - 1 || i >= (t.sent ? t.sent.R + 1 : Infinity)))) c.seen = true; return t; };
  const tryAppend = (t, app) => { if (app.ids.every((id, i) => t.S[app.R + 1 + i]?.[0] === id)) return true; if (g.expect ? t.S.length - 1 !== app.R : false) return false; t.S.push(...app.ids.map((id, i) => [id, app.vs[i], app.who[i]])); return true; };
  function actions(s) {
    const acts = []; const step = (l, f) => { const t = copy(s); f(t); acts.push([l, touch(t)]); };
    s.c.forEach((c, j) => { if (c.st === 0) step(`request ${j} (set ${c.v}) comes`, (t) => { t.c[j].st = 1; }); });
    if (s.pc === 0 && s.c.some((c) => c.st === 1)) step(`A takes a batch on cached ${s.RC}`, (t) => { for (const c of t.c) if (c.st === 1) c.st = 2; t.pc = 1; t.fresh = false; });
    if (s.exp > 0 && s.pc === 1) s.c.forEach((c, j) => { if (c.st === 2) step(`request ${j} expires: answered nothing recorded`, (t) => { t.exp--; t.c[j].st = g.dropExpired ? 9 : 2; t.c[j].ans = 'busy'; }); });
    if (s.pc === 1) step('A decides', (t) => {
      let v = t.S[Math.min(t.RC, t.S.length - 1)][1]; const ids = [], vs = [], who = []; const noop = [];
      t.c.forEach((c, j) => { if (c.st !== 2) return; if (c.v === v) noop.push(j); else { ids.push('a' + j + ':' + t.n); vs.push(c.v); who.push(j); v = c.v; } });
      if (ids.length === 0) { if (noop.length === 0) { t.pc = 0; return; } if (!g.freshNoop || t.fresh) { for (const j of noop) { t.c[j].st = 9; if (t.c[j].ans === '') t.c[j].ans = '200'; } t.pc = 0; } else { t.RC = t.S.length - 1; t.fresh = true; } return; }
      t.n++; t.sent = { R: t.RC, ids, vs, who }; t.pc = 2; });
    if (s.pc === 2) {
      const heard = (t) => { const ok = tryAppend(t, t.sent); touch(t); if (ok) { t.RC = t.sent.R + t.sent.ids.length; for (const c of t.c) if (c.st === 2) { c.st = 9; if (c.ans === '') c.ans = '200'; } t.sent = null; t.pc = 0; } else { t.RC = t.S.length - 1; t.fresh = true; t.sent = null; t.pc = 1; } };
      step('append is answered', heard);
      if (s.unk > 0) { const again = (t) => { t.unk--; if (!g.sameIds) { t.n++; t.sent = null; t.RC = t.S.length - 1; t.fresh = true; t.pc = 1; } };
        step('append is written, its answer lost', (t) => { tryAppend(t, t.sent); touch(t); again(t); });
        step('append is lost', again);
        step('append is under way for long', (t) => { t.late = t.sent; again(t); }); }
    }
    if (s.late) step('the late append lands', (t) => { tryAppend(t, t.late); t.late = null; });
    s.b.forEach((b, j) => { if (b.st === 0) step('B reads', (t) => { t.b[j].R = t.S.length - 1; t.b[j].st = 1; });
      if (b.st === 1) step('B appends', (t) => { if (t.b[j].R === t.S.length - 1) { if (cur(t) !== b.v) t.S.push(['b' + j, b.v, 'b' + j]); t.b[j].st = 9; } else t.b[j].st = 0; }); });
    return acts;
  }
  const bad = (s) => { for (const [j, c] of s.c.entries()) { const n = s.S.filter((e) => e[2] === j).length;
      if (n > 1) return `request ${j} applied ${n} times`;
      if (c.ans === '200' && !c.seen && n === 0) return `request ${j} answered 200, and the record never was ${c.v} since it came`;
      if (c.ans === 'busy' && n > 0) return `request ${j} answered nothing recorded, and it was`; }
    // an event that changes nothing was decided on another state than the one it follows
    for (let i = 1; i < s.S.length; i++) if (s.S[i][1] === s.S[i - 1][1]) return 'decided on another state than it follows';
    return null; };
  const goal = (s) => s.c.every((c) => c.st === 9) && s.b.every((b) => b.st === 9) && s.pc === 0 && !s.late;
  return { init, actions, bad, goal };
}
run('two requests in A, one in B, one unknown outcome, one that expires', model());
run('three requests in A, two in B', model({ cmds: [1, 2, 1], b: [2, 1] }));
run('equal requests in A, two unknown outcomes', model({ cmds: [1, 1, 2], unknown: 2 }));
run('appends expect nothing', model({ guards: { expect: false } }), false);
run('done already is answered from what was folded before', model({ guards: { freshNoop: false }, cmds: [1, 1], b: [2], expire: 0 }), false);
run('new ids after an unknown outcome', model({ guards: { sameIds: false }, cmds: [1, 2], b: [2, 3] }), false);
run('who was told that nothing was recorded is decided all the same', model({ guards: { dropExpired: false } }), false);
process.exit(failed());
