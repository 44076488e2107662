#!/usr/bin/env node
import { requireNode } from '../platform/process/node-version.js';

requireNode();
await import('./program.js');
