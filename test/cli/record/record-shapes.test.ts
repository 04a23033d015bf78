import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stateOf } from '../../../src/core/record/history.ts'
import { readRun, runFileAt } from '../../../src/core/record/run-folder.ts'
import type { Json } from '../../../src/model/text/json.ts'
import { everySort, placeIn, placesIn, withOther } from '../../support/json-places.ts'
import { isWrite, useWorkspace } from '../../support/workspace.ts'

/**
 * A record that was damaged is told of by whoever needs it: it is neither read in part, nor taken for no run, nor
 * written over.
 */

const workspace = useWorkspace({})
const { vexil, service, write, declareFlags, records, edit } = workspace

/** The second of two runs that are on record; somebody has changed in the product since what it wrote. */
async function lastRun(): Promise<string> {
  for (const name of ['First', 'Second']) {
    await declareFlags(`  checkout: { name: ${name}, active: true }\n  dark_mode: { active: false }`)
    expect((await vexil('apply --auto-approve')).code).toBe(0)
  }
  await edit('checkout', { name: 'Theirs' })
  return (await records()).at(-1)?.replace('.json', '') ?? ''
}

const at = (file: string) => join(workspace().path, file)

/** Texts in which a member of a line of JSON, or the whole line, is of another sort. */
function* otherSorts(lines: readonly string[], number: number): Generator<readonly [string, string]> {
  const json: Json = JSON.parse(lines[number] ?? '')
  const withLine = (line: string) => lines.map((each, index) => (index === number ? line : each)).join('\n')
  for (const whole of ['', '{', '{}', 'null', '[]', '"x"', '1'])
    yield [`line ${number}: ${whole}`, withLine(whole)]
  for (const path of placesIn(json))
    for (const other of everySort)
      if (JSON.stringify(placeIn(json, path)) !== JSON.stringify(other))
        yield [
          `line ${number}: ${path.join('.')} = ${JSON.stringify(other)}`,
          withLine(JSON.stringify(withOther(json, path, other))),
        ]
}

/** What may be missing, and what is as good with another value of the same sort. */
const isFree = (place: string) =>
  / = "other"$|\.(before|after)(\.\w+)? = |\.\d+ = undefined$/.test(place) ||
  // Lists without members, and objects of which no member is needed.
  / = (\[\]|\{\}|\{"a":1\})$/.test(place) ||
  /(fingerprint = null|already = (true|1))$/.test(place) ||
  /\b(at|after|command|who|plan_digest|unchanged|declared|finished_at|complete|id|sensitive|risk_reasons|exposure|sure|source|action|endpoint|already|not_kept|elapsed_ms|organization_id|project_id|names|parent) = undefined$/.test(
    place,
  ) ||
  /(elapsed_ms|unchanged|complete|exposure\.\w+|source\.\w+) = (1|true)$/.test(place)

