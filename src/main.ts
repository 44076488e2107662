import { requireNode } from './platform/node-version.js';

requireNode();
await import('./service.js');
