import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'

export const root = join(import.meta.dirname, '../..')

/** A page that people read: Markdown that is kept in the repository. */
export interface Page {
  /** From the root of the repository on: `docs/ci.md`. */
  readonly path: string
  readonly text: string
}

const elsewhere = ['**/node_modules/**', 'dist/**', 'coverage/**', '**/.*/**', '**/cdktf.out/**']

export const pages: readonly Page[] = globSync('**/*.md', { cwd: root, ignore: elsewhere })
  .sort()
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** A page without the code between fences. */
export function proseOf({ text }: Page): string {
  return text.replaceAll(/^(```+).*\n[\s\S]*?^\1\s*$/gm, '')
}
