/** A test file as a user would write it, for one engine, where the test framework's words are globals. */
export function testFile(engine: string): string {
  return `
import { App, TerraformStack } from '${engine}'
import { FeatureFlag, Flag, When } from 'vexil/${engine}'
import { startSandbox, type TestSandbox } from 'vexil/testing'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

function aStack(percent: number): TerraformStack {
  const stack = new TerraformStack(new App(), 'flags')
  new Flag(stack, 'Nav', { key: 'nav', active: true, release: [When.everyone().at(percent)] })
  return stack
}

test('finds what a stack has', () => {
  expect(aStack(5)).toHaveResource(Flag, { key: 'nav', release: [expect.objectContaining({ rollout_percentage: 5 })] })
  expect(aStack(5)).not.toHaveResource(FeatureFlag, { key: 'other' })
  expect(() => expect(aStack(5)).toHaveResource('vexil_plugin')).toThrow('only vexil_feature_flag')
})

test('plans, applies, and plans nothing', async () => {
  await expect(aStack(5)).toPlan({ create: ['feature_flag.nav'] })
  await sandbox.apply(aStack(5))
  await expect(aStack(5)).toPlan({}, { on: sandbox })
  await expect(aStack(50)).toPlan({ update: 1 }, { on: sandbox })
  await expect(expect(aStack(50)).toPlan({}, { on: sandbox })).rejects.toThrow('nav')
  expect((await sandbox.flag('nav'))?.active).toBe(true)
})

// Never called: what matters is that the compiler sees it.
export function wrong(): void {
  // @ts-expect-error a class of constructs, or the name of a type
  expect(aStack(5)).toHaveResource(4)
  // @ts-expect-error a plan has no such part
  void expect(aStack(5)).toPlan({ creates: 1 })
}
`
}
