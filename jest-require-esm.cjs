// Jest cannot require() an ES module on Node < 24.9 (Node itself can, since 20.19).
// CommonJS packages that require ESM-only packages (light-my-request -> cookie,
// @fastify/static -> content-disposition) would break in Jest only. So: when Jest asks
// for a node_modules file *as CommonJS* and it is ESM, swc compiles it; else untouched.
const { transformSync } = require('@swc/core');
const esm = /^\s*(?:import\s*[\w{*'"]|export\s*(?:[{*]|default|const|let|var|function|class|async))/m;
module.exports = {
  process(code, filename, options) {
    if (options.supportsStaticESM || !esm.test(code)) return { code };
    return transformSync(code, {
      filename,
      swcrc: false,
      configFile: false,
      sourceMaps: 'inline',
      jsc: { parser: { syntax: 'ecmascript' }, target: 'es2022' },
      module: { type: 'commonjs', ignoreDynamic: true },
    });
  },
};
