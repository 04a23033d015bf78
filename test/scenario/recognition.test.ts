import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { facts } from '../../src/services/facts.ts'
import { startService } from '../support/service.ts'
import { aWorkspace } from '../support/workspace.ts'

const files = {
  'vexil.yaml': 'version: 1\n',
  'declarations.yaml': 'feature_flags:\n  fresh: { name: Fresh, active: false }\n',
}

describe.each(profiles)('a plan for the service %s that nobody named', profile => {
  it('says at its head which it is, and sends what it sends where it was named', async () => {
    const service = await startService({ seed: sampleWorld, profile })
    const workspace = await aWorkspace(service, files)
    const auto = await service.watch(() => workspace.vexil('plan --profile auto'))
    const named = await service.watch(() => workspace.vexil(`plan --profile ${profile}`))
    const [said, alone] = [auto, named].map(({ result }) =>
      result.stdout.replace(/ --profile .*/, '').split('\n'),
    )
    const line = `API profile: ${profile} (${facts[profile].title})`
    expect(said).toContain(line)
    expect(said?.filter(each => each !== line)).toEqual(alone)
    // Those that are sent at the same time arrive in any order.
    expect(auto.requests.toSorted()).toEqual(named.requests.toSorted())
    const { stdout } = await workspace.vexil('plan --profile auto --json')
    expect(JSON.parse(stdout).target).toMatchObject({ profile, known: 'recognized' })
    const { stdout: told } = await workspace.vexil(`plan --profile ${profile} --json`)
    expect(JSON.parse(told).target).toMatchObject({ profile, known: 'set' })
    await service.close()
    await workspace.remove()
  })

  it('says that no answer has told where there is nothing yet, and which it is once something was written', async () => {
    const service = await startService({ profile })
    const workspace = await aWorkspace(service, files)
    const before = await workspace.vexil('plan --profile auto --out plan.json')
    expect(before.stdout).toContain(
      '\nAPI profile: documented (the documented interface), assumed until an answer shows it\n',
    )
    expect(JSON.parse(await workspace.read('plan.json')).target).toMatchObject({
      profile: 'documented',
      known: 'assumed',
    })
    await workspace.vexil('apply --profile auto plan.json')
    const after = await workspace.vexil('plan --profile auto')
    expect(after.stdout).toMatch(
      new RegExp(`^No changes: [^]*\\nAPI profile: ${profile} \\(${facts[profile].title}\\)\\n`),
    )
    await service.close()
    await workspace.remove()
  })
})
