import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { everySort, placeIn, placesIn, withOther } from '../../support/json-places.ts'
import { isWrite, useWorkspace } from '../../support/workspace.ts'

/** The file with the values that the record of a run hides is read whole, or nothing of it is undone. */

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\nredact: [descriptions]\n' })
const { vexil, service, declareFlags, list } = workspace

async function valuesFile(): Promise<string> {
  for (const name of ['First', 'Second']) {
    await declareFlags(`  checkout: { name: ${name}, active: true }`)
    expect((await vexil('apply --auto-approve')).code).toBe(0)
  }
  return `.vexil/runs/values/${(await list('.vexil/runs/values')).at(-1)}`
}

async function undone(file: string, bytes: string | Buffer) {
  await writeFile(join(workspace().path, file), bytes)
  const { result, requests } = await service.watch(() => vexil('undo last'))
  return { ...result, writes: requests.filter(isWrite) }
}

const notHere = 'the record of the run hides its values, and the file with these values is missing'

it('is read whole or not at all, whatever stands in any place of it', async () => {
  const file = await valuesFile()
  const json: Json = JSON.parse(await readFile(join(workspace().path, file), 'utf8'))
  const whole = await undone(file, JSON.stringify(json))
  expect(whole.stdout).toContain('1 to change')
  const wrong: string[] = []
  for (const path of placesIn(json))
    for (const other of everySort) {
      const place = `${path.join('.')} = ${JSON.stringify(other)}`
      // Another text, or another value of the field, is as good.
      const isFree = / = "other"$|\.(before|after)\.name = |salt = |fingerprint = (undefined|null)$/.test(
        place,
      )
      if (isFree || JSON.stringify(placeIn(json, path)) === JSON.stringify(other)) continue
      const said = await undone(file, JSON.stringify(withOther(json, path, other)))
      const isRefused = said.code === 3 && said.stdout.includes(notHere) && said.writes.length === 0
      if (!isRefused) wrong.push(`${place}: ${said.code} ${said.stderr}${said.stdout}`)
    }
  expect(wrong).toEqual([])
})

describe.each<readonly [string, (text: string) => string | Buffer, string]>([
  ['empty', () => '', 'it is not JSON, or was cut off'],
  ['a list', () => '[]', 'it is not a file of values: it is a list and not an object'],
  [
    'without changes',
    text => text.replace('"changes"', '"change"'),
    'it is not a file of values: changes is missing',
  ],
  [
    'of another format',
    text => text.replace('"1.0"', '"2.0"'),
    'it has format "2.0", and this version reads 1.0',
  ],
  [
    'UTF-16',
    text => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'it is UTF-16, which PowerShell 5 writes; save it as UTF-8',
  ],
])('a file that is %s', (_, damage, why) => {
  it('is named with what is wrong, and stays as it is', async () => {
    const file = await valuesFile()
    const bytes = Buffer.from(damage(await readFile(join(workspace().path, file), 'utf8')))
    const said = await undone(file, bytes)
    expect({ code: said.code, stderr: said.stderr }).toEqual({
      code: 3,
      stderr: `"${file}": ${why}, so its values cannot be restored; restore that file\n`,
    })
    expect(await readFile(join(workspace().path, file))).toEqual(bytes)
  })
})
