// After tsc, which copies nothing: what pages send as it is stands beside the code that sends it.
import { cpSync } from 'node:fs';

cpSync('src/pages/assets', 'dist/src/pages/assets', { recursive: true });
