// The module that specs import as '@jest/globals'. Modules stay for all specs of a process, and Jest creates these globals anew for each
// spec: each export stands for the global in force.
import { inForce } from './spec-runner.mjs';

const standIn = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, args) => inForce()[name](...args),
    get: (_target, key) => inForce()[name][key],
  });

export const afterAll = standIn('afterAll');
export const afterEach = standIn('afterEach');
export const beforeAll = standIn('beforeAll');
export const beforeEach = standIn('beforeEach');
export const describe = standIn('describe');
export const expect = standIn('expect');
export const it = standIn('it');
export const test = standIn('test');
