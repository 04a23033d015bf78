import { DiagnosticError, diagnosticsFrom, errorDiagnostic, hasError } from '../diagnostic.ts'
import type { Provider } from '../provider.ts'
import type { CallScope } from './call-scope.ts'
import { diagnosticsToWire } from './diagnostic-to-wire.ts'
import { asRead, readObject, readPresent, writeKnown } from './dynamic-value.ts'
import type { Handlers } from './handlers.ts'
import { lookUp } from './look-up.ts'
import { applyResource } from './resource/apply-resource.ts'
import { askedIdentity, identityIn, identityToWire, upgradeIdentity } from './resource/identity.ts'
import { moveResource } from './resource/move-resource.ts'
import { planResource } from './resource/plan-resource.ts'
import { upgradeState } from './resource/upgrade-state.ts'

/** The calls about resources. Those that only plan or write are in files of their own. */
export function resourceHandlers(provider: Provider, scope: CallScope): Handlers {
  const resourceOf = (name: string) => lookUp(provider.resources, name, 'resource')
  const canMove = Object.values(provider.resources).some(({ move }) => move !== undefined)
  return {
    async ValidateResourceConfig({ type_name, config }) {
      const resource = resourceOf(type_name)
      const found = await resource.validate?.(readPresent(resource.schema.block, config), scope.context())
      return { diagnostics: diagnosticsToWire(found) }
    },
    UpgradeResourceState({ type_name, version, raw_state }) {
      const resource = resourceOf(type_name)
      const upgraded = upgradeState(resource.schema, Number(version), raw_state)
      if (upgraded) resource.noteState?.(upgraded)
      return { upgraded_state: writeKnown(resource.schema.block, upgraded) }
    },
    GetResourceIdentitySchemas: () => ({
      identity_schemas: Object.fromEntries(
        Object.entries(provider.resources).flatMap(([name, { identity }]) =>
          identity ? [[name, identityToWire(identity)]] : [],
        ),
      ),
    }),
    UpgradeResourceIdentity: ({ type_name, version, raw_identity }) => ({
      upgraded_identity: upgradeIdentity(resourceOf(type_name), Number(version), raw_identity),
    }),
    async ReadResource({ type_name, current_state, private: kept, current_identity: identity }) {
      const asBefore = { new_state: current_state, private: kept, new_identity: identity }
      try {
        const resource = resourceOf(type_name)
        const { block } = resource.schema
        const state = readObject(block, current_state)
        if (!state) return asBefore
        const answer = await resource.read({ state, private: kept }, scope.context())
        const diagnostics = diagnosticsToWire(answer.diagnostics)
        // An object is never declared gone by a read that failed.
        if (hasError(answer.diagnostics ?? [])) return { ...asBefore, diagnostics }
        return {
          new_state: asRead(answer.state, state, current_state) ?? writeKnown(block, answer.state),
          private: answer.private ?? kept,
          new_identity: identityIn(resource, answer.state, identity),
          diagnostics,
        }
      } catch (error) {
        const diagnostics = diagnosticsToWire(diagnosticsFrom(error))
        return { ...asBefore, diagnostics }
      }
    },
    PlanResourceChange: request => planResource(resourceOf(request.type_name), request, scope.context()),
    ApplyResourceChange: request => applyResource(provider.resources, request, scope.context()),
    async ImportResourceState({ type_name, id, identity }) {
      const resource = resourceOf(type_name)
      const asked = askedIdentity(resource, identity)
      const found = asked
        ? await resource.importByIdentity?.(asked, scope.context())
        : await resource.import?.(id, scope.context())
      if (!found) throw new DiagnosticError(errorDiagnostic(`a "${type_name}" cannot be imported`))
      const { state, private: kept, diagnostics } = found
      const imported = {
        type_name,
        state: writeKnown(resource.schema.block, state),
        private: kept,
        identity: identityIn(resource, state, identity),
      }
      return {
        imported_resources: hasError(diagnostics ?? []) ? [] : [imported],
        diagnostics: diagnosticsToWire(diagnostics),
      }
    },
    ...(canMove
      ? {
          MoveResourceState: request =>
            moveResource(resourceOf(request.target_type_name), request, scope.context()),
        }
      : {}),
  }
}
