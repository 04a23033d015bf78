import { canonicalField, type Live } from '../../core/live.ts'
import { memberOf, type ObjectValue } from '../../hcl/values.ts'
import { tagSet } from '../../model/json/canonical.ts'
import { type IdentifiedKind, isDescription, managedFields, switchField } from '../../model/kind.ts'
import { textsOf } from './plan/tags.ts'
import { textOf } from './resource-context.ts'

/** Whether a list that is filtered as a configuration says has an object. */
export function listFilter(kind: IdentifiedKind, config: ObjectValue): (live: Live) => boolean {
  const { ownedBy } = kind.lifecycle
  const turned = switchField(kind)
  const search = textOf(memberOf(config, 'search'))
  const isOn = turned === undefined ? null : memberOf(config, turned)
  const described = managedFields(kind).filter(name => isDescription(kind, name))
  const wanted = ownedBy === undefined ? [] : textsOf(tagSet(textsOf(memberOf(config, ownedBy))))
  return ({ record, identity }) => {
    const has = ownedBy === undefined ? [] : textsOf(canonicalField(kind, ownedBy, record[ownedBy]))
    return (
      (search === undefined || isFound(search, [identity, ...described.map(name => record[name])])) &&
      (turned === undefined || isOn === null || record[turned] === isOn) &&
      wanted.every(tag => has.includes(tag))
    )
  }
}

function isFound(search: string, texts: readonly unknown[]): boolean {
  const wanted = search.toLowerCase()
  return texts.some(text => typeof text === 'string' && text.toLowerCase().includes(wanted))
}
