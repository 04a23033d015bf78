import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { start, vexil } from '../support/running.ts'
import { useWorkspace } from '../support/workspace.ts'
import { startProvider } from '../terraform/support/start-provider.ts'
import { foundNodes, nodeOf } from './nodes.ts'

const workspace = useWorkspace()

it.skipIf(foundNodes().length > 0)('with Nodes that npm run nodes fetches', context => context.skip())

describe.each(foundNodes())('Node %s', version => {
  const node = nodeOf(version)
  const command = (...words: string[]) => start(node, [vexil, ...words], workspace()).ended

  it('runs commands, and puts no word of its own on standard error', async () => {
    expect(await command('--version')).toMatchObject({ code: 0, stderr: '' })
    expect(await command('validate')).toMatchObject({ code: 0, stderr: '' })
    expect(await command('plan', '--detailed-exitcode')).toMatchObject({ code: 2, stderr: '' })
    expect(await command('apply', '--auto-approve')).toMatchObject({ code: 0, stderr: '' })
    expect(await command('plan', '--detailed-exitcode')).toMatchObject({ code: 0, stderr: '' })
  })

  it('opens the database of the embedded sandbox', async () => {
    expect(await command('plan', '--sandbox', '--detailed-exitcode')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^sandbox: made in .+\n$/),
    })
  })

  it('serves the provider', async () => {
    const { child, handshake } = await startProvider([node, built('terraform/vexil-provider.cjs')])
    const said = text(child.stderr!)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    expect(handshake.slice(0, 3)).toEqual(['1', '6', 'unix'])
    expect(await said).toBe('')
  })
})
