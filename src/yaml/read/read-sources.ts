import { posix } from 'node:path'
import pMap from 'p-map'
import { pointerOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { type ObjectDeclaration, quoteWritten } from '../declaration.ts'
import type { TextOfFile } from '../resolve/resolve.ts'
import { type Finder, leadsOut } from './find-files.ts'

export interface Sources {
  readonly textOfFile: TextOfFile
  readonly problems: readonly Problem[]
  /** The files that were read. */
  readonly files: readonly string[]
}

const concurrency = 16

/** Reads the files that declarations name with `{ file: path }`, relative to the file that names them. */
export async function readSources(objects: readonly ObjectDeclaration[], finder: Finder): Promise<Sources> {
  const named = objects.flatMap(declaration =>
    [declaration.base, ...declaration.environments.values()].flatMap(({ pointer, files = {} }) =>
      Object.entries(files).flatMap(([name, text]) =>
        typeof text === 'object' && text !== null
          ? [{ declaration, path: text.file, pointer: pointer + pointerOf('source', name, 'file') }]
          : [],
      ),
    ),
  )
  const texts = new Map<string, string>()
  const files = new Set<string>()
  const problems = await pMap(
    named,
    async ({ declaration, path, pointer }): Promise<Problem[]> => {
      const shown = quoteWritten(declaration.file, pointer)
      const read = await readInside(declaration, path, shown, finder)
      if ('text' in read) {
        texts.set(keyOf(declaration, path), read.text)
        files.add(read.file)
        return []
      }
      const source = declaration.file.parsed.locate(pointer)
      return [{ ...read, severity: 'error', source, address: declaration.address }]
    },
    { concurrency },
  )
  return {
    textOfFile: (declaration, path) => texts.get(keyOf(declaration, path)),
    problems: problems.flat(),
    files: [...files],
  }
}

type Read = { readonly text: string; readonly file: string } | Pick<Problem, 'code' | 'message' | 'hint'>

async function readInside(
  { file }: ObjectDeclaration,
  path: string,
  shown: string,
  finder: Finder,
): Promise<Read> {
  const { files, outside } = await finder.findOne(path, posix.dirname(file.parsed.file))
  if (outside.length > 0) return leadsOut(shown)
  const [found] = files
  if (!found) {
    const hint = `a path is relative to ${file.parsed.file}`
    return { code: 'no-such-file', message: `there is no file ${shown}`, hint }
  }
  const read = await finder.read(found)
  if ('text' in read) return { text: read.text, file: found.name }
  const { code, message, hint } = read.problem
  return { code, message: `${shown}: ${message}`, ...(hint === undefined ? {} : { hint }) }
}

function keyOf({ file }: ObjectDeclaration, path: string): string {
  return `${posix.dirname(file.parsed.file)}\n${path}`
}
