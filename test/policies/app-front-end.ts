import { join } from 'node:path'
import { App, type IAspect, TerraformStack } from 'cdktf'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../src/constructs/generated/feature-flag-role-access/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import {
  enforce,
  GrantsOnlyTo,
  MaxRollout,
  NamePattern,
  NoPersonalEmail,
  NoReleaseToEveryone,
  RequireExpiry,
  RequireOwnerTag,
  TwoPerson,
} from '../../src/constructs/own-constructs.ts'
import type { JsonObject } from '../../src/model/text/json.ts'
import type { PatternText, Policy, PolicyName } from '../../src/policies/policy.ts'
import { policyCode } from '../../src/policies/policy-table.ts'
import { policiesIn } from '../../src/policies/written-policies.ts'
import { loadStack } from '../../src/stack/index.ts'
import { annotationsOf } from '../constructs/a-stack.ts'
import { inFolder } from '../support/folder.ts'
import { inTerraform, type Said } from './front-ends.ts'
import { type PolicyCase, roles, today } from './policy-cases.ts'

/** What an app says of a declared object by its policies. */
export interface SaidOfApp {
  /** What a synthesis refuses. */
  readonly synthesis: readonly Said[]
  /** What Vexil says of the stack that came of it. */
  readonly plan: readonly Said[]
}

/** Holds the policies of settings, as constructs, against one object. */
export async function holdInApp(
  policies: JsonObject,
  section: PolicyCase['section'],
  fields: JsonObject,
): Promise<SaidOfApp> {
  return inFolder({}, async outdir => {
    const app = new App({ outdir, skipValidation: true })
    const stack = new TerraformStack(app, 'production')
    new VexilProvider(stack, 'vexil', { projectId: '1' })
    declare(stack, section, fields)
    enforce(app, ...policiesIn(policies, {}).map(({ policy }) => constructOf(policy)))
    app.synth()
    const { problems } = await loadStack({
      folder: join(outdir, 'stacks/production'),
      directory: outdir,
      variables: new Map(),
      env: {},
      policies: { policies: [], today },
    })
    return {
      synthesis: annotationsOf(stack).flatMap(saidInSynthesis),
      plan: problems
        .filter(({ code }) => code !== 'annotation')
        .map(({ code, severity, message, hint }) => {
          const [, path = '', what = ''] = /: \[(.*?)\] (.*)$/s.exec(message) ?? []
          return { code, severity, message: what, remedy: hint, about: sectionAt(path) }
        }),
    }
  })
}

function declare(stack: TerraformStack, section: PolicyCase['section'], fields: JsonObject): void {
  const isFlag = section === 'feature_flags'
  const { key = 'open', ...others } = isFlag ? fields : { active: false }
  // Fields of the wire are called otherwise in TypeScript only where they have two words.
  const flag = new FeatureFlag(stack, 'Open', { key: String(key), ...inTerraform(others) })
  if (isFlag) return
  const { role_id: roleId, access_level: accessLevel } = fields
  const [name = ''] = Object.entries(roles).find(([, id]) => id === roleId) ?? []
  new FeatureFlagRoleAccess(stack, `Grant ${name}`, {
    featureFlagId: flag.id,
    roleId: String(roleId),
    ...(accessLevel === undefined ? {} : { accessLevel: accessLevel as 'viewer' }),
  })
}

/** `[production/Open] error: flag "open": what (Rule); remedy` */
function saidInSynthesis(line: string): Said[] {
  const [, path = '', level = '', what = '', rule = '', remedy] =
    /^\[(.*?)\] (\w+): (?:flag "[^"]*"|grant): (.*) \((\w+)\); (.*)$/s.exec(line) ?? []
  if (remedy === undefined) return []
  const severity = level === 'error' ? 'error' : 'warning'
  const message = `${what} (${rule})`
  return [{ code: policyCode(rule as PolicyName), severity, message, remedy, about: sectionAt(path) }]
}

function sectionAt(path: string): PolicyCase['section'] {
  return path.includes('/Grant ') ? 'feature_flag_role_access' : 'feature_flags'
}

/** The construct that asks the same. */
function constructOf(policy: Policy): IAspect {
  const { level, except } = policy
  const props = { level, except }
  switch (policy.policy) {
    case 'GrantsOnlyTo':
      return new GrantsOnlyTo(policy.roles, { ...props, ...levelOf(policy.atMost) })
    case 'MaxRollout':
      return new MaxRollout(policy.ceiling, { ...props, everyoneOnly: policy.everyoneOnly })
    case 'NamePattern':
      return new NamePattern({
        ...props,
        ...Object.fromEntries(
          Object.entries(policy.patterns).map(([title, text]) => [`${title}s`, regExp(text)]),
        ),
      })
    case 'NoPersonalEmail':
      return new NoPersonalEmail(props)
    case 'NoReleaseToEveryone':
      return new NoReleaseToEveryone(props)
    case 'RequireExpiry':
      return new RequireExpiry({
        ...props,
        ...(policy.within === undefined ? {} : { within: `${policy.within} days` }),
      })
    case 'RequireOwnerTag':
      return new RequireOwnerTag({ ...props, pattern: regExp(policy.pattern) })
    case 'TwoPerson':
      return new TwoPerson(policy.above, {
        ...props,
        tag: policy.tag,
        everyoneOnly: policy.everyoneOnly,
      })
    case 'FirstIn':
    case 'OwnSchemas':
      throw new RangeError(`no construct asks what ${policy.policy} asks`)
  }
}

function levelOf(atMost: string | undefined) {
  // The settings know the levels.
  return atMost === undefined ? {} : { atMost: atMost as 'viewer' }
}

function regExp({ source, flags }: PatternText): RegExp {
  return new RegExp(source, flags)
}
