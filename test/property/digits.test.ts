import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal } from '../../src/hcl/json.ts'
import type { Json } from '../../src/model/text/json.ts'
import { writeJson } from '../../src/model/text/json-text.ts'
import { getAt } from '../../src/model/text/pointer.ts'
import { aNumberText } from '../support/number-texts.ts'
import { rounds } from '../support/rounds.ts'
import {
  flagsPath,
  organization,
  useWorkspace as useBench,
  writeTwoEnvironments,
} from '../support/workspace.ts'

const seed = {
  organizations: [
    {
      id: organization,
      name: 'Example',
      projects: [
        { id: 1, name: 'Production' },
        { id: 2, name: 'Staging' },
      ],
    },
  ],
}
const bench = useBench({}, { seed })

/** A number as people may write it in YAML. */
const written = fc.oneof(
  aNumberText,
  fc.nat().map(number => `+${number}`),
  fc.nat().map(number => `.${number}`),
  fc.nat().map(number => `${number}.`),
  fc.integer({ min: 1, max: 99 }).map(number => `${number}.${number}0`),
  fc.bigInt({ min: 0n, max: 2n ** 80n }).map(number => `0x${number.toString(16)}`),
  fc.bigInt({ min: 0n, max: 2n ** 80n }).map(number => `0o${number.toString(8)}`),
)

const property = (value: string) => `{ key: n, type: person, operator: exact, value: ${value} }`
const groups = (value: string) => `groups: [ { properties: [ ${property(value)} ], rollout_percentage: 1 } ]`

/** Where a number may stand: the filters with it, and where it is found in what is live. */
const places: readonly (readonly [(text: string) => string, string])[] = [
  [text => `{ ${groups(text)} }`, '/groups/0/properties/0/value'],
  [text => `{ ${groups(`[a, ${text}, b]`)} }`, '/groups/0/properties/0/value/1'],
  [text => `{ ${groups('1')}, payloads: { "true": ${text} } }`, '/payloads/true'],
  [text => `{ ${groups('1')}, payloads: { "true": { a: [${text}] } } }`, '/payloads/true'],
  [text => `{ ${groups('1')}, payloads: { "true": '${text}' } }`, '/payloads/true'],
]

const aNumber = fc.tuple(written, fc.constantFrom(...places)).map(([text, [place, pointer]]) => ({
  text,
  declared: place(text),
  pointer,
}))

function decimalOf(text: string): string {
  return /^0[xo]/.test(text) ? String(BigInt(text)) : canonicalDecimal(text)
}

interface Written {
  readonly text: string
  readonly declared: string
  readonly pointer: string
}

function declarations(numbers: readonly Written[]): string {
  const flags = numbers.map(
    ({ declared }, index) => `  flag_${index}:\n    active: false\n    filters: ${declared}\n`,
  )
  return `feature_flags:\n${flags.join('')}`
}

interface LiveFlag {
  readonly id: number
  readonly key: string
  readonly filters: Json
}

const pathOf = (project: number) => flagsPath.replace('/1/', `/${project}/`)

async function liveFlags(project: number): Promise<readonly LiveFlag[]> {
  const { results } = (await bench().service.get(`${pathOf(project)}/`)) as { results: readonly LiveFlag[] }
  return results
}

/** The numbers in the flags of a project, as their texts on the wire. */
async function wireTexts(project: number, numbers: readonly Written[]): Promise<string[]> {
  const flags = await liveFlags(project)
  return numbers.map(({ pointer }, index) => {
    const flag = flags.find(({ key }) => key === `flag_${index}`)
    const found = getAt(flag?.filters ?? null, pointer) ?? null
    const text = typeof found === 'string' ? found : writeJson(found)
    return text.replace(/^\{"a":\[(.*)\]\}$/, '$1')
  })
}

async function removeAll(): Promise<void> {
  for (const project of [1, 2])
    for (const { id } of await liveFlags(project))
      await bench().service.send('PATCH', `${pathOf(project)}/${id}/`, { deleted: true, key: `gone_${id}` })
}

describe('the digits of a number', () => {
  it('are those of the file on the wire, or the file is told, and those of the wire in an export', async () => {
    const env = await writeTwoEnvironments(bench())
    const run = async (line: string) => {
      const result = await bench().vexil(line, { env })
      expect(result.code, result.stdout + result.stderr).toBe(0)
      return result
    }
    await fc.assert(
      fc.asyncProperty(fc.array(aNumber, { minLength: 12, maxLength: 12 }), async numbers => {
        const { write } = bench()
        await write({ 'flags.yaml': declarations(numbers) })
        const { stderr } = await run('validate')
        // All flags of the round before were deleted in the product.
        await run('apply --env production --auto-approve --allow live_edit=*')
        const wire = await wireTexts(1, numbers)
        for (const [index, { text, declared }] of numbers.entries()) {
          const sent = wire[index] ?? ''
          // A payload in quotes is sent as it is where it is JSON, and else as the text that it is.
          if (declared.includes(`'${text}'`)) expect([text, JSON.stringify(text)]).toContain(sent)
          else {
            expect(canonicalDecimal(sent)).toBe(decimalOf(text))
            const isTold = stderr.includes(`${shown(text)} is read as`)
            expect(sent === text || decimalOf(text) === text || isTold, `${text}: ${stderr}`).toBe(true)
          }
        }
        const { stdout } = await run('export --env production --kind feature_flag')
        await write({ 'flags.yaml': stdout })
        await run('plan --env production --detailed-exitcode')
        await run('apply --env staging --auto-approve --allow live_edit=*')
        expect(await wireTexts(2, numbers)).toEqual(wire)
        await removeAll()
      }),
      { numRuns: rounds(50) },
    )
  })
})

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text
}
