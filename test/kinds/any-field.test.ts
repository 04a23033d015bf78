import { describe, expect, it, vi } from 'vitest'
import { text } from '../../src/constructs/argument.ts'
import { flagArguments } from '../../src/constructs/flag/flag.ts'
import { emitConstructs } from '../../src/generate/emit-constructs.ts'
import { terraformDocs } from '../../src/generate/terraform-docs.ts'
import { referenceParts } from '../../src/schema/reference.ts'
import { publishedSchemas } from '../../src/schema/schemas.ts'
import { playTerraform } from '../terraform/resources/play.ts'
import { useWatchedWorkspace } from './support/service.ts'

vi.mock('../../src/kinds/feature-flag.ts', async original => {
  const { withSeverity } = await import('./support/severity.ts')
  const { featureFlag } = await original<typeof import('../../src/kinds/feature-flag.ts')>()
  return { featureFlag: withSeverity(featureFlag) }
})
vi.mock('../../src/schema/validators.generated.js', async () => {
  const { compiledValidators } = await import('./support/compiled-validators.ts')
  return compiledValidators()
})

const flags = '/api/projects/1/feature_flags/'
const checkout = (severity: string) =>
  `feature_flags: { checkout: { active: true, filters: { groups: [{}] }, severity: ${severity} } }\n`

const { service, workspace } = useWatchedWorkspace()
const vexil = (line: string) => workspace().vexil(line)

/** Filters of one condition as they are written. */
const sent = (condition: string) =>
  `{"groups":[${condition}],"multivariate":null,"payloads":{},"aggregation_group_type_index":null}`

describe('a field that is added to the description of a flag', () => {
  it('is validated', async () => {
    await workspace().write({ 'flags.yaml': checkout('hihg') })
    expect(await vexil('validate')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('severity'),
    })
  })

  it('is sent with a new flag and, alone, when it changes', async () => {
    await workspace().write({ 'flags.yaml': checkout('low') })
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0, stderr: '' })
    expect(service().writes()).toEqual([
      `POST ${flags} {"key":"checkout","active":true,"filters":${sent('{}')},"severity":"low"}`,
    ])
    await workspace().write({ 'flags.yaml': checkout('high') })
    expect((await vexil('plan')).stdout).toContain('severity: "low" -> "high"')
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(service().writes()).toEqual([`PATCH ${flags}1/ {"severity":"high"}`])
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(service().writes()).toEqual([`PATCH ${flags}1/ {"severity":"low"}`])
  })

  it('is exported and read', async () => {
    expect((await vexil('export')).stdout).toContain('severity: low')
    const called = await vexil('call feature_flag.read id=1')
    expect(JSON.parse(called.stdout)).toMatchObject({ severity: 'low' })
  })

  it('is an attribute of the resource and of the data source', async () => {
    const terraform = await playTerraform(service())
    const config = { key: 'banner', active: false, severity: 'low' }
    const kept = await terraform.apply('feature_flag', config)
    expect(service().writes()).toEqual([
      `POST ${flags} {"key":"banner","active":false,"severity":"low","filters":${sent('{"properties":[],"rollout_percentage":null}')}}`,
    ])
    await terraform.apply('feature_flag', { ...config, severity: 'high' }, kept)
    expect(service().writes()).toEqual([`PATCH ${flags}2/ {"severity":"high"}`])
    expect(await terraform.data('feature_flag', { key: 'banner' })).toMatchObject({ severity: 'high' })
  })

  it('is in the schemas, the reference, the pages and the generated construct', async () => {
    const schemas = publishedSchemas()
    for (const name of ['feature_flag', 'declarations'])
      expect(JSON.stringify(schemas[`${name}.schema.json`])).toContain('"severity"')
    expect(referenceParts().fields).toContain('| `severity` | `low`, `high` | How bad it is when it fails. |')
    const pages = new Map(terraformDocs().map(page => [page.path, page.text]))
    for (const page of ['resources/feature_flag.md', 'data-sources/feature_flag.md'])
      expect(pages.get(page)).toContain('`severity`')
    const constructs = new Map((await emitConstructs()).map(each => [each.path, each.text]))
    expect(constructs.get('feature-flag/index.ts')).toContain(
      "readonly severity?: 'low' | 'high' | cdktf.IResolvable;",
    )
    // Our own construct hands it on to the generated one.
    expect(flagArguments).toHaveProperty('severity', text)
  })
})
