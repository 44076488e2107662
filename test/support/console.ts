import type { Answer, TestService } from './service.js';

type Form = Readonly<Record<string, string>>;

const ENCODED = { 'content-type': 'application/x-www-form-urlencoded' };

/** A person at the console, in a separate session. */
export class ConsoleVisitor {
  private constructor(
    private readonly service: TestService,
    readonly cookie: string,
  ) {}

  static async signIn(service: TestService, key: string): Promise<ConsoleVisitor> {
    const body = new URLSearchParams({ key }).toString();
    const { headers } = await service.call('POST', '/console/login', { body, headers: { ...ENCODED, origin: service.url } });
    return new ConsoleVisitor(service, headers.get('set-cookie')!.split(';')[0]!);
  }

  page(path: string): Promise<Answer> {
    return this.service.call('GET', `/console/${path}`, { headers: { cookie: this.cookie } });
  }

  /** `headers`: in place of those of a browser. */
  post(path: string, form: Form, headers: Form = { origin: this.service.url }): Promise<Answer> {
    const body = new URLSearchParams(form).toString();
    return this.service.call('POST', `/console/${path}`, { body, headers: { ...ENCODED, cookie: this.cookie, ...headers } });
  }

  /** As a browser sends a form with a file. */
  async send(path: string, form: Form, file: string | Buffer | null, headers: Form = { origin: this.service.url }): Promise<Answer> {
    const body = new FormData();
    for (const [name, value] of Object.entries(form)) body.append(name, value);
    body.append('file', file === null ? new Blob([]) : new Blob([new Uint8Array(Buffer.from(file))]), file === null ? '' : 'statement.xml');
    const init = { method: 'POST', body, redirect: 'manual', headers: { cookie: this.cookie, ...headers } } as const;
    const answer = await fetch(`${this.service.url}/console/${path}`, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text(), body: undefined };
  }

  /** Returns the hidden fields of the page's form that posts to `action`; empty for a page without one. */
  async hidden(path: string, action = path): Promise<Form> {
    const { text } = await this.page(path);
    const form = new RegExp(`<form[^>]* action="/console/${action}"[^]*?</form>`).exec(text)?.[0] ?? '';
    return Object.fromEntries([...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
  }
}

/** Returns the status of an answer, and the address that it redirects to. */
export const location = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): [number, string | null] => [status, headers.get('location')];
