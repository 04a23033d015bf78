import { TerraformStack } from 'cdktf'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { Flag, type FlagProps, Role, VexilProvider, When } from '../../src/constructs/index.ts'
import { featureFlag, roleAccess } from '../../src/kinds/index.ts'
import { type Profile, profiles } from '../../src/model/connection.ts'
import type { Field } from '../../src/model/field.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { behaviourOf, profilesWith } from '../../src/services/differences.ts'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import { anApp } from '../constructs/a-stack.ts'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { type Config, type Kept, playTerraform } from '../terraform/resources/play.ts'

const roleId = '01900000-0000-0000-0000-0000000000aa'
const filters = { groups: [{ rollout_percentage: 5 }] }

/** What one flag is declared with, by the names of the wire, and the level of its one grant. */
interface Declared {
  readonly fields: JsonObject
  readonly level?: string
}

/** Values for a field, each another one than the one before it. */
function valuesOf(field: Field & { readonly oneOf?: readonly string[] }): readonly Json[] {
  switch (field.type) {
    case 'boolean':
      return [true, false]
    case 'string':
      return field.oneOf ?? ['one', 'two']
    case 'set':
      return [['web'], ['ios', 'web'], []]
    default:
      return [[{ threshold: 5 }]]
  }
}

/** What has to be declared with a value, so that an object may have both. */
function beside(name: string, value: Json): JsonObject {
  const together = (featureFlag.contradictions ?? []).filter(({ fields }) => {
    const said: Readonly<Record<string, Json>> = fields
    return Object.hasOwn(said, name) && said[name] === value
  })
  const others = together.flatMap(({ fields }) =>
    Object.entries<Json>(fields).filter(([other]) => other !== name),
  )
  return Object.fromEntries(others.map(([other, refused]) => [other, refused !== true]))
}

const fieldCases = Object.entries<Field>(featureFlag.fields)
  .filter(([, { offered }]) => offered)
  .flatMap(([name, field]) =>
    profilesWith(field.offered?.behaviour ?? '', field.offered?.is ?? '').map(profile => ({
      what: name,
      profile,
      steps: valuesOf(field).map(
        (value): Declared => ({ fields: { active: false, ...beside(name, value), [name]: value } }),
      ),
    })),
  )
const levelCases = profiles.flatMap(profile => ({
  what: 'the level of a grant',
  profile,
  steps: (behaviourOf(profile).grants_route === 'access_controls'
    ? roleAccess.fields.access_level.oneOf
    : [undefined]
  ).map((level): Declared => ({ fields: { active: false }, ...(level ? { level } : {}) })),
}))

/** A way to declare a flag, in a service of its own. */
interface Door {
  readonly name: string
  apply(declared: Declared): Promise<void>
  /** What it would change then. */
  left(declared: Declared): Promise<unknown>
  leave?(): Promise<void>
}

async function yaml(sandbox: TestSandbox): Promise<Door> {
  const folder = await folderWith({ 'vexil.yaml': 'version: 1\n' })
  const run = async (declared: Declared, line: string) => {
    const roles = declared.level ? { [roleId]: declared.level } : [roleId]
    const flag = { filters, ...declared.fields, role_access: roles }
    await writeFiles(folder.path, { 'flags.yaml': stringify({ feature_flags: { one: flag } }) })
    return cli(line, { directory: folder.path, env: { ...sandbox.env } })
  }
  return {
    name: 'YAML',
    async apply(declared) {
      const { code, stdout, stderr } = await run(declared, 'apply --auto-approve')
      if (code !== 0) throw new Error(stdout + stderr)
    },
    async left(declared) {
      const { stdout } = await run(declared, 'plan --json')
      return (JSON.parse(stdout) as { changes: unknown[] }).changes
    },
    leave: () => folder.remove(),
  }
}

