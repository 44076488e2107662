// A process that uses an embedded Postgres: `postgres-user.ts <directory>`. Prints the server that it got as one line of JSON, stops when
// standard input ends, and then prints `stopped`. Tests that need several such processes, or kill them, use it.
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';

const postgres = await startEmbeddedPostgres(process.argv[2]!);
process.stdout.write(`${JSON.stringify({ url: postgres.url, pid: postgres.pid, adopted: postgres.adopted })}\n`);
await new Promise((resolve) => process.stdin.once('end', resolve).resume());
await postgres.stop();
process.stdout.write('stopped\n');
