import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeFilterDifference, describeRelease, payloadText } from '../../src/targeting/index.ts'
import { useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench()
const flag = (payload: string) => `  checkout:
    active: true
    filters: { groups: [ { rollout_percentage: 10 } ], payloads: { "true": '${payload}' } }`

describe('the words for a payload', () => {
  it.each(['1.10', '-0', '1e2', '{"size":1.10}', '[-0,1.0]'])(
    'show the text that is sent: %s',
    async text => {
      const { vexil, declareFlags, flag: live } = bench()
      const words = text.startsWith('{') ? 'payload of "true"  size: 1.10' : `payload of "true": ${text}`
      const shown = text.startsWith('{') ? 'payload of "true": {"size":1.10}' : words
      await declareFlags(flag(text))
      expect((await vexil('plan --target checkout')).stdout).toContain(`${shown}\n`)
      await vexil('apply --auto-approve --target checkout')
      expect((await live('checkout')).filters).toMatchObject({ payloads: { true: text } })
      await declareFlags(flag('7'))
      const update = await vexil('apply --auto-approve --target checkout')
      expect(update.stdout).toContain('-> 7\n')
      const undo = await vexil('undo last --auto-approve')
      expect(undo.stdout).toContain(`payload of "true": 7 -> ${text}\n`)
      expect((await live('checkout')).filters).toMatchObject({ payloads: { true: text } })
    },
  )

  it('have each number as it is sent, and say nothing of one that is only written otherwise', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?$/)
    const filters = (payload: string) => ({ groups: [], payloads: { true: payload } })
    fc.assert(
      fc.property(digits, number => {
        expect(payloadText(number)).toBe(number)
        expect(describeRelease(filters(number))).toContain(`payload of "true": ${number}`)
        expect(describeFilterDifference(filters('"x"'), filters(number))).toEqual([
          `payload of "true": "x" -> ${number}`,
        ])
        expect(describeFilterDifference(filters(`[ ${number}]`), filters(`[${number}]`))).toEqual([])
      }),
    )
    expect(describeFilterDifference(filters('1.1'), filters('1.10'))).toEqual([])
    expect(describeFilterDifference({ groups: [] }, filters('null'))).toEqual([
      'payload of "true" added: null',
    ])
  })
})
