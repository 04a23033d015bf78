import { CodeScanner } from '../../../src/code/code-scanner.ts'

/** What is found in a text, a line each: `1:20 call isFeatureEnabled checkout`; what is unknown begins with a question mark. */
export function scanned(name: string, text: string, keys: readonly string[]): string[] {
  const { references, unknown } = new CodeScanner(keys).scan(name, Buffer.from(text))
  return [
    ...references.map(({ line, column, kind, call, key }) => `${line}:${column} ${call ?? kind} ${key}`),
    ...unknown.map(({ line, column, call, key }) => `?${line}:${column} ${call} ${key}`),
  ]
}
