/**
 * Diagnostics for code-scanning services (SARIF 2.1.0, OASIS).
 */
import { DIAGNOSTIC_CODES } from './codes.ts';
import type { Diagnostic } from './types.ts';

/** A log with one run. `root` is the directory that paths are relative to, as a `file:` URL that ends in '/'. */
export function sarifLog(list: readonly Diagnostic[], version: string, root: string): object {
  const codes = [...new Set(list.map(d => d.code))].sort();
  return {
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [
      {
        tool: {
          driver: {
            name: 'mux graph check',
            version,
            rules: codes.map(id => {
              const { severity, text, remedy } = DIAGNOSTIC_CODES[id];
              return {
                id,
                shortDescription: { text },
                help: { text: remedy },
                defaultConfiguration: { level: severity },
              };
            }),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { uri: root } },
        results: list.map(d => result(d, codes.indexOf(d.code))),
      },
    ],
  };
}

function result(
  { file, line, column, severity, code, message, hint }: Diagnostic,
  ruleIndex: number,
): object {
  // Places are one-based there too; a whole file has no region.
  const region = line > 0 ? { region: { startLine: line, ...(column > 0 && { startColumn: column }) } } : {};
  const uri = file.split('/').map(encodeURIComponent).join('/');
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: hint ? `${message} (${hint})` : message },
    locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: 'ROOT' }, ...region } }],
  };
}
