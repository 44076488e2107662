import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Decides whether the rules of a field apply. */
type Condition = (object: object, value: unknown) => boolean;

interface Rule {
  readonly rule: ValidatorConstraintInterface;
  readonly property: string;
  readonly constraints: unknown[];
}

interface FieldRules {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly rules: readonly Rule[];
  readonly isNested: boolean;
}

/** The rules that class-validator has for a class. */
export const rulesOf = (dto: new () => object): Metadata[] => getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);

const known = new WeakMap<object, ReadonlyMap<string, FieldRules> | 'not-simple'>();

/**
 * Returns whether class-validator, with a whitelist, would find no fault: applies its own rules in its order, read from its metadata once per class.
 * class-validator reads them for every object, and builds the texts of a refusal before it knows whether there is one. Also returns false for a class
 * with other kinds of rules: the caller then uses class-validator.
 */
export function fulfilsRules(object: object): boolean {
  const dto = object.constructor as new () => object;
  const fields = known.get(dto) ?? readRules(dto);
  if (fields === 'not-simple') return false;
  for (const name of Object.keys(object)) if (!fields.has(name)) return false;
  for (const field of fields.values()) if (!fulfils(object, (object as Readonly<Record<string, unknown>>)[field.name], field)) return false;
  return true;
}

function fulfils(object: object, value: unknown, { conditions, rules, isNested }: FieldRules): boolean {
  for (const isAsked of conditions) if (!isAsked(object, value)) return true;
  for (const { rule, property, constraints } of rules) {
    // A promise is not one of the supported results.
    if (rule.validate(value, { targetName: object.constructor.name, property, object, value, constraints }) !== true) return false;
  }
  return !isNested || value === undefined || (value instanceof Object && !Array.isArray(value) && fulfilsRules(value));
}

function readRules(dto: new () => object): ReadonlyMap<string, FieldRules> | 'not-simple' {
  const fields = new Map<string, { name: string; conditions: Condition[]; rules: Rule[]; isNested: boolean }>();
  let isSimple = true;
  for (const metadata of rulesOf(dto)) {
    const { propertyName: name, type, constraints } = metadata;
    const field = fields.get(name) ?? { name, conditions: [], rules: [], isNested: false };
    fields.set(name, field);
    if (type === ValidationTypes.CONDITIONAL_VALIDATION) field.conditions.push((constraints as [Condition])[0]);
    else if (type === ValidationTypes.NESTED_VALIDATION) field.isNested = true;
    else if (type === ValidationTypes.IS_DEFINED) field.rules.unshift(...constraintsOf(metadata));
    else if (type === ValidationTypes.CUSTOM_VALIDATION) field.rules.push(...constraintsOf(metadata));
    else isSimple = false;
    isSimple &&= !metadata.each && metadata.validateIf === undefined && !(metadata.groups?.length > 0);
  }
  const read = isSimple ? fields : 'not-simple';
  known.set(dto, read);
  return read;
}

function constraintsOf({ constraintCls, propertyName, constraints }: Metadata): Rule[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => ({ rule: instance, property: propertyName, constraints: constraints as unknown[] }));
}
