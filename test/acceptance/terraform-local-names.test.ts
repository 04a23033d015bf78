import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTerraformPlan } from '../../src/stack/index.ts'
import { expectedKeys, keysLoaded, type Naming, namedFiles, projects } from '../stack/local-names.ts'
import { folderWith } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'
import { terraform } from './support/binary.ts'
import { installProvider } from './support/installed.ts'
import { openStack } from './support/stack.ts'

const world = {
  organizations: [
    {
      name: 'Shop',
      projects: [
        { id: Number(projects.own), name: 'One' },
        { id: Number(projects.eu), name: 'Two' },
      ],
    },
  ],
}

/** The last modules are given what they take, by names of their own. */
const given: Naming = {
  name: 'flags',
  given: 'nothing',
  calls: [
    { name: 'vexil', given: 'own', calls: [{ name: 'eu', given: 'own', calls: [] }] },
    { name: 'my-vexil', given: 'eu', calls: [{ name: 'my-vexil', given: 'nothing', calls: [] }] },
  ],
}

/** One module is given nothing, and calls the provider otherwise than who calls it. */
const silent: Naming = {
  name: 'flags',
  given: 'nothing',
  calls: [{ name: 'my-vexil', given: 'nothing', calls: [] }],
}

/** The same of a module that calls it as its types begin, of which Terraform writes another plan. */
const usual: Naming = { ...silent, calls: [{ name: 'vexil', given: 'nothing', calls: [] }] }

interface Applied {
  readonly service: Service
  readonly directory: string
}

/** Each configuration of an installed provider has a process of its own, as one that Terraform attaches to has not. */
async function withApplied(naming: Naming, work: (applied: Applied) => Promise<void>): Promise<void> {
  const service = await startService({ seed: world })
  const { env } = service
  const settings = { base_url: env.VEXIL_BASE_URL, api_key: env.VEXIL_API_KEY }
  const stack = await openStack(namedFiles(naming, settings), { HOME: home.path })
  try {
    await stack.succeed('init', '-no-color', '-input=false')
    await stack.succeed('plan', '-no-color', '-input=false', '-out=made.plan')
    await stack.write({ 'plan.json': await stack.succeed('show', '-json', 'made.plan') })
    await stack.succeed('apply', '-no-color', 'made.plan')
    await work({ service, directory: stack.directory })
  } finally {
    await stack.remove()
    await service.close()
  }
}

async function keysAt({ service }: Applied, project: string): Promise<string[]> {
  // What the interface answers with.
  const { results } = (await service.get(`/api/projects/${project}/feature_flags/`)) as {
    results: { key: string }[]
  }
  return results.map(({ key }) => key).sort()
}

const liveKeys = async (stack: Applied) => ({
  own: await keysAt(stack, projects.own),
  eu: await keysAt(stack, projects.eu),
})

function planned({ directory }: Applied) {
  return (provider: string) => loadTerraformPlan({ path: join(directory, 'plan.json'), directory, provider })
}

let home: Awaited<ReturnType<typeof folderWith>>
beforeAll(async () => {
  home = await folderWith({})
  await installProvider(home.path)
})
afterAll(() => home.remove())

describe.skipIf(!terraform)('modules that call the provider by names of their own', () => {
  it.each([
    ['each is given one', given],
    ['one is given none', usual],
  ])('go where Vexil takes them, where %s', async (_, naming) => {
    await withApplied(naming, async stack => {
      expect(await liveKeys(stack)).toEqual(expectedKeys(naming))
      expect(await keysLoaded(naming, planned(stack))).toEqual(expectedKeys(naming))
    })
  })

  it('are refused in a plan that does not tell where they go', async () => {
    await withApplied(silent, async stack => {
      expect(await liveKeys(stack)).toEqual(expectedKeys(silent))
      await expect(keysLoaded(silent, planned(stack))).rejects.toThrow(
        'module.m0.vexil_feature_flag.it.provider: the plan does not show which configuration of the provider module.m0 uses; pass a configuration in the call of the module, providers = { my-vexil = flags }, and remove an empty provider block',
      )
    })
  })
})
