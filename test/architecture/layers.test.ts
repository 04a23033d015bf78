import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { files, importsOf, src } from './sources.ts'

/** What each folder may import besides itself. Front ends know nothing of each other. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  model: [],
  git: [],
  targeting: ['model'],
  kinds: ['model', 'targeting'],
  rules: ['model', 'targeting'],
  cty: ['model'],
  derive: ['model', 'cty', 'targeting', 'kinds'],
  api: ['model', 'targeting', 'kinds', 'derive'],
  sandbox: ['model', 'targeting', 'kinds', 'derive'],
  core: ['model', 'targeting', 'kinds', 'rules', 'derive', 'api'],
  declare: ['model', 'targeting', 'kinds', 'rules', 'derive', 'core'],
  report: ['model', 'targeting', 'kinds', 'derive', 'core'],
  terraform: ['model', 'cty', 'targeting', 'kinds', 'rules', 'derive', 'api', 'core'],
  cdktf: ['model', 'cty', 'targeting', 'kinds', 'rules', 'derive', 'core'],
  testing: [
    ...['model', 'targeting', 'kinds', 'derive', 'api', 'sandbox', 'core'],
    ...['declare', 'report', 'cdktf'],
  ],
  cli: [
    ...['model', 'targeting', 'kinds', 'derive', 'api', 'sandbox', 'core'],
    ...['declare', 'report', 'terraform', 'cdktf', 'git'],
  ],
}

/** The only files that may know the process, the clock and chance. */
const doors = [
  'cli/main.ts',
  'terraform/main.ts',
  'core/world.ts',
  // Run where the house is built and never where it is used: it packs the Node that it runs on.
  'terraform/release/package-provider.ts',
]

describe('the layers of src', () => {
  it('are all known', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter(entry => entry.isDirectory())
    expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(allowed).sort())
  })

  it('import downward only', () => {
    const upward = files.flatMap(file => {
      const folder = file.path.split('/')[0] as string
      const may = [folder, ...(allowed[folder] ?? Object.keys(allowed))]
      return importsOf(file)
        .filter(path => !path.startsWith('..') && !may.includes(path.split('/')[0] as string))
        .map(path => `${file.path} -> ${path}`)
    })
    expect(upward).toEqual([])
  })

  it('know the process, the clock and chance only at the doors', () => {
    const ambient =
      /\bprocess\.|Date\.now\(|new Date\(\)|Math\.random\(|\bset(?:Timeout|Interval|Immediate)\(|randomUUID\(/
    const inside = files.filter(({ path, text }) => !doors.includes(path) && ambient.test(text))
    expect(inside.map(({ path }) => path)).toEqual([])
  })

  it('make folders in one place', () => {
    // What builds the house may have Node do it; elsewhere that never ends in some file systems.
    const building = /^(derive\/emit-files|cdktf\/generate\/|testing\/synthesize|model\/make-folder)/
    const others = files.filter(({ path, text }) => !building.test(path) && /\bmkdir(Sync)?\b/.test(text))
    expect(others.map(({ path }) => path)).toEqual([])
  })

  it('name no file for what it is not about', () => {
    const vague = /^(utils?|helpers?|types|common|misc)\.ts$/
    expect(files.filter(({ path }) => vague.test(path.split('/').at(-1) as string))).toEqual([])
  })

  it('know who gets an object by the trait of a field, not by what it is called', () => {
    // Of a kind or its fields; whether a value has such a member is another question.
    const byName = files.filter(({ text }) => /'filters' in (?:\w+\.)?(?:fields|kind)\b/.test(text))
    expect(byName.map(({ path }) => path)).toEqual([])
  })
})
