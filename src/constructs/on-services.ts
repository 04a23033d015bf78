import { Annotations, Aspects, type TerraformProvider, TerraformStack } from 'cdktf'
import type { Construct } from 'constructs'
import { type Services, servicesOf } from '../model/connection.ts'
import { type DeclarableKind, managedFields } from '../model/kind.ts'
import { checkOffered } from '../rules/check-object.ts'
import { propertyOf } from './engine/property-name.ts'
import { VexilProvider } from './generated/provider/index.ts'
import { partlyKnown } from './synthesized/terraform-references.ts'

/** What is said of a construct once it is known which services may answer. */
export interface Said {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** Something that belongs to a provider: the one it is given, or else that of its stack. */
interface Provided {
  readonly provider?: TerraformProvider | undefined
}

/**
 * Checks a construct when its stack is synthesized, since its provider may be made after it: the provider's `profile` says
 * which service answers. Where it says nothing, or what is known only later, any of them may.
 */
export function checkOnServices(
  construct: Construct,
  provided: Provided,
  check: (services: Services) => Said,
): void {
  Aspects.of(construct).add({
    visit(node) {
      if (node !== construct) return
      const { errors, warnings } = check(servicesFor(construct, provided))
      for (const error of errors) Annotations.of(construct).addError(error)
      for (const warning of warnings) Annotations.of(construct).addWarning(warning)
    },
  })
}

/** What is said of fields that services lack. */
export function saidOfFields(kind: DeclarableKind, props: object, services: Services): Said {
  const given = new Map<string, unknown>(Object.entries(props))
  const fields = managedFields(kind).flatMap(name => {
    const value = given.get(propertyOf(name))
    return value === undefined ? [] : [[name, partlyKnown(value)] as const]
  })
  const lacking = checkOffered(kind, Object.fromEntries(fields), services)
  const lines = (severity: 'error' | 'warning') =>
    lacking
      .filter(each => each.severity === severity)
      .map(({ field, message, hint }) => `${message.replace(field, propertyOf(field))} (${hint})`)
  return { errors: lines('error'), warnings: lines('warning') }
}

function servicesFor(construct: Construct, { provider }: Provided): Services {
  const ours = provider === undefined ? defaultProviders(TerraformStack.of(construct)) : [provider]
  return servicesOf(ours.map(each => (each instanceof VexilProvider ? textOf(each.profileInput) : undefined)))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The providers of a stack that its resources get where they name none; found once, a stack may have thousands. */
function defaultProviders(stack: TerraformStack): readonly VexilProvider[] {
  const known = found.get(stack)
  if (known) return known
  const providers = stack
    .allProviders()
    .filter(each => each instanceof VexilProvider)
    .filter(({ alias }) => alias === undefined)
  found.set(stack, providers)
  return providers
}

const found = new WeakMap<TerraformStack, readonly VexilProvider[]>()
