import { beforeEach, describe, expect, it } from 'vitest'
import { officialConfiguration, officialState, takenOverWorld } from '../stack/state/official-state.ts'
import { isWrite, support, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({}, { seed: takenOverWorld, profile: 'posthog-2026' })

function filesIn(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
}

/** What is told when this stands in the configuration alone. */
async function told(text: string) {
  const { vexil, write } = workspace()
  await write({ 'other/main.tf': text })
  return vexil('export --from-configuration other')
}

const notARole = 'not taken over: posthog_role.support: Vexil manages none of these\n'

beforeEach(async () => {
  await workspace().write({
    'terraform.tfstate': await officialState(),
    ...filesIn('live', officialConfiguration),
  })
})

describe('vexil export --from-configuration', () => {
  it.each(['', '--moved', '--raw', '--format ts', '--format yaml'])(
    'writes what the state of the same configuration gives: %s',
    async options => {
      const { vexil, service } = workspace()
      const ofState = await vexil(`export --from-state terraform.tfstate ${options}`)
      expect(ofState.code).toBe(0)
      expect(ofState.stdout).toContain('new_checkout')
      const { result, requests } = await service.watch(() =>
        vexil(`export --from-configuration live ${options}`),
      )
      expect(requests.filter(isWrite)).toEqual([])
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: ofState.stdout })
      // Only a configuration has the role itself.
      expect(result.stderr).toContain(notARole)
    },
  )

  it('takes values of the environment where no file gives them', async () => {
    const { vexil, write, service } = workspace()
    await write({ 'live/terraform.tfvars': '' })
    const without = await vexil('export --from-configuration live')
    expect(without.stderr).toContain('var.country: it has no value')
    const given = await vexil('export --from-configuration live', {
      env: { ...service.env, TF_VAR_country: 'DE' },
    })
    expect(given.stderr).toBe(notARole)
    const other = await vexil('export --from-configuration live', {
      env: { ...service.env, TF_VAR_country: 'AT' },
    })
    expect(other.stderr).toContain(
      'live is not as the configuration has it, and was written: posthog_feature_flag.new_checkout: filters\n',
    )
  })

  it('tells what it does not take over and why', async () => {
    const { code, stdout, stderr } = await told(`
data "aws_ssm_parameter" "name" { name = "flag" }
variable "secret" {
  default   = "share"
  sensitive = true
}
resource "posthog_dashboard" "sales" { name = "Sales" }
resource "posthog_feature_flag" "fetched" { key = data.aws_ssm_parameter.name.value }
resource "posthog_feature_flag" "hidden" { key = var.secret }
resource "posthog_feature_flag" "gone" { key = "not_applied_yet" }
resource "posthog_feature_flag" "nameless" { active = true }
resource "posthog_feature_flag" "elsewhere" {
  key        = "share"
  project_id = "2"
}
resource "posthog_feature_flag" "one" { key = "share" }
resource "posthog_feature_flag" "twice" { key = "share" }
resource "vexil_feature_flag" "mine" { key = "many_a" }
resource "posthog_feature_flag" "yours" { key = "many_a" }
resource "posthog_access_control" "unknown" {
  resource    = "feature_flag"
  resource_id = posthog_feature_flag.one.id
  role        = data.aws_ssm_parameter.name.value
}
resource "posthog_access_control" "everybody" {
  resource    = "feature_flag"
  resource_id = posthog_feature_flag.one.id
}
resource "posthog_access_control" "not_granted" {
  resource    = "feature_flag"
  resource_id = posthog_feature_flag.one.id
  role        = "${support}"
}
module "fetched" {
  source = "terraform-aws-modules/vpc/aws"
}
`)
    expect(code).toBe(0)
    const lines = stderr.split('\n').slice(0, -1)
    expect(lines.filter(line => line.startsWith('not taken over: ')).sort()).toEqual(
      [
        'posthog_dashboard.sales: Vexil manages none of these',
        'posthog_feature_flag.fetched: its key is not known: it comes from data.aws_ssm_parameter.name, which only Terraform knows; take it over of the state',
        'posthog_feature_flag.hidden: its key is not known: it comes from var.secret, which is sensitive; take it over of the state',
        'posthog_feature_flag.gone: no flag "not_applied_yet" is live; run terraform apply first',
        'posthog_feature_flag.nameless: its key is not known: it is left out; take it over of the state',
        'posthog_feature_flag.elsewhere: it is in project 2; export it with --project 2',
        'posthog_feature_flag.twice: posthog_feature_flag.one is the same object',
        'posthog_feature_flag.yours: vexil_feature_flag.mine is the same object',
        'posthog_access_control.unknown: its role is not known: it comes from data.aws_ssm_parameter.name, which only Terraform knows; take it over of the state',
        'posthog_access_control.everybody: it is for a person or for everybody, and Vexil grants to roles',
        'posthog_access_control.not_granted: no such grant is live; run terraform apply first',
      ]
        .map(line => `not taken over: ${line}`)
        .sort(),
    )
    expect(stderr).toContain(
      'warning: module.fetched.source: "terraform-aws-modules/vpc/aws" is a module that',
    )
    expect(stdout.match(/^resource "\w+" "\w+"/gm)).toEqual(['resource "vexil_feature_flag" "one"'])
  })

  it.each([
    ['a file that is no HCL', 'resource "posthog_feature_flag" {', 'other/main.tf:1:'],
    ['a configuration without any', 'resource "aws_s3_bucket" "b" {}\n', 'has no resource of the provider'],
  ])('refuses %s', async (_, text, said) => {
    const { code, stdout, stderr } = await told(text)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(said)
  })

  it('refuses what is no folder, and a state beside it', async () => {
    const { vexil } = workspace()
    const nothing = await vexil('export --from-configuration nowhere')
    expect(nothing).toMatchObject({ code: 1, stdout: '' })
    expect(nothing.stderr).toContain('the configuration "nowhere" cannot be read: it is no folder')
    const both = await vexil('export --from-configuration live --from-state terraform.tfstate')
    expect(both.code).toBe(64)
    expect((await vexil('export --from-configuration live -e a -e b')).code).toBe(64)
  })
})
