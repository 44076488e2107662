/**
 * The yardstick: a bare Fastify handler that does one prepared, committed INSERT of the body into the same Postgres. It has no
 * authentication, no validation and no second table: the minimum cost of any service that stores one row per request.
 * Prints its address; ends with its parent.
 */
import Fastify from 'fastify';
import { randomUUID } from 'node:crypto';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: Number(process.env['YARDSTICK_CONNECTIONS'] ?? 16) });
await pool.query('create table if not exists yardstick (id uuid primary key, body json not null, created_on timestamptz not null default now())');
const app = Fastify();
app.post('/', async (request) => {
  const id = randomUUID();
  await pool.query({ name: 'insert', text: 'insert into yardstick (id, body) values ($1, $2)', values: [id, JSON.stringify(request.body)] });
  return { id };
});
process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
