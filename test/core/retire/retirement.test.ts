import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Hold, mergeAlike, progressOf, type Standing, valueName } from '../../../src/core/retirement.ts'
import { holdKinds, retireSteps } from '../../../src/model/removal.ts'

const standing = (
  declared: Standing['declared'],
  value: Standing['value'] = declared === 'on',
  environment?: string,
): Standing => ({ environment, declared, value })

const hold = (kind: Hold['kind'], more: Partial<Hold> = {}): Hold => ({
  ...{ kind, what: 'it is so', remedy: 'change it' },
  ...more,
})

const reference = hold('reference')

describe('the next step of a removal', () => {
  it.each<[string, readonly Standing[], readonly Hold[], string]>([
    ['people get different values', [{ ...standing('on'), value: undefined }], [], 'decide'],
    ['the same, in code', [{ ...standing('on'), value: undefined }], [reference], 'decide'],
    ['everybody gets it, in code', [standing('on')], [reference], 'code'],
    [
      'everybody gets it, in code that is allowed',
      [standing('on')],
      [{ ...reference, isAllowed: true }],
      'off',
    ],
    ['everybody gets it', [standing('on')], [], 'off'],
    ['nobody gets it, by its conditions', [standing('on', false)], [], 'off'],
    ['everybody gets a variant', [standing('on', 'blue')], [], 'off'],
    ['it is off, in code', [standing('off')], [reference], 'code'],
    ['it is off', [standing('off')], [], 'absent'],
    ['it is absent', [standing('absent')], [], 'forget'],
    ['it is absent, in code', [standing('absent')], [reference], 'forget'],
  ])('where %s', (_, standings, holds, step) => {
    expect(progressOf(standings, holds).step).toBe(step)
  })

  it('is the earliest that an environment lacks, and is taken there alone', () => {
    const standings = [standing('absent', false, 'a'), standing('on', true, 'b'), standing('off', false, 'c')]
    expect(progressOf(standings, [])).toEqual({ step: 'off', environments: ['b'], holding: [] })
  })

  it('is held by what is so there or everywhere, and by nothing that is allowed', () => {
    const here = hold('experiment', { environment: 'b' })
    const everywhere = hold('audience')
    const holds = [
      here,
      everywhere,
      hold('experiment', { environment: 'a' }),
      hold('survey', { environment: 'b', isAllowed: true }),
      hold('waiting', { environment: 'b' }),
    ]
    const standings = [standing('off', false, 'a'), standing('on', true, 'b')]
    expect(progressOf(standings, holds).holding).toEqual([here, everywhere])
  })

  it('leads to the end: each step that is written brings the next one', () => {
    const anyStanding = fc.record({
      environment: fc.constantFrom('a', 'b', 'c'),
      declared: fc.constantFrom('on' as const, 'off' as const, 'absent' as const),
      value: fc.constantFrom(true, false, 'blue', undefined),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(anyStanding, { minLength: 1, maxLength: 3, selector: each => each.environment }),
        start => {
          let standings: readonly Standing[] = start
          const taken: number[] = []
          for (let calls = 0; calls < 9; calls += 1) {
            const { step, environments } = progressOf(standings, [])
            taken.push(retireSteps.indexOf(step))
            if (step === 'forget') break
            expect(environments.length).toBeGreaterThan(0)
            standings = standings.map(each =>
              environments.includes(each.environment) ? afterStep(each, step) : each,
            )
          }
          expect(taken.at(-1)).toBe(retireSteps.indexOf('forget'))
          expect(taken).toEqual([...taken].sort())
          expect(new Set(taken).size).toBe(taken.length)
        },
      ),
    )
  })

  it('is held by each kind of thing somewhere', () => {
    const all = [standing('on', undefined), standing('on'), standing('off'), standing('absent')]
    for (const kind of holdKinds) {
      const holding = [{ ...standing('on'), value: undefined }, ...all.slice(1)].flatMap(
        each => progressOf([each], [hold(kind)]).holding,
      )
      expect(holding.length, kind).toBeGreaterThan(0)
    }
  })
})

function afterStep(before: Standing, step: string): Standing {
  switch (step) {
    case 'decide':
      return { ...before, value: true }
    case 'off':
      return { ...before, declared: 'off', value: false }
    default:
      return { ...before, declared: 'absent', value: false }
  }
}

describe('what holds a flag', () => {
  it('is told once where it is so in every environment, and else for each', () => {
    const one = (environment: string, kind: Hold['kind']) => hold(kind, { environment })
    const holds = [one('a', 'dependent'), one('b', 'dependent'), one('b', 'experiment')]
    expect(mergeAlike(holds, ['a', 'b'])).toEqual([hold('dependent'), one('b', 'experiment')])
    expect(mergeAlike(holds.slice(0, 1), ['a'])).toEqual(holds.slice(0, 1))
  })
})

describe('a value', () => {
  it.each([
    [true, 'on'],
    [false, 'off'],
    ['blue', 'variant blue'],
  ])('%s is called %s', (value, name) => {
    expect(valueName(value)).toBe(name)
  })
})
