import { IsOptional } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { IsText } from './validation/validators.js';

/** Languages of the pages for customers and merchants, each with its native name. */
export const LANGUAGES = { id: 'Bahasa Indonesia', ms: 'Bahasa Melayu', en: 'English' } as const;
export type Language = keyof typeof LANGUAGES;

/** Query of pages with a choice of languages. An unsupported language is ignored, and never a reason to reject the request. */
export class LanguageQuery {
  @IsOptional()
  @IsText({ min: 0, max: 35 })
  readonly Lang?: string;
}

/** Returns the language that was selected on the page, else the first supported one of Accept-Language (RFC 9110, 12.5.4), else English. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>, chosen?: string): Language {
  const accepted = (headers['accept-language'] ?? '')
    .split(',', 20)
    .map((item) => /^\s*([A-Za-z]{2,3})(?:-[^;\s]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(item))
    .flatMap((item) => (item && Number(item[2] ?? 1) > 0 ? [{ language: item[1]!, quality: Number(item[2] ?? 1) }] : []))
    .sort((a, b) => b.quality - a.quality);
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...accepted.map(({ language }) => language)].map((language) => language.toLowerCase());
  return wanted.map((language) => FORMER_CODES.get(language) ?? language).find(isLanguage) ?? 'en';
}

/** Code of Indonesian in programs of before 1989 and in some of Java. */
const FORMER_CODES: ReadonlyMap<string, string> = new Map([['in', 'id']]);

const isLanguage = (language: string): language is Language => Object.hasOwn(LANGUAGES, language);
