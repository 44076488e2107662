import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * Structured logs, one JSON object a line. What is logged is named field by field: never a request's headers, body or
 * query, which hold keys and personal data.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Short lines for people at a terminal: time, level, message, what is rare of the rest, and an error with its stack. */
export async function linesForPeople(): Promise<DestinationStream> {
  // Loaded here alone: JSON, which is what production logs, needs none of it.
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    colorize: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,role,worker,projection,schema,version,ordinal',
    singleLine: true,
    sync: true,
  });
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string | undefined;
  readonly cause?: unknown;
}

/** Not every property of an error: those of a database driver quote the row at hand. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Nest's own words through the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** Nest tells every route and module at start: for those who look for it. */
  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest appends the context's name, and a stack before it. */
  private write(level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const bindings = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...bindings, err: message }, message.message);
    else if (rest.length > 1 && typeof rest[0] === 'string') this.logger[level]({ ...bindings, stack: rest[0] }, String(message));
    else this.logger[level](bindings, String(message));
  }
}
