import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { loadStack } from '../../src/stack/index.ts'
import { inFolder } from '../support/folder.ts'
import { openTofuCases } from './opentofu-cases.ts'

describe('files that OpenTofu reads', () => {
  it.each(openTofuCases)('are read as by OpenTofu: %s', async (_, files, names) => {
    const { declarations, problems } = await inFolder(files, folder =>
      loadStack({ folder, directory: folder, variables: new Map(), env: {}, engine: 'OpenTofu' }),
    )
    if (names === undefined) return expect(problems).not.toEqual([])
    expect(problems.map(problemLine)).toEqual([])
    const found = declarations.desired.map(({ identity, fields }) => [identity, fields.name])
    expect(Object.fromEntries(found)).toEqual(names)
  })
})
