#!/usr/bin/env node
import { requireNode } from '../platform/node-version.js';

requireNode();
await import('./program.js');
