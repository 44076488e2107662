import { requireNode } from './platform/process/node-version.js';

requireNode();
await import('./service.js');
