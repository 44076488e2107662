import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * Structured logs, one JSON object per line. Log calls name each field: never a request's headers, body or query, which contain keys and personal
 * data.
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

/** Short lines for people at a terminal: time, level, message, the less common fields, and an error with its stack. */
export async function linesForPeople(): Promise<DestinationStream> {
  // Loaded only here: production logs JSON, which does not need it.
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

/** Excludes most properties of an error: those of a database driver quote the current row. */
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

/** Writes Nest's messages to the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** Nest logs every route and module at start: level debug. */
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