function constructs(sandbox: TestSandbox): Door {
  const stackOf = ({ fields, level }: Declared, profile: string) => {
    const stack = new TerraformStack(anApp(), 'flags')
    new VexilProvider(stack, 'vexil', { profile: profile as Profile })
    const props = Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]))
    const flag = new Flag(stack, 'One', {
      key: 'one',
      release: [When.everyone().at(5)],
      ...props,
    } as FlagProps)
    const role = Role.fromId(roleId, 'support')
    if (level === undefined) flag.grants.edit(role)
    else flag.grants.give(role, level as 'viewer')
    return stack
  }
  const profile = sandbox.env.VEXIL_PROFILE ?? ''
  return {
    name: 'a stack',
    apply: async declared => void (await sandbox.apply(stackOf(declared, profile))),
    left: async declared => (await sandbox.plan(stackOf(declared, profile))).changes,
  }
}

async function terraform(sandbox: TestSandbox): Promise<Door> {
  const player = await playTerraform({ env: sandbox.env })
  let flag: Kept | null = null
  let grant: Kept | null = null
  const flagOf = ({ fields }: Declared): Config =>
    ({
      key: 'one',
      release: [{ rollout_percentage: 5 }],
      ...Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          featureFlag.fields[name as 'filters'].type === 'json' ? JSON.stringify(value) : value,
        ]),
      ),
    }) as Config
  const grantOf = ({ level }: Declared): Config => ({
    feature_flag_id: String(flag?.state.id),
    role_id: roleId,
    ...(level ? { access_level: level } : {}),
  })
  return {
    name: 'Terraform',
    async apply(declared) {
      await player.begin()
      flag = await player.apply(
        'feature_flag',
        flagOf(declared),
        flag && (await player.read('feature_flag', flag)),
      )
      grant = await player.apply(
        'feature_flag_role_access',
        grantOf(declared),
        grant && (await player.read('feature_flag_role_access', grant)),
      )
    },
    async left(declared) {
      return [
        ...(await player.replan('feature_flag', flagOf(declared), flag as Kept)),
        ...(await player.replan('feature_flag_role_access', grantOf(declared), grant as Kept)),
      ]
    },
  }
}

describe.each([...fieldCases, ...levelCases])(
  '$what on a service of profile $profile',
  ({ profile, steps }) => {
    it('ends in the same live state, leaf by leaf, however it is declared', async () => {
      expect(steps.length).toBeGreaterThan(0)
      const open = () => startSandbox({ profile, roles: [{ id: roleId, name: 'support' }] })
      await using first = await open()
      await using second = await open()
      await using third = await open()
      const doors = [
        { sandbox: first, door: await yaml(first) },
        { sandbox: second, door: constructs(second) },
        { sandbox: third, door: await terraform(third) },
      ]
      onTestFinished(async () => {
        for (const { door } of doors) await door.leave?.()
      })
      for (const declared of steps) {
        const live: JsonObject[] = []
        for (const { sandbox, door } of doors) {
          await door.apply(declared)
          expect([door.name, await door.left(declared)]).toEqual([door.name, []])
          live.push(await liveIn(sandbox, profile))
        }
        const [byYaml, byStack, byTerraform] = live
        expect(byYaml).toMatchObject(shown(declared.fields))
        expect([byStack, byTerraform]).toEqual([byYaml, byYaml])
      }
    })
  },
)

/** The flag and its grants, without what differs from run to run: times, and how often it was written. */
async function liveIn(sandbox: TestSandbox, profile: Profile): Promise<JsonObject> {
  const path = `/api/projects/${sandbox.project}/feature_flags/1`
  const record = (await sandbox.get(`${path}/`)) as JsonObject
  const way = behaviourOf(profile).grants_route === 'access_controls' ? 'access_controls' : 'role_access'
  const grants = await sandbox.get(`${path}/${way}/`)
  const isOfRun = (name: string) => /_at$|^version$/.test(name)
  return JSON.parse(JSON.stringify({ ...record, grants }), (name, value) =>
    isOfRun(name) ? undefined : value,
  )
}

/** What the service shows of them, where it shows what it was sent. */
function shown(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== 'object'))
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
