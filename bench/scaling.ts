/** `npm run scaling`: prints the tables of docs/scaling.md, each under its name. scaling-costs.ts has the measured costs. */
import { MEASURED } from './scaling-costs.js';
import { scalingTables } from './scaling-tables.js';

for (const [name, table] of Object.entries(scalingTables(MEASURED))) process.stdout.write(`${name}\n${table}\n\n`);
