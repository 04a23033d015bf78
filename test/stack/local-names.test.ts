import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { loadStack } from '../../src/stack/index.ts'
import { inFolder } from '../support/folder.ts'
import { expectedKeys, keysRead, stackNaming } from './local-names.ts'

/** Reads a stack with one flag whose providers are written so. */
async function read(required: object, provider: object, flag: object = {}) {
  const json = {
    terraform: { required_providers: required },
    provider,
    resource: { vexil_feature_flag: { it: { key: 'it', active: false, ...flag } } },
  }
  return inFolder({ 'cdk.tf.json': JSON.stringify(json) }, async folder => {
    const options = { folder, directory: folder, variables: new Map(), env: {} }
    const { problems, connection } = await loadStack(options)
    return { connection, problems: problems.map(({ source: _, ...problem }) => problemLine(problem)) }
  })
}

const ours = { source: 'vexil/vexil' }
const two = { project_id: '2' }

describe('a module that calls the provider by a name of its own', () => {
  it('takes the configuration that it is given, or that of its caller, whatever each calls it', async () => {
    await fc.assert(
      fc.asyncProperty(stackNaming, async stack => {
        expect(await keysRead(stack)).toEqual(expectedKeys(stack))
      }),
    )
  })

  it.each([
    ['the usual name', { vexil: ours }, { vexil: two }, {}],
    [
      'a registry before the name',
      { flags: { source: 'registry.terraform.io/Vexil/vexil' } },
      { flags: two },
      { provider: 'flags' },
    ],
    [
      'a copy in a registry of the company',
      { vexil: { source: 'app.terraform.io/shop/vexil' } },
      { vexil: two },
      {},
    ],
    ['no names at all', {}, { vexil: two }, {}],
  ])('is read with %s', async (_, required, provider, flag) => {
    expect(await read(required, provider, flag)).toEqual({ connection: { project: '2' }, problems: [] })
  })

  const none = 'vexil_feature_flag.it.provider: the provider does not have this configuration; there are'
  it.each([
    [
      'a name that nobody declares',
      { vexil: ours },
      { vexil: two },
      { provider: 'flags' },
      [`${none} vexil`],
    ],
    [
      'the name of another provider',
      { vexil: ours, aws: { source: 'hashicorp/aws' } },
      { vexil: two, aws: {} },
      { provider: 'aws' },
      [`${none} vexil`],
    ],
    ['no name, where its type begins otherwise', { flags: ours }, { flags: two }, {}, [`${none} flags`]],
    [
      'a block by the usual name, where it has another',
      { flags: ours },
      { vexil: two },
      { provider: 'flags' },
      [
        'provider.vexil: the local name of vexil/vexil in required_providers is "flags"; write "flags" here too',
      ],
    ],
    ['a reference in braces', { flags: ours }, { flags: two }, { provider: '${flags}' }, [`${none} flags`]],
    ['what is not a valid name', { vexil: ours }, { vexil: two }, { provider: 5 }, [`${none} vexil`]],
  ])('refuses a resource with %s', async (_, required, provider, flag, lines) => {
    expect((await read(required, provider, flag)).problems).toEqual(lines)
  })
})
