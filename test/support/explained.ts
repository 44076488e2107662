import pg, { type Pool } from 'pg';

export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Has every statement of sessions that begin later explained to their client. @param url of a test's database, whose user is a superuser */
export async function explainStatements(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const name = new URL(url).pathname.slice(1);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    // To the client, as notices.
    client_min_messages: 'log',
  };
  // Loaded first: a session that does not know the library takes none of its settings.
  await admin.query(`load 'auto_explain'`);
  for (const [setting, value] of Object.entries(settings)) await admin.query(`alter database ${name} set ${setting} = '${value}'`);
  await admin.end();
}

/**
 * Rows that a statement looked at, those of every node and loop. The index of a bitmap scan also returns deleted rows until a vacuum removes them,
 * at any moment, so only the rows of its table count.
 */
export function workOf(plan: Plan): number {
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const inner = (plan.Plans ?? []).filter((node) => plan['Node Type'] !== 'Bitmap Heap Scan' || node['Node Type'] !== 'Bitmap Index Scan');
  return each * plan['Actual Loops'] + inner.reduce((sum, node) => sum + workOf(node), 0);
}

/** Called with the plan of each statement, and the rows that it had. */
export function onPlans(pool: Pool, visit: (text: string, plan: Plan) => void): void {
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      const [, json] = /^duration: .*?plan:\s*(\{.*)/s.exec(message) ?? [];
      if (json === undefined) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: Plan };
      visit(text, plan);
    });
  });
}