describe.each(['record', 'journal'])('a %s', which => {
  it('is read whole or not at all, whatever stands in any place of it', async () => {
    const run = await lastRun()
    const file = `.vexil/runs/${run}.${which === 'record' ? 'json' : 'jsonl'}`
    const text = await readFile(at(file), 'utf8')
    if (which === 'journal') await rm(at(`.vexil/runs/${run}.json`))
    const lines = which === 'record' ? [JSON.stringify(JSON.parse(text))] : text.split('\n')
    const told = async (changed: string) => {
      await writeFile(at(file), changed)
      const reading = await readRun(runFileAt(at(file)))
      return 'unreadable' in reading ? reading : stateOf(reading, undefined)
    }
    const whole = await told(lines.join('\n'))
    expect(whole).toBe(which === 'record' ? 'complete' : 'cut_off')
    const wrong: string[] = []
    for (const number of lines.keys()) {
      if (lines[number] === '') continue
      for (const [place, changed] of otherSorts(lines, number)) {
        const said = await told(changed)
        const isRefused = typeof said !== 'string' && !/^$|undefined|\[object|\bbug\b/.test(said.unreadable)
        if (!isRefused && !(said === whole && isFree(place))) wrong.push(`${place}: ${JSON.stringify(said)}`)
        expect(await readFile(at(file), 'utf8')).toBe(changed)
      }
    }
    expect(wrong).toEqual([])
  })
})

const no = 'it is not the record of a run:'
const damages: readonly (readonly [string, (text: string) => string | Buffer, string])[] = [
  ['empty', () => '', `${no} it is not JSON, or was cut off`],
  ['cut off', text => text.slice(0, 200), `${no} it is not JSON, or was cut off`],
  ['a list', () => '[]', `${no} it is a list and not an object`],
  ['null', () => 'null', `${no} it is null and not an object`],
  ['an object', () => '{}', `${no} format_version is missing`],
  ['of another format', text => text.replace('"1.0"', '"3.1"'), `${no} it has format "3.1" and not "1.0"`],
  [
    'without entries',
    text => text.replace('"entries"', '"entry"'),
    `${no} it must have required property 'entries'`,
  ],
  [
    'UTF-16',
    text => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'it is UTF-16, which PowerShell 5 writes; save it as UTF-8',
  ],
]

describe.each(damages)('a record that is %s', (_, damage, why) => {
  const damaged = async () => {
    const run = await lastRun()
    const file = `.vexil/runs/${run}.json`
    const bytes = damage(await readFile(at(file), 'utf8'))
    await writeFile(at(file), bytes)
    return { run, file, bytes: Buffer.from(bytes) }
  }

  it('is told of by what compares with it, and stays as it is', async () => {
    const { file, bytes } = await damaged()
    const line = `"${file}": ${why}, so its content is unknown; restore that file, or move it away`
    const planned = await vexil('plan --json')
    expect(planned.code).toBe(0)
    expect(planned.stderr.split('\n')).toContain(line)
    expect(JSON.parse(planned.stdout).notes).toContain(line)
    for (const command of ['plan', 'drift', 'retire', 'apply --auto-approve'])
      expect((await vexil(command)).stderr.split('\n'), command).toContain(line)
    expect(await readFile(at(file))).toEqual(bytes)
  })

  it('is no run that can be undone, and is listed', async () => {
    const { run, bytes, file } = await damaged()
    for (const named of ['last', run]) {
      const { requests, result } = await service.watch(() => vexil(`undo ${named} --auto-approve`))
      expect({ code: result.code, writes: requests.filter(isWrite) }).toEqual({ code: 3, writes: [] })
      expect(result.stderr).toContain(
        `the record of run "${run}" cannot be read: "${at(file)}": ${why}; check`,
      )
    }
    const [told] = JSON.parse((await vexil('history --json')).stdout).runs
    expect(told).toMatchObject({ run, state: 'unreadable', reason: why })
    expect(await readFile(at(file))).toEqual(bytes)
  })
})

it('says that the only apply cannot be read, and not that there was none', async () => {
  await declareFlags('  checkout: { name: First, active: true }')
  await vexil('apply --auto-approve')
  await edit('checkout', { name: 'Theirs' })
  const [file] = await records()
  await write({ [`.vexil/runs/${file}`]: '[]' })
  const { stderr } = await vexil('plan')
  expect(stderr).toContain('cannot be read: 1 live object will be overwritten with the declared values')
  expect(stderr).not.toContain('no recorded apply')
})

describe('a table of what was declared', () => {
  it.each(['', '[]', 'null', '{}', '{"feature_flag.checkout": null}'])('is told of as %j', async text => {
    const run = await lastRun()
    const { declared } = JSON.parse(await readFile(at(`.vexil/runs/${run}.json`), 'utf8'))
    const file = `.vexil/runs/declared/${declared}.json`
    await writeFile(at(file), text)
    const why = `"${file}": its content does not match its name`
    expect((await vexil('plan')).stderr).toContain(
      `${why}, so its content is unknown; restore that file, or move it away\n`,
    )
    expect((await vexil('history last')).stderr).toBe(`${why}, so unchanged objects are not listed\n`)
  })
})
