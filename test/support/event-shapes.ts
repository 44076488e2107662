import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The shape of a value: the name of a type, `a | b`, a literal as JSON; `[element]`; an object by field, a `?` behind those that may be absent. */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

const CATALOGUE = '../../src/ledger/catalogue.ts';

/** The shape of each type's data as the compiler knows it, which holds every writer to it. */
export function shapesOfToday(): Map<string, Shape> {
  const { checker, type: events, shapeOf } = typeIn(CATALOGUE, 'LedgerEvent');
  const field = (type: ts.Type, name: string): ts.Type => checker.getTypeOfSymbol(type.getProperty(name)!);
  const each = events.isUnion() ? events.types : [events];
  return new Map(each.map((event) => [(field(event, 'type') as ts.StringLiteralType).value, shapeOf(field(event, 'data'))]));
}

/** The shape of the exported type `name` of a source file; `path` is relative to this file. */
export function shapeOfType(path: string, name: string): Shape {
  const { type, shapeOf } = typeIn(path, name);
  return shapeOf(type);
}

function typeIn(
  path: string,
  name: string,
): { readonly checker: ts.TypeChecker; readonly type: ts.Type; readonly shapeOf: (type: ts.Type) => Shape } {
  const file = fileURLToPath(new URL(path, import.meta.url));
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const exports = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!);
  const declared = checker.getDeclaredTypeOfSymbol(exports.find((each) => each.name === name)!);

  function shapeOf(type: ts.Type): Shape {
    if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
    if (type.isUnion()) {
      const members = type.types.map(shapeOf);
      return members.every((member) => typeof member === 'string')
        ? members.sort().join(' | ')
        : Object.fromEntries(members.map((member, index) => [`either ${index + 1}`, member]));
    }
    if (!(type.flags & ts.TypeFlags.Object)) return checker.typeToString(type);
    if (checker.isArrayType(type)) return [shapeOf(checker.getTypeArguments(type as ts.TypeReference)[0]!)];
    if (checker.isTupleType(type))
      return Object.fromEntries(checker.getTypeArguments(type as ts.TypeReference).map((element, index) => [`[${index}]`, shapeOf(element)]));
    const byName = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (byName) return { '[name]': shapeOf(byName) };
    const fields = type.getProperties().map((property): [string, Shape] => {
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const of = checker.getTypeOfSymbol(property);
      return [isOptional ? `${property.name}?` : property.name, shapeOf(isOptional ? checker.getNonNullableType(of) : of)];
    });
    return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  return { checker, type: declared, shapeOf };
}

/** Lists the places in which `value` is not of `shape`; empty when it is. */
export function misfits(value: unknown, shape: Shape, path = 'data'): string[] {
  if (typeof shape === 'string')
    return shape.split(' | ').some((one) => isOne(value, one)) ? [] : [`${path} is ${JSON.stringify(value)}, not ${shape}`];
  if (Array.isArray(shape)) {
    const [element] = shape as readonly [Shape];
    return Array.isArray(value) ? value.flatMap((each, index) => misfits(each, element, `${path}[${index}]`)) : [`${path} is no list`];
  }
  const fields = shape as { readonly [field: string]: Shape };
  if (typeof value !== 'object' || value === null) {
    const misfit = [`${path} is ${JSON.stringify(value)}`];
    return 'either 1' in fields && Object.values(fields).some((one) => misfits(value, one, path).length === 0) ? [] : misfit;
  }
  if ('either 1' in fields)
    return Object.values(fields).some((one) => misfits(value, one, path).length === 0) ? [] : [`${path} is none of its kinds`];
  const given = value as Record<string, unknown>;
  if ('[name]' in fields) return Object.entries(given).flatMap(([name, each]) => misfits(each, fields['[name]']!, `${path}.${name}`));
  const known = new Set(Object.keys(fields).map((name) => name.replace('?', '')));
  return [
    ...Object.keys(given).flatMap((name) => (known.has(name) ? [] : [`${path}.${name} is unknown`])),
    ...Object.entries(fields).flatMap(([name, one]) => {
      const key = name.replace('?', '');
      if (!(key in given)) return name.endsWith('?') ? [] : [`${path}.${key} is missing`];
      return misfits(given[key], one, `${path}.${key}`);
    }),
  ];
}

function isOne(value: unknown, name: string): boolean {
  return name === 'unknown' || name === typeof value || name === JSON.stringify(value);
}
