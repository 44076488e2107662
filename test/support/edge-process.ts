import { stopOnSignal } from '../../src/platform/http/edge/shutdown.js';
import { stopServing } from '../../src/platform/http/edge/stop-serving.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { startEdge } from './edge-app.js';

/** The edge in a separate process, so that tests can send it signals. */
const logger = createLogger('info', { write: (line) => void process.stderr.write(line) });
const edge = await startEdge({ logger });
stopOnSignal(() => stopServing(edge.app, 1000), logger);
process.stdout.write(`${edge.url} ${edge.keys.issue()}\n`);
