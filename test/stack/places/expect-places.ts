import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { App, TerraformStack } from 'cdktf'
import { expect, it } from 'vitest'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { EventDefinition, Flag, FlagSet, Plugin, Role } from '../../../src/constructs/own-constructs.ts'
import type { Source } from '../../../src/model/problem.ts'
import { type LoadedStack, loadStack } from '../../../src/stack/index.ts'
import { inFolder } from '../../support/folder.ts'

const roleId = '01900000-0000-0000-0000-0000000000aa'

/** Every way of declaring something, on a line of its own that says what it makes. */
function declare(stack: TerraformStack): void {
  const flag = new Flag(stack, 'One', { key: 'one', active: true, release: [] }) // makes: one
  flag.grants.edit(Role.fromId(roleId, 'support')) // makes: one:01900000
  flag.tag('a')
  new FeatureFlag(stack, 'two', { key: 'two', active: false }) // makes: two
  FlagSet.of(stack, { three: { active: false } }) // makes: three
  new Plugin(stack, 'P', { name: 'geo', pluginType: 'source' }) // makes: geo
  EventDefinition.named(stack, 'paid').tag('pay') // makes: paid
  const helper = () => new Flag(stack, 'Four', { key: 'four', active: false }) // makes: four
  helper()
}

/** The lines of this file, by what they make. */
const lines = new Map(
  readFileSync(import.meta.filename, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const made = /\/\/ makes: (\S+)$/.exec(line)?.[1]
      return made === undefined ? [] : [[made, index + 1] as const]
    }),
)

interface Placed extends LoadedStack {
  /** A place in this file. */
  readonly here: (made: string) => Pick<Source, 'file' | 'line'>
}

async function loaded(build: (stack: TerraformStack) => void, stackTraces?: boolean): Promise<Placed> {
  return inFolder({}, async output => {
    const app = new App({
      outdir: output,
      skipValidation: true,
      ...(stackTraces === undefined ? {} : { stackTraces }),
    })
    const stack = new TerraformStack(app, 'flags')
    new VexilProvider(stack, 'vexil', { projectId: '1' })
    build(stack)
    app.synth()
    const folder = `${output}/stacks/flags`
    const read = await loadStack({ folder, directory: output, variables: new Map(), env: {} })
    const file = relative(output, import.meta.filename)
    return { ...read, here: made => ({ file, line: lines.get(made) ?? 0 }) }
  })
}

/** For whichever engine `cdktf` is. */
export function expectPlaces(): void {
  it('are the lines of the app, whichever way something was made', async () => {
    const { declarations, problems, here } = await loaded(declare)
    expect(problems).toEqual([])
    const placed = declarations.desired.map(({ identity, parent, source }) => [
      parent === undefined ? identity : `one:${identity.slice(0, 8)}`,
      source && { file: source.file, line: source.line },
    ])
    expect(placed.sort()).toEqual(
      [...lines.keys()]
        .filter(made => made !== 'wide' && made !== 'odd')
        .map(made => [made, here(made)])
        .sort(),
    )
  })

  it('are told with problems, and with what the app says of its constructs', async () => {
    const { problems, here } = await loaded(stack => {
      new FeatureFlag(stack, 'odd', { key: 'x'.repeat(401), active: false }) // makes: odd
      new Flag(stack, 'Wide', { key: 'wide', active: true }) // makes: wide
    })
    expect(
      problems.map(({ code, source }) => [code, source && { file: source.file, line: source.line }]),
    ).toEqual(
      expect.arrayContaining([
        ['stack-mistake', here('odd')],
        ['annotation', here('wide')],
      ]),
    )
  })

  it('are those in the stack where the app turns them off', async () => {
    const { declarations, texts, file } = await loaded(declare, false)
    for (const { source } of declarations.desired) {
      expect(source?.file).toBe(file)
      const line = texts.get(file)?.split('\n')[(source?.line ?? 0) - 1]
      expect(line?.slice((source?.column ?? 0) - 1)).toMatch(/^"path": "flags\//)
    }
  })
}
