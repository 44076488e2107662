// After tsc, which copies nothing: what pages send as it is stands beside the code that sends it.
import { cpSync } from 'node:fs';

for (const folder of ['src/pages/assets', 'src/console/assets']) cpSync(folder, `dist/${folder}`, { recursive: true });
