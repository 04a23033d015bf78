import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { skippedFolders } from './is-code.ts'

/** The rules of one `.gitignore`, for paths below its folder. */
interface Rules {
  /** As in `src/`; empty for the root. */
  readonly below: string
  readonly rules: Ignore
}

/**
 * The files below a folder, relative to it and with `/`, where git is not at hand: what the `.gitignore` files there say is
 * left out, nearer ones win, and links are not followed.
 */
export async function walkFolder(root: string): Promise<string[]> {
  const found: string[] = []
  await walk(root, '', [], found)
  return found
}

async function walk(root: string, below: string, above: readonly Rules[], found: string[]): Promise<void> {
  const entries = await readdir(join(root, below), { withFileTypes: true })
  const own = entries.some(({ name }) => name === '.gitignore')
    ? [
        {
          below,
          rules: ignore().add(
            (await readFile(join(root, below, '.gitignore'), 'utf8')).replace(/^\ufeff/, ''),
          ),
        },
      ]
    : []
  const rules = [...above, ...own]
  for (const entry of entries) {
    const path = `${below}${entry.name}`
    if (entry.isDirectory()) {
      if (skippedFolders.has(entry.name) || isIgnored(`${path}/`, rules)) continue
      await walk(root, `${path}/`, rules, found)
    } else if (entry.isFile() && !isIgnored(path, rules)) found.push(path)
  }
}

/** The nearest rule that says anything decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { below, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(path.slice(below.length))
    if (ignored || unignored) return ignored
  }
  return false
}
