// A process that uses an embedded Postgres: `postgres-user.ts <directory>`. Says what it got as one line of JSON, stops when
// standard input ends, and then says `stopped`. For tests that need several such processes, or kill them.
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';

const postgres = await startEmbeddedPostgres(process.argv[2]!);
process.stdout.write(`${JSON.stringify({ url: postgres.url, pid: postgres.pid, adopted: postgres.adopted })}\n`);
await new Promise((resolve) => process.stdin.once('end', resolve).resume());
await postgres.stop();
process.stdout.write('stopped\n');
