import { appendFileSync, readFileSync } from 'node:fs'

/** What the processes of a run write down, each line when it happens. */
export type Line = { readonly by: number; readonly file: string } & (
  | { readonly isUsable: boolean; readonly reached: readonly string[] }
  | { readonly trying: string }
  /** Ends a file. */
  | { readonly killed: readonly string[] }
)

export function writeLine(log: string, line: Line): void {
  appendFileSync(log, `${JSON.stringify(line)}\n`)
}

export function readLines(log: string): Line[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as Line)
}

export function killedIn(lines: readonly Line[]): ReadonlySet<string> {
  return new Set(lines.flatMap(line => ('killed' in line ? line.killed : [])))
}
