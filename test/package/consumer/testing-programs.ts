/** A test file as a user would write it, for one engine, where the test framework's words are globals. */
export function testFile(engine: string): string {
  return `
import { Annotations, App, TerraformOutput, TerraformStack } from '${engine}'
import { DataVexilFeatureFlag, FeatureFlag, Flag, Role, VexilProvider, When } from 'vexil/${engine}'
import { absent, capture, startSandbox, type TestSandbox } from 'vexil/testing'

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

test('finds all that there is a matcher for', () => {
  const stack = aStack(5)
  new VexilProvider(stack, 'vexil', { projectId: '7' })
  const support = Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support')
  const other = new Flag(stack, 'Other', { key: 'other', active: false })
  other.grants.edit(support)
  Flag.fromKey(stack, 'Theirs', 'theirs')
  new TerraformOutput(stack, 'other', { value: other.id, description: 'The other' })
  Annotations.of(other).addWarning('off')
  const percent = capture<number>()
  expect(stack).toHaveResource(Flag, { key: 'nav', projectId: absent(), release: [{ rolloutPercentage: percent }] }, { times: 1 })
  expect(percent.value.toFixed(1)).toBe('5.0')
  expect(stack).toHaveResourceCount(Flag, 2)
  expect(stack).toHaveNoResource(Flag, { active: expect.any(String) })
  expect(stack).toHaveDataSource(DataVexilFeatureFlag, { key: 'theirs' })
  expect(stack).toHaveProvider(VexilProvider, { projectId: '7' })
  expect(stack).toHaveOutput('other', { description: expect.stringMatching(/^The/) })
  expect(stack).toHaveGrant('other', support)
  expect(stack).toHaveAnnotation('warning', /^off$/, { at: 'flags/Other' })
  expect(stack).toHaveNoAnnotation('error')
  expect(() => expect(stack).toHaveResource(Flag, { actve: true })).toThrow('did you mean "active"?')
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
  // @ts-expect-error an option that there is not
  expect(aStack(5)).toHaveResource(Flag, {}, { time: 1 })
  // @ts-expect-error a level that there is not
  expect(aStack(5)).toHaveAnnotation('warn')
  // @ts-expect-error a count is a number
  expect(aStack(5)).toHaveResourceCount(Flag, '2')
  // @ts-expect-error a capture gives what it is made for
  capture<string>().value.toFixed(1)
  // @ts-expect-error a plan has no such part
  void expect(aStack(5)).toPlan({ creates: 1 })
}
`
}
