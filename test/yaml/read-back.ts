import { expect } from 'vitest'
import type { TextFile } from '../../src/yaml/write/declaration-of.ts'
import { load } from './a-repository.ts'

const settings = `version: 1
roles: { support: 01900000-0000-0000-0000-0000000000aa, growth: 01900000-0000-0000-0000-0000000000bb }
`

/** Writes exported files into a repository and reads them back. */
export async function readBack(files: readonly TextFile[]) {
  const written = Object.fromEntries(files.map(({ path, text }) => [path, text]))
  const { declarations, problems } = await load({ 'vexil.yaml': settings, ...written })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return declarations
}
