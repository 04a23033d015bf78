import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import { files, importsOf } from './sources.ts'

/**
 * The rooms of the house, floor by floor. A room imports from lower floors only, types included: never upward, and never
 * sideways, so front ends know nothing of each other.
 */
const floors: readonly (readonly string[])[] = [
  ['index.ts'],
  // The commands for programs, without argv and streams.
  ['library'],
  // `generate` is what `npm run generate` and the build run.
  ['cli', 'testing', 'generate', 'constructs/index.ts'],
  ['yaml', 'stack', 'constructs', 'terraform'],
  ['constructs/generated', 'report', 'fleet'],
  ['core', 'sandbox'],
  ['api', 'schema', 'rules'],
  // What a team asks of all that is declared, as data.
  ['policies'],
  // What code and flags have to do with each other; `code` reads files of code.
  ['kinds', 'code'],
  ['targeting', 'constructs/engine'],
  // What services are known to do, as data.
  ['services'],
  ['git'],
  ['model'],
  // Terraform's language, with the exact numbers and the strict JSON that everything else is written in.
  ['hcl'],
]

/** What no room may import though it is below. A bug of the client must not hide in the stand-in of its service. */
const apart: Readonly<Record<string, readonly string[]>> = { sandbox: ['api'] }

const rooms = floors.flat()

/** The room of a file: the narrowest that has it. */
function roomOf(path: string): string | undefined {
  const having = rooms.filter(room => path === room || path.startsWith(`${room}/`))
  return having.sort((left, right) => right.length - left.length)[0]
}

function mayImport(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined) return false
  const floorOf = (room: string) => floors.findIndex(floor => floor.includes(room))
  return from === to || (floorOf(from) < floorOf(to) && !apart[from]?.includes(to))
}

/** The only files that may know the process, the clock and chance. */
const doors = [
  'cli/start.ts',
  'cli/main.ts',
  'terraform/main.ts',
  'core/real-runtime.ts',
  'library/load.ts',
  // Run where the house is built and never where it is used: it packs the Node that it runs on.
  'generate/provider-release/package-provider.ts',
  // It runs the command line as a person would.
  'generate/plan-picture.ts',
  'generate/write-report-pictures.ts',
  // It runs in a browser.
  'report/html/live-script.ts',
  // The time after which a silent socket ends is Node's own.
  'api/open-connections.ts',
]

describe('the layers of src', () => {
  it('are all known', () => {
    expect(files.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path)).toEqual([])
    expect(rooms.filter(room => !files.some(({ path }) => roomOf(path) === room))).toEqual([])
  })

  it('import downward only, types included', () => {
    const wrong = files.flatMap(file =>
      importsOf(file)
        .filter(path => !path.startsWith('..') && !mayImport(roomOf(file.path), roomOf(path)))
        .map(path => `${file.path} -> ${path}`),
    )
    expect(wrong).toEqual([])
  })

  it('enter `hcl` by its doors only: the files beside its folders', () => {
    const inside = files.flatMap(file =>
      importsOf(file).filter(path => /^hcl\/[^/]+\//.test(path) && !file.path.startsWith('hcl/')),
    )
    expect(inside).toEqual([])
  })

  it.each([
    ['cli', 'core', true],
    ['core', 'core', true],
    ['core', 'cli', false],
    ['yaml', 'terraform', false],
    ['stack', 'constructs', false],
    ['core', 'sandbox', false],
    ['sandbox', 'api', false],
    ['sandbox', 'schema', true],
    ['model', 'git', false],
    ['hcl', 'model', false],
    ['model', 'hcl', true],
  ])('let %s import %s: %s', (from, to, may) => {
    expect(mayImport(from, to)).toBe(may)
  })

  it('know the process, the clock and chance only at the doors', () => {
    const ambient =
      /\bprocess\.|Date\.now\(|new Date\(\)|Math\.random\(|\bset(?:Timeout|Interval|Immediate)\(|randomUUID\(/
    const inside = files.filter(({ path, text }) => !doors.includes(path) && ambient.test(text))
    expect(inside.map(({ path }) => path)).toEqual([])
  })

  it('make folders in one place', () => {
    // What builds the house may have Node do it; elsewhere that never ends in some file systems.
    const building = /^(generate\/|testing\/synthesize|model\/files\.ts)/
    const others = files.filter(({ path, text }) => !building.test(path) && /\bmkdir(Sync)?\b/.test(text))
    expect(others.map(({ path }) => path)).toEqual([])
  })

  it('name no file for what it is not about', () => {
    const vague = /^(utils?|helpers?|types|common|misc)\.ts$/
    expect(files.filter(({ path }) => vague.test(path.split('/').at(-1) as string))).toEqual([])
  })

  it('know a kind by its traits, not by its name', () => {
    const names = Object.keys(kinds).filter(name => name.includes('_'))
    const byName = new RegExp(`'(?:${names.join('|')})'|\\bkind\\.name [!=]==? '`)
    // The sandbox has routes of its own for each kind, and what is generated is so from their names.
    const others = files.filter(({ path }) => !/^(kinds|sandbox|constructs\/generated)\//.test(path))
    const found = others.filter(({ text }) => byName.test(text)).map(({ path }) => path)
    // It reads the flag that a test asks for.
    expect(found).toEqual(['testing/start-sandbox.ts'])
  })

  it('know who gets an object by the trait of a field, not by what it is called', () => {
    // Of a kind or its fields; whether a value has such a member is another question.
    const byName = files.filter(({ text }) => /'filters' in (?:\w+\.)?(?:fields|kind)\b/.test(text))
    expect(byName.map(({ path }) => path)).toEqual([])
  })

  it('serve every kind in the sandbox, whatever it is called', () => {
    const byName = /'(?:feature_flag|feature_flag_role_access|event_definition)'|\bkind\.name ===/
    const named = files.filter(({ path, text }) => path.startsWith('sandbox/') && byName.test(text))
    expect(named.map(({ path }) => path)).toEqual([])
  })
})
