import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../src/model/text/json.ts'
import '../../src/testing/vitest.ts'
import { folderOfTest } from '../support/folder.ts'
import { everySort, placesIn, withOther } from '../support/json-places.ts'

/** A stack that somebody else has synthesized: what it has is never taken for missing. */

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
})

const stack: Json = { resource: { vexil_feature_flag: { a: { key: 'a' } } } }

function outcome(bytes: string | Buffer): string {
  writeFileSync(join(folder, 'cdk.tf.json'), bytes)
  try {
    expect(folder).not.toHaveResource('vexil_feature_flag')
    return 'the flag has no conditions'
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

it('says that a stack lacks a resource only where each block is one, whatever stands in any place', () => {
  expect(outcome(JSON.stringify(stack))).not.toBe('the flag has no conditions')
  const lacking: string[] = []
  for (const path of placesIn(stack))
    for (const other of everySort) {
      const place = `${path.join('.')} = ${JSON.stringify(other)}`
      // An empty stack, or one without such a resource, and attributes, which may be anything.
      if (path.length > 3 || / = (undefined|null|\{\}|)$/.test(place)) continue
      if (path.length === 1 && JSON.stringify(other) === '{"a":1}') continue
      const said = outcome(JSON.stringify(withOther(stack, path, other)))
      if (said === 'the flag has no conditions' || /Cannot read|undefined/.test(said))
        lacking.push(`${place}: ${said}`)
    }
  expect(lacking).toEqual([])
})

describe.each<readonly [string, string | Buffer, string]>([
  ['empty', '', 'is not JSON; synthesize the app again'],
  ['cut off', '{"resource":', 'is not JSON; synthesize the app again'],
  ['a list', '[]', 'is not a synthesized stack: it is a list and not an object; synthesize the app again'],
  ['null', 'null', 'is not a synthesized stack: it is null and not an object; synthesize the app again'],
  [
    'UTF-16',
    Buffer.from(`\ufeff${JSON.stringify(stack)}`, 'utf16le'),
    'is UTF-16, which PowerShell 5 writes; save it as UTF-8',
  ],
])('a stack that is %s', (_, bytes, why) => {
  it('is named with what is wrong', () => {
    expect(outcome(bytes)).toBe(`"${join(folder, 'cdk.tf.json')}" ${why}`)
  })
})

it('reads a stack with a byte order mark as if without', () => {
  writeFileSync(join(folder, 'cdk.tf.json'), `\ufeff${JSON.stringify(stack)}`)
  expect(folder).toHaveResource('vexil_feature_flag', { key: 'a' })
})
