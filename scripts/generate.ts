// npm run generate: types of the client and the Postman collection, from the OpenAPI documents; the pages of configuration and read models.
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.js';

for (const [path, text] of await generatedFiles()) {
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
