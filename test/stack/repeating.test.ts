import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { problemsOf } from './load.ts'

const off = { active: false }

describe('what repeats itself ends', () => {
  const range = 'range(1000)'
  it.each([
    [
      'loops within each other',
      `\${length([for a in ${range} : [for b in ${range} : [for c in ${range} : [for d in ${range} : 1]]]])}`,
      'going through more than 1000000 elements',
    ],
    [
      'texts that grow',
      `\${length(join("", [for a in ${range} : format("%9999s%9999s", "", "")]))}`,
      'a text of more than 16777216 characters',
    ],
    ['long formats', '${format("%999999999s", "")}', 'a text of more than 16777216 characters'],
    [
      'products',
      `\${length(setproduct(${range}, ${range}, ${range}))}`,
      'a list of more than 1000000 elements',
    ],
  ])('%s', async (_, text, words) => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off, name: text })
    })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(words)
  })

  it('values that hold each other twice', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off, name: '${length(local.l40)}' })
      stack.addOverride('locals.l0', ['x', 'y'])
      for (let level = 1; level <= 40; level++)
        stack.addOverride(`locals.l${level}`, [`\${local.l${level - 1}}`, `\${local.l${level - 1}}`])
    })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('a value of more than 2000000 parts')
  })
})
