import { Annotations, Aspects, type TerraformProvider, TerraformStack } from 'cdktf'
import type { Construct } from 'constructs'
import { type Services, servicesOf } from '../model/connection.ts'
import { type DeclarableKind, managedFields } from '../model/kind.ts'
import { checkOffered } from '../rules/check-object.ts'
import { propertyOf } from './engine/names.ts'
import { VexilProvider } from './generated/provider/index.ts'
import { partlyKnown } from './synthesized/templates.ts'

/** The messages for a construct, once the possible services are known. */
export interface Messages {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** An object with a provider: its own, or else that of its stack. */
interface Provided {
  readonly provider?: TerraformProvider | undefined
}

/**
 * Checks a construct at synthesis, since its provider may be made after it: the provider's `profile` names
 * the service. Without a known profile, any service is possible.
 */
export function checkOnServices(
  construct: Construct,
  provided: Provided,
  check: (services: Services) => Messages,
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

/** The messages for fields that services lack. */
export function fieldMessages(kind: DeclarableKind, props: object, services: Services): Messages {
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

/** The default providers of a stack; found once, since a stack may have thousands of resources. */
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
