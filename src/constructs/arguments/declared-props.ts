import type { TerraformMetaArguments, TerraformResourceLifecycle } from 'cdktf'
import type { DeclarableKind } from '../../model/kind.ts'
import { type LiveEdits, liveEditsOf } from '../live-edits.ts'
import { knownText, knownTruth } from './argument.ts'
import { count, dependsOn, forEach, lifecycle, provider, type Readers } from './read-arguments.ts'

/** The properties of every construct here, besides its own. */
export interface DeclaredProps
  extends Pick<TerraformMetaArguments, 'count' | 'dependsOn' | 'forEach' | 'lifecycle' | 'provider'> {
  /**
   * Refuses every plan that would delete it: `lifecycle.prevent_destroy`. False leaves it unprotected, even
   * against policies.
   */
  readonly protect?: boolean
  /**
   * What happens to fields that were changed in the product, if Vexil applies the stack. Terraform warns, and
   * sets them to the declared values.
   */
  readonly liveEdits?: LiveEdits
  /** Its name in Terraform, if it should differ from the one made from its key or name. */
  readonly logicalId?: string
}

/** The readers for a kind. */
export function declaredArguments(kind: DeclarableKind): Readers<DeclaredProps> {
  return {
    count,
    dependsOn,
    forEach,
    lifecycle,
    liveEdits: liveEditsOf(kind),
    provider,
    // Terraform accepts no reference there either.
    protect: knownTruth,
    logicalId: knownText,
  }
}

/** Those that are passed to the generated construct unchanged. */
export function metaArguments(props: DeclaredProps): TerraformMetaArguments {
  const { count, dependsOn, forEach, provider } = props
  return { count, dependsOn, forEach, provider, lifecycle: lifecycleOf(props) }
}

function lifecycleOf({ protect, lifecycle }: DeclaredProps): TerraformResourceLifecycle | undefined {
  return protect === undefined ? lifecycle : { ...lifecycle, preventDestroy: protect }
}
