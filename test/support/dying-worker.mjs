// Serves requests as a worker of `startApiWorkers`. A worker that receives /die blocks for a second, and dies.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  if (request.url !== '/die') return void response.end('served');
  const until = Date.now() + 1_000;
  while (Date.now() < until);
  process.kill(process.pid, 'SIGKILL');
});
server.listen(0, '127.0.0.1', () => process.send({ listening: `http://127.0.0.1:${server.address().port}` }));
process.on('message', () => process.exit(0));
