import { PROJECTIONS } from '../src/app/projections.js';

interface DrawnTable {
  readonly name: string;
  /** Columns of the primary key, and columns with the id of another record, with their types. */
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isKey: boolean }[];
}

const HEAD = `# Tables of the read models

<!-- Written by "npm run generate" from the tables of projections. -->

For engineers who query the read models: a schema for each projection. PK is a primary key, FK the id of a record in another table of the schema. [No interface](versions.md#compatible-and-incompatible-changes): any version may change them.
`;

/** Returns the text of docs/read-models.md: the tables of each projection, drawn from the statements that create them. */
export function readModelsPage(): string {
  const parts = PROJECTIONS.map(({ name, readModels }) => {
    const tables = readModels.flatMap((model) => tablesOf(model.ddl(name)));
    return `## ${name}\n\n\`\`\`mermaid\nerDiagram\n${[...tables.map((table) => boxOf(table, tables)), ...tables.flatMap((table) => linksOf(table, tables))].join('\n')}\n\`\`\`\n`;
  });
  return [HEAD, ...parts].join('\n');
}

/** Reads the statements of `Table.ddl`: a column a line, and keys of several columns in a line that begins with "primary key". */
function tablesOf(ddl: string): DrawnTable[] {
  return [...ddl.matchAll(/create table \w+\.(\w+) \(\n([\s\S]*?)\n\)/g)].map(([, name, body]) => {
    const lines = body!.split('\n').map((line) => line.trim().replace(/,$/, ''));
    const keys = lines.flatMap((line) => /^primary key \(([^)]*)\)/.exec(line)?.[1]!.split(', ') ?? []);
    const columns = lines.flatMap((line) => {
      const [, column, type] = /^(\w+) ((?:timestamp|double)? ?\w+(?:\[\])?)/.exec(line) ?? [];
      if (column === undefined || column === 'primary' || type === undefined) return [];
      const isKey = keys.includes(column) || line.includes(' primary key');
      return isKey || column.endsWith('_id') ? [{ name: column, type: type.trim().replace('[]', '_array'), isKey }] : [];
    });
    return { name: name!, columns };
  });
}

function boxOf(table: DrawnTable, tables: readonly DrawnTable[]): string {
  const lines = table.columns.map((column) => {
    const marks = [...(column.isKey ? ['PK'] : []), ...(targetOf(table, column.name, tables) ? ['FK'] : [])].join(', ');
    return `    ${column.type} ${column.name} ${marks}`.trimEnd();
  });
  return [`  ${table.name} {`, ...lines, '  }'].join('\n');
}

/** The other table of the projection whose name, in the singular, the column has. */
const targetOf = ({ name }: DrawnTable, column: string, tables: readonly DrawnTable[]): DrawnTable | undefined =>
  tables.find((table) => table.name !== name && `${table.name.replace(/s$/, '')}_id` === column);

function linksOf(table: DrawnTable, tables: readonly DrawnTable[]): string[] {
  return table.columns.flatMap((column) => {
    const target = targetOf(table, column.name, tables);
    return target ? [`  ${target.name} ||--o{ ${table.name} : "${column.name}"`] : [];
  });
}
