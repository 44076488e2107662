import type { LineKind } from '../../../ledger/events/reconciliation.events.js';
import type { BatchNames } from './batch-names.js';
import { findReferences } from './references.js';
import { unreadable, type ParsedLine, type PersonalData } from './statement-item.js';

/** Reads entries of camt.053 and their texts. */

/** Maximum kept values of one path, and maximum paths of one element. */
export const VALUES_MAX = 16;
const PATHS_MAX = 256;
const CHARGE_CODES = new Set(['CHRG', 'COMM', 'FEES', 'CHAR']);

/** Texts below one element, by their path within it. */
export type Texts = Map<string, string[]>;

export interface OpenDetail {
  readonly at: number;
  readonly texts: Texts;
}

/** An entry that is being read. */
export interface OpenEntry {
  readonly at: number;
  readonly texts: Texts;
  /** `held`: details are kept until the entry is known. `split`: each detail is a line. `whole`: the entry is one line, as not all have amounts. */
  state: 'held' | 'split' | 'whole';
  held: OpenDetail[];
  chars: number;
  /** Sum of the details that are lines; minor units. */
  sum: number;
  /** Charges that it states, minor units: NaN when one of them is in another currency or cannot be read. */
  readonly charges: { entry: number; details: number };
}

export const newEntry = (at: number): OpenEntry => ({
  ...{ at, texts: new Map(), state: 'held', held: [], chars: 0, sum: 0, charges: { entry: 0, details: 0 } },
});

const REFERENCES = ['Refs/EndToEndId', 'Refs/InstrId', 'Refs/TxId', 'Refs/PmtInfId', 'Refs/MsgId', 'Refs/AcctSvcrRef', 'RmtInf/Strd/CdtrRefInf/Ref'];
/** References that the bank itself gives. */
const OWN_REFERENCES = ['Refs/AcctSvcrRef'];
const NAMES = ['Dbtr/Nm', 'Cdtr/Nm', 'UltmtDbtr/Nm', 'UltmtCdtr/Nm', 'Dbtr/Pty/Nm', 'Cdtr/Pty/Nm', 'UltmtDbtr/Pty/Nm', 'UltmtCdtr/Pty/Nm'];
const ACCOUNTS = ['DbtrAcct/Id/IBAN', 'CdtrAcct/Id/IBAN', 'DbtrAcct/Id/Othr/Id', 'CdtrAcct/Id/Othr/Id'];

function personalOf(entry: Texts, texts: Texts): PersonalData {
  const parties = (paths: readonly string[]): string[] => paths.flatMap((path) => texts.get(`RltdPties/${path}`) ?? []);
  const written = [...(texts.get('RmtInf/Ustrd') ?? []), ...(texts.get('AddtlTxInf') ?? []), ...(entry.get('AddtlNtryInf') ?? [])];
  return { names: parties(NAMES), accounts: parties(ACCOUNTS), texts: written };
}

export function kindOf(entry: Texts, texts: Texts): LineKind {
  const codes = ['BkTxCd/Domn/Fmly/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd'].flatMap((path) => texts.get(path) ?? entry.get(path) ?? []);
  return codes.some((code) => CHARGE_CODES.has(code)) ? 'CHARGE' : 'TRANSFER';
}

export function keepIn(texts: Texts, path: string, text: string, at: number): void {
  const kept = texts.get(path);
  if (kept === undefined) {
    if (texts.size >= PATHS_MAX) unreadable(at, `at most ${PATHS_MAX} kinds of elements`, path);
    texts.set(path, [text]);
  } else if (kept.length < VALUES_MAX) kept.push(text);
}

export const one = (texts: Texts, path: string): string | undefined => texts.get(path)?.[0];

/** Merges the texts of details that form one line, without their kinds: these do not apply to the whole. */
export function together(details: readonly OpenDetail[]): Texts {
  const all: Texts = new Map();
  for (const { at, texts } of details)
    for (const [path, values] of texts) if (!path.startsWith('BkTxCd/')) for (const value of values) keepIn(all, path, value, at);
  return all;
}

/** References and personal data of a line. */
export function partiesOf(entry: Texts, texts: Texts, names: BatchNames): Pick<ParsedLine, 'references' | 'keyed' | 'former' | 'personal'> {
  const personal = personalOf(entry, texts);
  const own = [...OWN_REFERENCES.flatMap((path) => texts.get(path) ?? []), one(entry, 'AcctSvcrRef'), one(entry, 'NtryRef')];
  const given = [...REFERENCES.flatMap((path) => texts.get(path) ?? []), one(entry, 'AcctSvcrRef'), one(entry, 'NtryRef')];
  const { hidden, ...found } = findReferences({ given, own, texts: personal.texts }, names);
  const all = { ...personal, texts: [...personal.texts, ...hidden] };
  return { ...found, personal: Object.values(all).every(({ length }) => length === 0) ? null : all };
}
