import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Whether the rules of a field are asked at all. */
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

/** What class-validator knows of a class. */
export const rulesOf = (dto: new () => object): Metadata[] => getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);

const known = new WeakMap<object, ReadonlyMap<string, FieldRules> | 'not-simple'>();

/**
 * Whether class-validator, with a whitelist, would find nothing to refuse: its own rules asked in its order, read from its metadata once
 * a class. It reads them for every object, and makes what a refusal would say before it knows that there is none. False as well where a
 * class has rules of kinds that are not known here: whoever is told so asks class-validator.
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
    // A promise is none of the kinds that are known here.
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
