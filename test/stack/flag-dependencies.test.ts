import { expect, it } from 'vitest'
import { loadStack } from '../../src/stack/index.ts'
import { inFolder } from '../support/folder.ts'

const naming = (key: string) => ({
  active: true,
  release: [{ properties: [{ key, type: 'flag', operator: 'flag_evaluates_to', value: 'true' }] }],
})

function load(flags: Readonly<Record<string, object>>) {
  const stack = { provider: { vexil: [{ project_id: '1' }] }, resource: { vexil_feature_flag: flags } }
  return inFolder({ 'cdk.tf.json': JSON.stringify(stack) }, folder =>
    loadStack({ folder, directory: folder, variables: new Map(), env: {} }),
  )
}

it.each(['key', 'id'])('a stack names another flag by a reference to its %s', async attribute => {
  const { declarations, problems } = await load({
    base: { key: 'base', active: true, release: [] },
    naming: { key: 'naming', ...naming(`\${vexil_feature_flag.base.${attribute}}`) },
  })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const named = declarations.desired.find(({ identity }) => identity === 'naming')
  expect(named?.fields.filters).toMatchObject({ groups: [{ properties: [{ key: 'base', type: 'flag' }] }] })
})

it('a stack takes no id of a flag where a condition is about a person', async () => {
  const properties = [{ key: '${vexil_feature_flag.base.id}', type: 'person', value: 'true' }]
  const { problems } = await load({
    base: { key: 'base', active: true, release: [] },
    person: { key: 'person', active: true, release: [{ properties }] },
  })
  expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
    'vexil_feature_flag.person.release: it comes from vexil_feature_flag.base.id, which only the service knows',
  ])
})

it('a stack is told of flags that wait for each other', async () => {
  const { problems } = await load({
    left: { key: 'a', ...naming('b') },
    right: { key: 'b', ...naming('a') },
  })
  expect(problems.filter(({ code }) => code === 'flag-circle').map(({ message }) => message)).toEqual([
    'vexil_feature_flag.left: its conditions lead back to it: a -> b -> a',
  ])
})
