import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const src = resolve(import.meta.dirname, '../../src')

/** One file of `src`. Comments are left out of the text: they may name what the code does not touch. */
export interface SourceFile {
  /** From `src` on: `core/plan.ts`. */
  readonly path: string
  readonly text: string
}

export const files: readonly SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map(path => ({ path, text: withoutComments(readFileSync(join(src, path), 'utf8')) }))

/** What a file imports of ours, `import type` and `import()` included. */
export function importsOf({ path, text }: SourceFile): string[] {
  return Array.from(text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g), match =>
    relative(src, resolve(src, dirname(path), match[1] as string)),
  )
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}
